import { setTimeout as sleep } from 'node:timers/promises';
import { type AccountState, COMMISSION_SOURCES, type Source } from '@cord/contracts/events/balance';
import {
  accrueCommissionRpc,
  EARNINGS_MAX,
  ERASED_USER,
  earningsRpc,
  friendAccountRpc,
} from '@cord/contracts/rpc/ledger';
import type { Nats } from '@cord/kit/nats';
import { Problem, unavailable } from '@cord/kit/problem';
import type { FriendAccount } from './domain/friend.js';

/** What the ledger takes of commission, and what it has as earned by friends. */
export type CommissionLedger = ReturnType<typeof createCommissionLedger>;

/** The part of an account that a referrer's books want. */
export function friendAccountOf({
  seq,
  total,
  bySource,
  node,
}: Pick<AccountState, 'total' | 'bySource' | 'node'> & { seq: string }): FriendAccount {
  return {
    accountSeq: BigInt(seq),
    eligibleMicro: COMMISSION_SOURCES.reduce((sum, source) => sum + BigInt(bySource[source] ?? 0), 0n),
    totalMicro: BigInt(total),
    ranMs: node.ranMs,
  };
}

export interface Earning {
  /** ms since epoch. */
  atMs: number;
  amountMicro: bigint;
}

/** `user.erased` reaches the ledger at the same time: looks for the account to be closed before the event waits, and the wait between them, ms. */
const CLOSING_LOOKS_MAX = 20;
const CLOSING_LOOK_MS = 50;

/** What friends bring: commission and the 86 CORD for each. */
const FRIENDS_BRING: Source[] = ['commission', 'refwelcome'];

export function createCommissionLedger(nats: Pick<Nats, 'request'>) {
  return {
    /**
     * Sends the running total of a referrer's commission, micro-CORD; the same one again changes nothing.
     * @param mayWait of a running node it may be written half a minute later, and be lost with the process that keeps it until then
     * @returns the ledger's own total after it: less than was sent when that is more than one step takes
     * @throws when the ledger does not answer: sent again later
     */
    async accrue(userId: string, totalMicro: bigint, mayWait = false) {
      try {
        const reply = await nats.request(
          accrueCommissionRpc,
          { userId, totalMicro: totalMicro.toString(), ...(mayWait && { mayWait }) },
          { userId },
        );
        return BigInt(reply.totalMicro);
      } catch (err) {
        if (err instanceof Problem && err.type === ERASED_USER) return 'erased';
        throw err;
      }
    },
    /**
     * What the 86 CORD for friends come to in all that stands in the ledger, micro-CORD.
     * @throws when the ledger does not answer
     */
    async bonusesOf(userId: string) {
      const account = await nats.request(friendAccountRpc, { userId });
      return BigInt(account?.bySource.refwelcome ?? 0);
    },
    /**
     * The account of a user who was erased, once nothing can be credited to it any more; null when there is none.
     * @throws Problem 503 while the ledger does not answer, or has not closed the account
     */
    async finalAccountOf(userId: string) {
      for (let looks = 1; ; looks += 1) {
        const account = await nats.request(friendAccountRpc, { userId });
        if (account === null || account.erased) return account && friendAccountOf(account);
        if (looks >= CLOSING_LOOKS_MAX)
          throw unavailable('account-not-closed-yet', 'The ledger has not closed the account yet', 1);
        await sleep(CLOSING_LOOK_MS);
      }
    },
  };
}

/** What friends brought in a period. */
export interface Earnings {
  /** All of it, micro-CORD. */
  totalMicro: bigint;
  /** The newest entries, and whether they are all. */
  earned: Earning[];
  isWhole: boolean;
}

/** What friends have brought a user since a time, by the ledger's own entries, newest first. @throws Problem 503 */
export async function earningsOf(nats: Pick<Nats, 'request'>, userId: string, sinceMs: number): Promise<Earnings> {
  const reply = await nats.request(earningsRpc, { userId, sources: FRIENDS_BRING, sinceMs });
  const earned = reply.earnings.map(({ at, amountMicro }) => ({ atMs: at, amountMicro: BigInt(amountMicro) }));
  return { totalMicro: BigInt(reply.totalMicro), earned, isWhole: earned.length < EARNINGS_MAX };
}
