import { rateOfFacts } from '@cord/contracts/proof/chain';
import { outagesRpc } from '@cord/contracts/rpc/checkin';
import { pastRpc } from '@cord/contracts/rpc/past';
import { DAY_MS } from '@cord/contracts/rules/days';
import type { Nats } from '@cord/kit/nats';
import type { z } from 'zod';
import type { Account } from '../ledger/account.js';
import { rateAt } from '../ledger/accrual.js';
import type { SessionRecord } from '../ledger/session-record.js';
import { lastMinedMs, type Moment, sessionRecord } from '../ledger/settle.js';
import { entriesWaiting, sessionsWaiting } from '../ledger/waiting.js';
import type { MinedEntry, Reads } from '../store/reads.js';
import type { DayFacts, Mined, NetworkCut, Run } from './hours.js';

/** Timeout of a request to a peer, ms. A peer that does not respond is listed as missing. */
const PEER_TIMEOUT_MS = 1_000;
/** The factor of the network check when it takes nothing, hundredths. */
const WHOLE = 100;

type Past = z.output<typeof pastRpc.reply>;
type Outages = z.output<typeof outagesRpc.reply>;

/** Facts held by other services; null where one did not respond. */
export interface Peers {
  past: Past | null;
  outages: Outages | null;
}

/** Requests the facts held by auth and tasks. It never fails: without them, an hour is explained from mining's own data. */
export async function requestPeers(nats: Pick<Nats, 'request'>, userId: string): Promise<Peers> {
  const within = { timeoutMs: PEER_TIMEOUT_MS };
  const [past, outages] = await Promise.all([
    nats.request(pastRpc, { userId }, within).catch(() => null),
    nats.request(outagesRpc, {}, within).catch(() => null),
  ]);
  return { past, outages };
}

/**
 * Collects the facts for the hours of a UTC day. The account is read before the entries and sessions: one that leaves
 * the outbox in between is found twice, never missed. Open mining that became an entry in between counts as open only.
 * @param account settled to the moment
 * @param dayStartMs beginning of the day, ms since epoch
 */
export async function factsOf(
  { account, moment }: { account: Account; moment: Moment },
  dayStartMs: number,
  reads: Pick<Reads, 'minedFrom' | 'sessionsTo'>,
  { past, outages }: Peers,
): Promise<DayFacts> {
  const dayEndMs = dayStartMs + DAY_MS;
  const [entries, sessions] = await Promise.all([
    reads.minedFrom(account, dayStartMs, dayEndMs),
    reads.sessionsTo(account.userId, dayStartMs, dayEndMs),
  ]);
  return {
    dayStartMs,
    nowMs: moment.nowMs,
    joinedMs: account.joinedAtMs ?? account.openedAtMs,
    runs: runsOf(account, moment, sessions),
    mined: minedOf(account, moment, entries, dayStartMs),
    outages: outages?.outages ?? [],
    signIns: past?.signIns ?? [],
    cutOf: cutsBy(account, moment, past?.network ?? []),
  };
}

/** Returns the runs of a node, oldest first: stored sessions, sessions in the outbox, and the running one. */
function runsOf(account: Account, moment: Moment, written: readonly SessionRecord[]): Run[] {
  const { node } = account;
  const running = node.status === 'active' ? [sessionRecord(account, 'active', moment)] : [];
  const once = new Map([...written, ...sessionsWaiting(account), ...running].map((session) => [session.id, session]));
  return [...once.values()]
    .sort((a, b) => a.startedAtMs - b.startedAtMs)
    .map(({ status, startedAtMs: fromMs, endedAtMs, creditedUntilMs, leaseUntilMs }) => ({
      fromMs,
      toMs: endedAtMs ?? creditedUntilMs,
      // A session whose lease has ended counts as paused, even before the pause is written.
      ended: status === 'ended' ? 'stopped' : status === 'paused' || leaseUntilMs <= moment.nowMs ? 'lease-over' : null,
    }));
}

/** Returns mining entries, oldest first, with the open amount as the last one. */
function minedOf(account: Account, { epochs, nowMs }: Moment, written: readonly MinedEntry[], fromMs: number): Mined[] {
  const { open, node, factors } = account;
  const waiting = entriesWaiting(account).filter(({ source, atMs }) => source === 'mining' && atMs >= fromMs);
  const once = new Map([...written, ...waiting].map((entry) => [entry.key, entry]));
  const entries = [...once.values()]
    .sort((a, b) => a.atMs - b.atMs)
    .map(({ atMs, amountMicro, facts }) => ({ atMs, amountMicro, rateNano: rateOfFacts(facts) }));
  if (node.status !== 'active') return entries;
  const isOpen = open.amountMicro > 0n;
  const atMs = isOpen ? lastMinedMs(account) : node.lastAtMs;
  const rateNano = !isOpen ? rateAt(factors, epochs, nowMs).rateNano : open.made ? open.rateNano : null;
  return atMs < fromMs ? entries : [...entries, { atMs, amountMicro: open.amountMicro, rateNano }];
}

/**
 * Derives the cut of the network check from the rate: tier and epoch at the time are known, so only one of the known
 * factors gives exactly this rate. The number of accounts is that of the last result with this factor.
 */
function cutsBy({ factors }: Account, { epochs }: Moment, network: Past['network']): DayFacts['cutOf'] {
  const tried = new Set([
    WHOLE,
    Number(factors.antiCheatHundredths),
    ...network.map(({ factorHundredths }) => factorHundredths),
  ]);
  const makes = (factorHundredths: number, rateNano: bigint, atMs: number) =>
    [false, true].some((badge) => {
      const then = { ...factors, badge, antiCheatHundredths: BigInt(factorHundredths) };
      return rateAt(then, epochs, atMs).rateNano === rateNano;
    });
  return (rateNano, atMs): NetworkCut | null => {
    const factorHundredths = [...tried].find((each) => makes(each, rateNano, atMs));
    if (factorHundredths === undefined || factorHundredths >= WHOLE) return null;
    const results = network.filter((each) => each.factorHundredths === factorHundredths);
    const last = results.findLast((each) => each.atMs <= atMs) ?? results[0];
    return { factorHundredths, accounts: last?.accounts ?? null };
  };
}
