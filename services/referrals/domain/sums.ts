import { countsForNobody, type Friend } from './friend.js';

/** What a friend's record passes up into a bucket. */
export interface Line {
  /** Version of the friend's record. */
  seq: bigint;
  /** Micro-CORD. */
  countedMicro: bigint;
  /** Came back after an erasure, or was refused: is no friend. */
  returned: boolean;
}

/** A bucket without its other lines. */
export interface BucketHead {
  seq: bigint;
  /** Lines in it. */
  size: number;
  /** Friends who count: all but those who came back after an erasure. */
  friends: number;
  /** Sum of the lines' counted amounts, micro-CORD. */
  sumMicro: bigint;
  /** The requested line. */
  line: Line | null;
}

/** What a referrer's friends come to: the sum of the heads of the referrer's buckets. */
export type Tally = Pick<BucketHead, 'friends' | 'sumMicro'>;

/** Lines of one bucket at the most: with 61 bytes each it stays under 16 KB (services/contracts/rules/README.md#commission-and-referral-bonuses). */
export const BUCKET_LINES_MAX = 256;

export function lineOf(seq: bigint, friend: Friend): Line {
  return { seq, countedMicro: friend.countedMicro, returned: countsForNobody(friend) };
}

/** What a line changes in its bucket. */
interface LineMove {
  line: Line;
  size: 0 | 1;
  friends: number;
  sumMicro: bigint;
}

/**
 * What a line changes in a bucket, or null for nothing: the bucket has as much, or a newer record has passed it up, or
 * nothing of the friend counts. What counts only rises, so that an equal amount need not note the newer version.
 * @param decided an operator has decided about the friend, which may be taken back: the version is noted, so that an older one comes no more
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

/** The head of a bucket after a move. */
export function headAfter(head: Omit<BucketHead, 'line'>, move: LineMove): BucketHead & { line: Line } {
  return {
    seq: head.seq + 1n,
    size: head.size + move.size,
    friends: head.friends + move.friends,
    sumMicro: head.sumMicro + move.sumMicro,
    line: move.line,
  };
}
