import { SOURCES, type Source } from '@cord/contracts/events/balance';
import {
  ALL_CREDITS,
  accountRpc,
  accrueCommissionRpc,
  COMMISSION_STEP_MICRO,
  creditRpc,
  EARNINGS_MAX,
  earningsRpc,
  friendAccountRpc,
  openAccount,
  runningRpc,
} from '@cord/contracts/rpc/ledger';
import { generalSubject } from '@cord/contracts/rules/affinity';
import { microFromString, microToString } from '@cord/contracts/rules/money';
import { bookAt } from '@cord/contracts/rules/rule-book';
import type { Metrics } from '@cord/kit/metrics';
import type { Nats } from '@cord/kit/nats';
import type { Consuming } from '@cord/kit/nats/consume';
import type { Replicas } from '@cord/kit/replicas';
import type { Account, Entry } from './ledger/account.js';
import { accountState } from './ledger/account-state.js';
import { rateAt } from './ledger/accrual.js';
import { assertAllowed, OUT_OF_RULE } from './ledger/credit-rules.js';
import { CREDIT_TABLE } from './ledger/credit-table.js';
import type { Ledger } from './ledger/ledger.js';
import { LedgerRefusal } from './ledger/refusal.js';
import { commissionStep } from './ledger/series.js';
import { type Moment, settle } from './ledger/settle.js';
import { entriesWaiting, newestFirst } from './ledger/waiting.js';
import { groupsOf } from './node/running.js';
import { withProblems } from './problems.js';
import type { Reads } from './store/reads.js';

/** Returns the caller of a credit, also for a subject of one partition of the users. */
function callerOf(subject: string): string {
  const general = generalSubject(subject);
  return general.slice(general.lastIndexOf('.') + 1);
}

/** Runs a credit and counts refusals by rules that honest callers keep. Each counter starts at 0, so that an alert sees the first. */
function countRefusals(metrics: Pick<Metrics, 'counter'>) {
  const refusals = metrics.counter('cord_ledger_refused_total');
  for (const [caller, own] of Object.entries(CREDIT_TABLE)) {
    for (const source of SOURCES) {
      const reasons = OUT_OF_RULE.filter((reason) => (reason === 'source-not-allowed') !== source in own);
      for (const reason of reasons) refusals.inc({ caller, source, reason }, 0);
    }
  }
  for (const reason of OUT_OF_RULE) refusals.inc({ caller: 'referrals', source: 'commission', reason }, 0);
  return async <R>(caller: string, source: Source, run: () => Promise<R>): Promise<R> => {
    try {
      return await run();
    } catch (error) {
      if (error instanceof LedgerRefusal && OUT_OF_RULE.includes(error.type))
        refusals.inc({ caller, source, reason: error.type });
      throw error;
    }
  };
}

/** Serves the requests to the ledger. @returns what to stop */
export function serveLedger(
  nats: Pick<Nats, 'serve'>,
  replicas: Pick<Replicas, 'owning'>,
  ledger: Ledger,
  reads: Reads,
  metrics: Pick<Metrics, 'counter'>,
): Consuming[] {
  const counted = countRefusals(metrics);
  return [
    nats.serve(openAccount, ({ userId, discordCreatedAt, at }) =>
      withProblems(async () => {
        const { account, created } = await ledger.open(userId, discordCreatedAt, at);
        return { seq: microToString(account.seq), created };
      }),
    ),
    nats.serve(
      { ...creditRpc('auth'), subject: ALL_CREDITS },
      (request, { subject }) =>
        withProblems(async () => {
          const caller = callerOf(subject);
          const credit = { ...request, amountMicro: microFromString(request.amountMicro) };
          const { entry, replayed, account } = await counted(caller, request.source, async () => {
            assertAllowed(caller, credit);
            return ledger.credit(credit);
          });
          return {
            key: entry.key,
            replayed,
            amountMicro: microToString(entry.amountMicro),
            balanceMicro: microToString(account.balanceMicro),
            seq: microToString(account.seq),
            at: entry.atMs,
          };
        }),
      replicas,
    ),
    nats.serve(
      accrueCommissionRpc,
      ({ userId, totalMicro, mayWait }) =>
        withProblems(async () => {
          const reported = { totalMicro: microFromString(totalMicro), stepMostMicro: COMMISSION_STEP_MICRO };
          const step = (account: Account, at: Moment) => commissionStep(account, reported, at);
          const after = await counted('referrals', 'commission', async () =>
            mayWait ? ledger.changeLater(userId, step) : (await ledger.change(userId, step)).after,
          );
          return {
            totalMicro: microToString(after.totals.bySource.commission ?? 0n),
            balanceMicro: microToString(after.balanceMicro),
            seq: microToString(after.seq),
          };
        }),
      replicas,
    ),
    ...[accountRpc, friendAccountRpc].map((rpc) =>
      nats.serve(rpc, async ({ userId }) => {
        const account = await ledger.read(userId);
        return account && accountReply(account, ledger.moment());
      }),
    ),
    nats.serve(earningsRpc, async ({ userId, sources, sinceMs }) => {
      const stored = await ledger.read(userId);
      if (!stored) return { earnings: [], totalMicro: '0' };
      const account = settledOf(stored, ledger.moment());
      // The account is read first: an entry that moves in between is found twice, never missed. Later entries are left out.
      const written = await reads.entriesOf(stored, sources, sinceMs, EARNINGS_MAX);
      const totalMicro = await earnedSince(reads, { stored, account }, sources, sinceMs);
      return { earnings: earningsOf(account, written, sources, sinceMs), totalMicro: microToString(totalMicro) };
    }),
    nats.serve(runningRpc, async ({ at }) => {
      const { nowMs, epochs } = ledger.moment();
      const { factors, running, isWhole } = await reads.running(nowMs);
      const groups = groupsOf(factors, at, bookAt(epochs.books, at));
      return { running, sampled: factors.length, isWhole, groups };
    }),
  ];
}

/** Returns the account with its mining up to now, without a write. Its seq may belong to another entry later. */
function settledOf(stored: Account, moment: Moment): Account {
  return stored.erasedAtMs === null ? settle(stored, moment) : stored;
}

/** Returns the entries of the sources, newest first: written ones, those in the outbox and the open commission. */
function earningsOf(account: Account, written: readonly Entry[], sources: readonly Source[], sinceMs: number) {
  const { waiting, openMicro } = notWritten(account, sources, sinceMs);
  const entries = newestFirst(waiting, written);
  const commission = { atMs: account.openCommission.sinceMs, source: 'commission' as const, amountMicro: openMicro };
  return [...(openMicro > 0n ? [commission] : []), ...entries]
    .slice(0, EARNINGS_MAX)
    .map(({ atMs, source, amountMicro }) => ({ at: atMs, source, amountMicro: microToString(amountMicro) }));
}

/** Income from some sources since a time, micro-CORD. For all time it comes from the account's totals, else from the entries. */
async function earnedSince(
  reads: Pick<Reads, 'sumOf'>,
  { stored, account }: Record<'stored' | 'account', Account>,
  sources: readonly Source[],
  sinceMs: number,
): Promise<bigint> {
  if (sinceMs === 0) return sources.reduce((sum, source) => sum + (account.totals.bySource[source] ?? 0n), 0n);
  const { waiting, openMicro } = notWritten(account, sources, sinceMs);
  const written = await reads.sumOf(
    stored,
    sources,
    sinceMs,
    waiting.map(({ key }) => key),
  );
  return waiting.reduce((sum, { amountMicro }) => sum + amountMicro, written + openMicro);
}

/** Income from some sources since a time that is credited but not stored as entries: the outbox and open commission. */
function notWritten(account: Account, sources: readonly Source[], sinceMs: number) {
  const { openCommission: open } = account;
  const waiting = entriesWaiting(account).filter((entry) => sources.includes(entry.source) && entry.atMs >= sinceMs);
  const stands = open.amountMicro > 0n && sources.includes('commission') && open.sinceMs >= sinceMs;
  return { waiting, openMicro: stands ? open.amountMicro : 0n };
}

/** The account settled to now, without a write. Its seq is the written one. */
function accountReply(account: Account, moment: Moment) {
  const settled = settledOf(account, moment);
  const { factors } = account;
  const rate = rateAt(factors, moment.epochs, moment.nowMs);
  return {
    userId: account.userId,
    seq: microToString(account.seq),
    erased: account.erasedAtMs !== null,
    ...accountState(settled, moment),
    factors: {
      discordCreatedAt: factors.discordCreatedAtMs,
      tierHundredths: Number(rate.tierHundredths),
      antiCheatHundredths: Number(factors.antiCheatHundredths),
      badge: factors.badge,
      epochHundredths: Number(rate.epochHundredths),
      rateNano: microToString(rate.rateNano),
    },
  };
}
