import type { Source } from '@cord/contracts/events/balance';
import {
  accountRpc,
  accrueCommissionRpc,
  COMMISSION_STEP_MICRO,
  creditRpc,
  EARNINGS_MAX,
  earningsRpc,
  openAccount,
  runningRpc,
} from '@cord/contracts/rpc/ledger';
import { generalSubject } from '@cord/contracts/rules/affinity';
import { microFromString, microToString } from '@cord/contracts/rules/money';
import type { Nats } from '@cord/kit/nats';
import type { Consuming } from '@cord/kit/nats/consume';
import type { Replicas } from '@cord/kit/replicas';
import type { Account, Entry } from './ledger/account.js';
import { accountState } from './ledger/account-state.js';
import { rateAt } from './ledger/accrual.js';
import { assertAllowed } from './ledger/credit-rules.js';
import type { Ledger } from './ledger/ledger.js';
import { commissionStep } from './ledger/series.js';
import { type Moment, settle } from './ledger/settle.js';
import { entriesWaiting, newestFirst } from './ledger/waiting.js';
import { groupsOf } from './node/running.js';
import { withProblems } from './problems.js';
import type { Reads } from './store/reads.js';

/** Its last word is the caller; NATS lets each service publish its own only. */
const ANYBODYS_CREDIT = 'cord.rpc.v1.ledger.credit.*';

/** The caller of a credit, also of one that was asked for one part of the users. */
function callerOf(subject: string): string {
  const general = generalSubject(subject);
  return general.slice(general.lastIndexOf('.') + 1);
}

/** Answers the ledger's requests (design.md, Events). @returns what to stop */
export function serveLedger(
  nats: Pick<Nats, 'serve'>,
  replicas: Pick<Replicas, 'owning'>,
  ledger: Ledger,
  reads: Reads,
): Consuming[] {
  return [
    nats.serve(openAccount, ({ userId, discordCreatedAt }, { cause }) =>
      withProblems(async () => {
        const { account, created } = await ledger.open(userId, discordCreatedAt, cause);
        return { seq: microToString(account.seq), created };
      }),
    ),
    nats.serve(
      { ...creditRpc('auth'), subject: ANYBODYS_CREDIT },
      (request, { subject, cause }) =>
        withProblems(async () => {
          const credit = { ...request, amountMicro: microFromString(request.amountMicro) };
          assertAllowed(callerOf(subject), credit);
          const { entry, replayed, account } = await ledger.credit(credit, cause);
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
      ({ userId, totalMicro }, { cause }) =>
        withProblems(async () => {
          const told = { totalMicro: microFromString(totalMicro), stepMostMicro: COMMISSION_STEP_MICRO };
          const { after } = await ledger.change(userId, (account, at) => commissionStep(account, told, at), cause);
          return {
            totalMicro: microToString(after.totals.bySource.commission ?? 0n),
            balanceMicro: microToString(after.balanceMicro),
            seq: microToString(after.seq),
          };
        }),
      replicas,
    ),
    nats.serve(accountRpc, async ({ userId }) => {
      const account = await ledger.read(userId);
      return account && accountReply(account, ledger.moment());
    }),
    nats.serve(earningsRpc, async ({ userId, sources, sinceMs }) => {
      const account = await ledger.read(userId);
      if (!account) return { earnings: [] };
      // The account was read first: an entry that moves in between is found twice, never missed.
      const written = await reads.entriesOf(userId, sources, sinceMs, EARNINGS_MAX);
      return { earnings: earningsOf(account, written, sources, sinceMs) };
    }),
    nats.serve(runningRpc, async ({ at }) => {
      const { factors, running, isWhole } = await reads.running(ledger.moment().nowMs);
      return { running, sampled: factors.length, isWhole, groups: groupsOf(factors, at) };
    }),
  ];
}

/** Entries of the sources with those that wait in the outbox and what stands open, newest first. */
function earningsOf(account: Account, written: readonly Entry[], sources: readonly Source[], sinceMs: number) {
  const { openCommission: open } = account;
  const fitting = entriesWaiting(account).filter((entry) => sources.includes(entry.source) && entry.atMs >= sinceMs);
  const entries = newestFirst(fitting, written);
  const commission = { atMs: open.sinceMs, source: 'commission' as const, amountMicro: open.amountMicro };
  const stands = open.amountMicro > 0n && sources.includes('commission') && open.sinceMs >= sinceMs;
  return [...(stands ? [commission] : []), ...entries]
    .slice(0, EARNINGS_MAX)
    .map(({ atMs, source, amountMicro }) => ({ at: atMs, source, amountMicro: microToString(amountMicro) }));
}

/** The account settled to now, without a write; its seq is the written one. */
function accountReply(account: Account, moment: Moment) {
  const settled = account.erasedAtMs === null ? settle(account, moment) : account;
  const { factors } = account;
  const rate = rateAt(factors, moment.epochs, moment.nowMs);
  return {
    userId: account.userId,
    seq: microToString(account.seq),
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
