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

/** The referrals' client of the ledger: reports commission, and reads friends' earnings. */
export type CommissionLedger = ReturnType<typeof createCommissionLedger>;

/** Returns the part of an account that a referrer's books use. */
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

/** Number of checks for the closed account before the event is retried, and the wait between them, ms: `user.erased` reaches the ledger at the same time. */
const CLOSED_CHECKS_MAX = 20;
const CLOSED_CHECK_MS = 50;

/** Sources of earnings from friends: commission, and the 86 CORD for each. */
const FRIEND_SOURCES: Source[] = ['commission', 'refwelcome'];

export function createCommissionLedger(nats: Pick<Nats, 'request'>) {
  return {
    /**
     * Sends the running total of a referrer's commission, micro-CORD; repeating it changes nothing.
     * @param mayWait for a running node: the ledger may write it half a minute later, and lose it with its process
     * @returns the ledger's total afterwards: less than sent when that exceeds one step
     * @throws when the ledger does not respond: it is sent again later
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
     * Returns the sum of all 86 CORD bonuses in the ledger, micro-CORD.
     * @throws when the ledger does not respond
     */
    async bonusesOf(userId: string) {
      const account = await nats.request(friendAccountRpc, { userId });
      return BigInt(account?.bySource.refwelcome ?? 0);
    },
    /**
     * Returns the account of an erased user once nothing can be credited to it any more; null when there is none.
     * @throws Problem 503 when the ledger does not respond, or has not closed the account
     */
    async finalAccountOf(userId: string) {
      for (let looks = 1; ; looks += 1) {
        const account = await nats.request(friendAccountRpc, { userId });
        if (account === null || account.erased) return account && friendAccountOf(account);
        if (looks >= CLOSED_CHECKS_MAX)
          throw unavailable('account-not-closed-yet', 'The ledger has not closed the account yet', 1);
        await sleep(CLOSED_CHECK_MS);
      }
    },
  };
}

/** Earnings from friends in a period. */
export interface Earnings {
  /** The total, micro-CORD. */
  totalMicro: bigint;
  /** The newest entries, and whether these are all. */
  earned: Earning[];
  isWhole: boolean;
}

/** Returns a user's earnings from friends since a time, by the ledger's entries, newest first. @throws Problem 503 */
export async function earningsOf(nats: Pick<Nats, 'request'>, userId: string, sinceMs: number): Promise<Earnings> {
  const reply = await nats.request(earningsRpc, { userId, sources: FRIEND_SOURCES, sinceMs });
  const earned = reply.earnings.map(({ at, amountMicro }) => ({ atMs: at, amountMicro: BigInt(amountMicro) }));
  return { totalMicro: BigInt(reply.totalMicro), earned, isWhole: earned.length < EARNINGS_MAX };
}
