import { type Friend, isExcluded } from './friend.js';

/** The line of a friend in a bucket, copied from the friend's record. */
export interface Line {
  /** Version of the friend's record. */
  seq: bigint;
  /** Micro-CORD. */
  countedMicro: bigint;
  /** Whether the friend counts for nobody: returned after an erasure, or refused. */
  returned: boolean;
}

/** The totals of a bucket, with at most one of its lines. */
export interface BucketHead {
  seq: bigint;
  /** Number of lines. */
  size: number;
  /** Number of friends who count: all except those with `returned`. */
  friends: number;
  /** Sum of the lines' counted amounts, micro-CORD. */
  sumMicro: bigint;
  /** The requested line. */
  line: Line | null;
}

/** Totals over all buckets of a referrer. */
export type Tally = Pick<BucketHead, 'friends' | 'sumMicro'>;

/** Maximum number of lines in a bucket: with 61 bytes each it stays under 16 KB (services/contracts/rules/README.md#commission-and-referral-bonuses). */
export const BUCKET_LINES_MAX = 256;

export function lineOf(seq: bigint, friend: Friend): Line {
  return { seq, countedMicro: friend.countedMicro, returned: isExcluded(friend) };
}

/** The change of a bucket by a line. */
interface LineMove {
  line: Line;
  size: 0 | 1;
  friends: number;
  sumMicro: bigint;
}

/**
 * Returns the change of a bucket by a line; null for none: the bucket has the same amount, a newer record was copied, or nothing of
 * the friend counts. Amounts only increase, so an equal amount need not store the newer version.
 * @param decided an operator decided about the friend, which may be reverted: the version is stored, so that an older one is ignored
 */
export function moveOf({ line: known }: Pick<BucketHead, 'line'>, line: Line, decided = false): LineMove | null {
  if (!known) {
    if (line.returned && line.countedMicro === 0n) return null;
    return { line, size: 1, friends: line.returned ? 0 : 1, sumMicro: line.countedMicro };
  }
  const same = known.countedMicro === line.countedMicro && known.returned === line.returned;
  if ((same && !decided) || line.seq <= known.seq) return null;
  const friends = Number(known.returned) - Number(line.returned);
  return { line, size: 0, friends, sumMicro: line.countedMicro - known.countedMicro };
}

/** Returns the totals of a bucket after a change. */
export function headAfter(head: Omit<BucketHead, 'line'>, move: LineMove): BucketHead & { line: Line } {
  return {
    seq: head.seq + 1n,
    size: head.size + move.size,
    friends: head.friends + move.friends,
    sumMicro: head.sumMicro + move.sumMicro,
    line: move.line,
  };
}
