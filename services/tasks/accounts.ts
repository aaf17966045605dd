import { READS } from '@cord/contracts/events/reads';
import { accountRpc, earningsRpc } from '@cord/contracts/rpc/ledger';
import { DAY_MS, weekStartMs } from '@cord/contracts/rules/days';
import type { Nats } from '@cord/kit/nats';
import { stateOf } from '@cord/kit/nats/state-of';
import type { LedgerView } from './domain/progress.js';

/** Reads a user's account from the ledger or its last event; nothing is stored here (services/README.md#events). */
export type Accounts = ReturnType<typeof createAccounts>;

/** Timeout of a ledger request during a claim, ms; after that the last event decides. */
const ACCOUNT_WAIT_MS = 500;

export function createAccounts(nats: Nats) {
  const lastPublished = (userId: string): Promise<LedgerView | null> =>
    stateOf(nats, READS.tasks.balanceChanged, userId).catch(() => null);
  return {
    /** The account as last published, up to 30 s old; null when it cannot be read. */
    lastPublished,
    /** The current account; when the ledger does not respond, as last published. */
    async now(userId: string): Promise<LedgerView | null> {
      const within = { timeoutMs: ACCOUNT_WAIT_MS };
      const account = await nats.request(accountRpc, { userId }, within).catch(() => null);
      return account ?? lastPublished(userId);
    },
    /** Returns the amount mined in the ISO week of a time, micro-CORD; null when the ledger does not respond. */
    async minedInWeek(userId: string, atMs: number) {
      const minedSince = async (sinceMs: number) => {
        const request = { userId, sources: ['mining' as const], sinceMs };
        return BigInt((await nats.request(earningsRpc, request, { timeoutMs: ACCOUNT_WAIT_MS })).totalMicro);
      };
      const weekMs = weekStartMs(atMs);
      // The total since the week's start is read first: amounts mined between the two requests never count for the week.
      return minedSince(weekMs)
        .then(async (totalMicro) => totalMicro - (await minedSince(weekMs + 7 * DAY_MS)))
        .catch(() => null);
    },
  };
}
