import type { ResponseOf } from '@cord/contracts/endpoint';
import type { CurrentRate, MiningSession, miningEndpoints } from '@cord/contracts/http/mining';
import type { UpdatedUser } from '@cord/contracts/http/users';
import { ageTenths } from '@cord/contracts/rules/age';
import { dayKey, periodKeys } from '@cord/contracts/rules/days';
import { microToNumber, microToString } from '@cord/contracts/rules/money';
import { rateToNumber } from '@cord/contracts/rules/rate';
import { bookUntilMs } from '@cord/contracts/rules/rule-book';
import type { Account, Entry, Factors, Period } from '../ledger/account.js';
import { missedMiningMicro, rateAt } from '../ledger/accrual.js';
import type { SessionRecord } from '../ledger/session-record.js';
import type { Moment } from '../ledger/settle.js';
import { efficiency, hashRate } from '../node/figures.js';
import type { NodeResult } from '../node/node.js';

type MiningResult = ResponseOf<typeof miningEndpoints.save>;
type LedgerEntry = ResponseOf<typeof miningEndpoints.ledger>['entries'][number];
type NodeStats = ResponseOf<typeof miningEndpoints.stats>;

const HUNDRED = 100;

/** Response of save, end, update and stop. */
export function miningResult(result: NodeResult): MiningResult {
  const session = currentSession(result);
  return {
    success: true,
    credited: microToNumber(result.creditedMicro),
    newBalance: microToNumber(result.account.balanceMicro),
    updatedUser: updatedUser(result.account, result.moment),
    session,
    // A running session already has it; for any other, the response still needs it.
    rateUntil: (session?.status === 'active' ? session : rateEnd(result.account, result.moment)).rateUntil,
  };
}

/** Returns the session of a node call. A paused one loses efficiency until the next contact and shows the missed amount. */
export function currentSession({
  session,
  account,
  moment,
}: Omit<NodeResult, 'creditedMicro' | 'changed'>): MiningSession | null {
  if (session === null) return null;
  const { nowMs, epochs } = moment;
  if (session.status === 'active') return { ...miningSession(session, nowMs), ...rateEnd(account, moment) };
  if (session.status === 'ended') return miningSession(session, nowMs);
  const missed = missedMiningMicro(session.creditedUntilMs, nowMs, account.factors, epochs);
  return { ...miningSession(session, nowMs, nowMs), missed: microToNumber(missed) };
}

/** Returns the session as a response of its own, with its balance. */
export function sessionAnswer(result: NodeResult): MiningSession | null {
  const session = currentSession(result);
  const { balanceMicro, seq } = result.account;
  return session && { ...session, newBalance: microToNumber(balanceMicro), balanceSeq: microToString(seq) };
}

/** Converts a session for its owner. @param possibleUntilMs end of its possible time; default its own end, or now */
export function miningSession(session: SessionRecord, nowMs: number, possibleUntilMs?: number): MiningSession {
  const untilMs = possibleUntilMs ?? session.endedAtMs ?? nowMs;
  return {
    id: session.id,
    startedAt: iso(session.startedAtMs),
    endedAt: session.endedAtMs === null ? null : iso(session.endedAtMs),
    earnings: microToNumber(session.earnedMicro),
    hashRate: hashRate(session.userId, session.ageTenths, session.endedAtMs ?? nowMs),
    efficiency: efficiency(session.sessionMs, untilMs - session.startedAtMs, session.antiCheatHundredths),
    rate: rateToNumber(session.rateNano),
    rateNano: microToString(session.rateNano),
    factors: rateFactors(session),
    rateUntil: null,
    nextFactors: null,
    nextRateNano: null,
    status: session.status,
    creditedUntil: iso(session.creditedUntilMs),
    leaseUntil: session.status === 'active' ? iso(session.leaseUntilMs) : null,
    serverTime: iso(nowMs),
  };
}

/** Returns the current rate of a user's node, running or not. */
export function rateNow(account: Account, moment: Moment): CurrentRate {
  const rate = rateAt(account.factors, moment.epochs, moment.nowMs);
  return {
    rate: rateToNumber(rate.rateNano),
    rateNano: microToString(rate.rateNano),
    factors: rateFactors({ ...account.factors, ...rate }),
    ...rateEnd(account, moment),
    serverTime: iso(moment.nowMs),
    rulesChange: rulesChange(account.factors, moment),
  };
}

/** Compares the rates at the first moment of the next rule book; null when none is announced. */
function rulesChange(factors: Factors, { epochs, nowMs }: Moment): CurrentRate['rulesChange'] {
  const fromMs = bookUntilMs(epochs.books, nowMs);
  if (!Number.isFinite(fromMs)) return null;
  const before = { ...epochs, books: epochs.books.filter((book) => book.fromMs < fromMs) };
  const [was, is] = [rateAt(factors, before, fromMs), rateAt(factors, epochs, fromMs)];
  return { from: iso(fromMs), rate: rateToNumber(was.rateNano), nextRate: rateToNumber(is.rateNano) };
}

type RateEnd = Pick<CurrentRate, 'rateUntil' | 'nextFactors' | 'nextRateNano'>;

/** Returns when the current rate ends, and the factors of the next one. */
function rateEnd({ factors }: Account, { epochs, nowMs }: Moment): RateEnd {
  const { untilMs } = rateAt(factors, epochs, nowMs);
  if (!Number.isFinite(untilMs)) return { rateUntil: null, nextFactors: null, nextRateNano: null };
  const next = rateAt(factors, epochs, untilMs);
  const nextFactors = rateFactors({ ...factors, ...next });
  return { rateUntil: iso(untilMs), nextFactors, nextRateNano: microToString(next.rateNano) };
}

type RateParts = Pick<
  SessionRecord,
  'tierHundredths' | 'antiCheatHundredths' | 'badge' | 'epochHundredths' | 'epochId'
>;

function rateFactors(parts: RateParts): CurrentRate['factors'] {
  return {
    tier: Number(parts.tierHundredths) / HUNDRED,
    antiCheat: Number(parts.antiCheatHundredths) / HUNDRED,
    badge: parts.badge,
    epoch: Number(parts.epochHundredths) / HUNDRED,
    epochId: parts.epochId,
  };
}

/** Returns the user fields that mining owns, from one version of the account (services/README.md#who-owns-what). */
export function updatedUser(account: Account, moment: Moment): UpdatedUser {
  const { totals, node, epoch } = account;
  const { nowMs } = moment;
  const balance = microToNumber(account.balanceMicro);
  const running = node.status === 'active';
  const { day, week, month } = periodKeys(nowMs);
  return {
    id: account.userId,
    balanceSeq: microToString(account.seq),
    balanceAt: iso(running ? node.lastAtMs : nowMs),
    current_balance: balance,
    lastsavedbalance: balance,
    total_earned: microToNumber(totals.allMicro),
    daily_earnings: microToNumber(inForce(totals.day, day).micro),
    weekly_earnings: microToNumber(inForce(totals.week, week).micro),
    monthly_earnings: microToNumber(inForce(totals.month, month).micro),
    is_node_active: running,
    node_start_time: running ? iso(node.startedAtMs) : null,
    rate: rateToNumber(rateAt(account.factors, moment.epochs, nowMs).rateNano),
    currentEpochId: epoch.id,
    epochJoinDate: epoch.joinedAtMs === null ? null : iso(epoch.joinedAtMs),
    totalEpochEarnings: microToNumber(epoch.micro),
  };
}

/** Local node stats. Efficiency is a fraction here. */
export function nodeStats(account: Account, moment: Moment): NodeStats {
  const { node, totals, factors } = account;
  const running = node.status === 'active';
  const possibleMs = node.status === 'idle' ? 0 : moment.nowMs - node.startedAtMs;
  return {
    isActive: running,
    startTime: running ? iso(node.startedAtMs) : null,
    uptime: running ? seconds(node.sessionMs) : 0,
    totalUptime: seconds(node.ranMs),
    firstStartedAt: node.firstStartedAtMs === null ? null : iso(node.firstStartedAtMs),
    dailyEarnings: microToNumber(inForce(totals.day, dayKey(moment.nowMs)).miningMicro),
    totalEarnings: microToNumber(totals.bySource.mining ?? 0n),
    hashRate: running ? hashRate(account.userId, ageTenths(factors.discordCreatedAtMs, moment.nowMs), moment.nowMs) : 0,
    efficiency: efficiency(node.sessionMs, possibleMs, factors.antiCheatHundredths) / HUNDRED,
    serverTime: iso(moment.nowMs),
  };
}

/** Converts a ledger entry for its owner. */
export function ledgerEntry(entry: Entry): LedgerEntry {
  return {
    id: entry.key,
    seq: microToString(entry.seq),
    at: iso(entry.atMs),
    source: entry.source,
    amount: microToNumber(entry.amountMicro),
    balance: microToNumber(entry.balanceMicro),
    reason: entry.reason,
    n: String(entry.n),
    facts: entry.facts,
    hash: entry.hash,
  };
}

/** Returns the sums of a period, or zeros when it is over. */
function inForce(period: Period, key: string): Pick<Period, 'micro' | 'miningMicro'> {
  return period.key === key ? period : { micro: 0n, miningMicro: 0n };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

function seconds(ms: number): number {
  return Math.floor(ms / 1_000);
}
