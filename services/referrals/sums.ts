import { compareAndSet, LOST } from '@cord/kit/compare-and-set';
import { BUCKET_LINES_MAX, type BucketHead, headAfter, type Line, moveOf, type Tally } from './domain/sums.js';

/** Operations on buckets: each is one read or one atomic write. */
export interface SumStore {
  /** Returns the totals of a bucket with one friend's line. */
  bucket(referrerId: string, index: number, friendId: string | null): Promise<BucketHead | null>;
  /** Creates a bucket with these lines. @returns whether it was new */
  addBucket(
    referrerId: string,
    index: number,
    head: Omit<BucketHead, 'line'>,
    lines: Record<string, Line>,
  ): Promise<boolean>;
  /** Changes one line if the bucket still has that version. */
  moveLine(
    referrerId: string,
    index: number,
    friendId: string,
    seq: bigint,
    after: BucketHead & { line: Line },
  ): Promise<boolean>;
  /** Returns the counted amounts of some friends' lines, micro-CORD; friends without a line are omitted. */
  countedIn(referrerId: string, index: number, friendIds: readonly string[]): Promise<Map<string, bigint>>;
  /** Returns a referrer's totals. Concurrent changes may be missing: the result never exceeds the totals at its end. */
  tally(referrerId: string): Promise<Tally>;
}

/** Copies friends' earnings from their records to the referrer's buckets. */
export type Sums = ReturnType<typeof createSums>;

/** @param linesMax lines per bucket, fewer in proofs */
export function createSums(store: SumStore, linesMax = BUCKET_LINES_MAX) {
  return {
    /**
     * Copies a friend's line to a bucket. Repeatable: an older record changes nothing.
     * @returns `full` when the bucket has neither the line nor room for it; `added` when the line is new
     */
    pass: (referrerId: string, index: number, friendId: string, line: Line, decided = false) =>
      compareAndSet<'added' | 'passed' | 'full'>(async () => {
        const head = await store.bucket(referrerId, index, friendId);
        const move = moveOf(head ?? { line: null }, line, decided);
        if (!move) return 'passed';
        if (head && move.size > 0 && head.size >= linesMax) return 'full';
        const after = headAfter(head ?? EMPTY, move);
        const written = head
          ? await store.moveLine(referrerId, index, friendId, head.seq, after)
          : await store.addBucket(referrerId, index, after, { [friendId]: line });
        if (!written) return LOST;
        return move.size > 0 ? 'added' : 'passed';
      }),
  };
}

const EMPTY = { seq: 0n, size: 0, friends: 0, sumMicro: 0n };
