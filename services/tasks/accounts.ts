import { READS } from '@cord/contracts/events/reads';
import { accountRpc, earningsRpc } from '@cord/contracts/rpc/ledger';
import { DAY_MS, weekStartMs } from '@cord/contracts/rules/days';
import type { Nats } from '@cord/kit/nats';
import { stateOf } from '@cord/kit/nats/state-of';
import type { LedgerView } from './domain/progress.js';

/** A user's account, read from the ledger or its last event; nothing of it is kept here (services/README.md#events). */
export type Accounts = ReturnType<typeof createAccounts>;

/** How long a claim waits for the ledger's present totals before it decides by the last event, ms. */
const ACCOUNT_WAIT_MS = 500;

export function createAccounts(nats: Nats) {
  const lastPublished = (userId: string): Promise<LedgerView | null> =>
    stateOf(nats, READS.tasks.balanceChanged, userId).catch(() => null);
  return {
    /** As the ledger published it last, up to 30 s ago; null without an answer. */
    lastPublished,
    /** As it is now; where the ledger does not answer, as published last. */
    async now(userId: string): Promise<LedgerView | null> {
      const within = { timeoutMs: ACCOUNT_WAIT_MS };
      const account = await nats.request(accountRpc, { userId }, within).catch(() => null);
      return account ?? lastPublished(userId);
    },
    /** What was mined in the ISO week of a time, micro-CORD; null when the ledger does not answer. */
    async minedInWeek(userId: string, atMs: number) {
      const minedSince = async (sinceMs: number) => {
        const request = { userId, sources: ['mining' as const], sinceMs };
        return BigInt((await nats.request(earningsRpc, request, { timeoutMs: ACCOUNT_WAIT_MS })).totalMicro);
      };
      const weekMs = weekStartMs(atMs);
      // The total from its start first: what is mined between the two requests never counts for the week.
      return minedSince(weekMs)
        .then(async (totalMicro) => totalMicro - (await minedSince(weekMs + 7 * DAY_MS)))
        .catch(() => null);
    },
  };
}
