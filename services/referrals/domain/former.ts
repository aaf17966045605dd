import { REFERRER_BONUS_MICRO } from '@cord/contracts/rules/bonuses';
import { countsForNobody, type Friend, withAccount, withBonusCredited, withRelease, withReturned } from './friend.js';
import type { Address } from './network.js';
import { type BucketHead, type Line, lineOf, NO_TALLY, type Tally } from './sums.js';

/** A friend as the release before kept it, in the referrer's bucket. */
export interface FormerFriend extends Omit<Friend, 'heldMicro'> {
  address: Address;
}

/** A bucket of the release before: all of up to 256 friends in one document. */
export interface FormerBucket {
  _id: string;
  seq: bigint;
  referrerId: string;
  friends: Record<string, FormerFriend>;
  sumMicro: bigint;
  /** Version up to which its friends have been taken over, and when; a former release leaves both standing. */
  movedSeq?: bigint;
  movedAtMs?: number;
}

/** Place of a bucket among the referrer's. */
export function indexOf(bucketId: string): number {
  return Number(bucketId.slice(bucketId.indexOf(':') + 1));
}

/** The friend's own record of what a bucket of the release before holds. The address stands there already. */
export function friendFrom({ address: _address, ...friend }: FormerFriend): Friend {
  return friend;
}

/** What a former release, which still ran beside, has told of a friend that was taken over before. */
export function mergedFrom(friend: Friend, former: FormerFriend): Friend {
  const { accountSeq, eligibleMicro, totalMicro, ranMs } = former;
  let next = withAccount(friend, { accountSeq, eligibleMicro, totalMicro, ranMs });
  if (countsForNobody(former)) next = withReturned(next);
  if (former.released) next = withRelease(next);
  if (former.bonus === 'credited') next = withBonusCredited(next);
  return former.gone && !next.gone ? { ...next, gone: former.gone } : next;
}

/** The bucket as this release keeps it: the same sum, to the micro-CORD. Records of friends are always newer than its lines. */
export function bucketFrom(former: FormerBucket): { head: Omit<BucketHead, 'line'>; lines: Record<string, Line> } {
  const counting = Object.entries(former.friends)
    .map(([id, friend]) => [id, lineOf(0n, friend)] as const)
    .filter(([, { returned, countedMicro }]) => !returned || countedMicro > 0n);
  const lines = counting.map(([, line]) => line);
  const head = {
    seq: 1n,
    size: lines.length,
    friends: lines.filter(({ returned }) => !returned).length,
    sumMicro: lines.reduce((sum, { countedMicro }) => sum + countedMicro, 0n),
  };
  return { head, lines: Object.fromEntries(counting) };
}

/** What a former bucket's friends brought in bonuses, micro-CORD. */
export function bonusIn({ friends }: FormerBucket): Tally['bonusMicro'] {
  const credited = Object.values(friends).filter(({ bonus }) => bonus === 'credited');
  return credited.reduce((sum) => sum + REFERRER_BONUS_MICRO, NO_TALLY.bonusMicro);
}
