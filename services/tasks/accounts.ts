import { READS } from '@cord/contracts/events/reads';
import { accountRpc } from '@cord/contracts/rpc/ledger';
import type { Cause } from '@cord/kit/cause';
import type { Nats } from '@cord/kit/nats';
import { stateOf } from '@cord/kit/nats/state-of';
import type { LedgerView } from './domain/progress.js';

/** A user's account, read where the ledger keeps or tells it; nothing of it is kept here (design.md, Events). */
export interface Accounts {
  /** As the ledger told it last, up to 30 s ago; null when nobody says. */
  lastTold(userId: string): Promise<LedgerView | null>;
  /** As it is now; where the ledger is silent, as it was told last. */
  now(userId: string, cause?: Cause): Promise<LedgerView | null>;
}

/** How long a claim waits for the ledger's present totals before it decides by what was told last, ms. */
const ACCOUNT_WAIT_MS = 500;

export function createAccounts(nats: Nats): Accounts {
  const lastTold = (userId: string) => stateOf(nats, READS.tasks.balanceChanged, userId).catch(() => null);
  return {
    lastTold,
    async now(userId, cause) {
      const within = { timeoutMs: ACCOUNT_WAIT_MS, cause };
      const account = await nats.request(accountRpc, { userId }, within).catch(() => null);
      return account ?? lastTold(userId);
    },
  };
}
