import { compareAndSet, LOST } from '@cord/kit/compare-and-set';
import { BUCKET_LINES_MAX, type BucketHead, headAfter, type Line, moveOf, type Tally } from './domain/sums.js';

/** The steps on buckets: each is one read or one atomic write. */
export interface SumStore {
  /** A bucket with the line of one friend. */
  bucket(referrerId: string, index: number, friendId: string | null): Promise<BucketHead | null>;
  /** Makes a bucket with these lines. @returns whether it was not there before */
  addBucket(
    referrerId: string,
    index: number,
    head: Omit<BucketHead, 'line'>,
    lines: Record<string, Line>,
  ): Promise<boolean>;
  /** Changes one line, if the bucket is still of that version. */
  moveLine(
    referrerId: string,
    index: number,
    friendId: string,
    seq: bigint,
    after: BucketHead & { line: Line },
  ): Promise<boolean>;
  /** What the lines of some friends in a bucket count, micro-CORD; nothing of who has none. */
  countedIn(referrerId: string, index: number, friendIds: readonly string[]): Promise<Map<string, bigint>>;
  /** What a referrer's friends come to. Buckets that grow meanwhile are in it or not: it never exceeds what they hold at its end. */
  tally(referrerId: string): Promise<Tally>;
}

/** Passes up what friends have earned, from the friend's record into a bucket of the referrer. */
export type Sums = ReturnType<typeof createSums>;

/** @param linesMax lines of one bucket, fewer in proofs */
export function createSums(store: SumStore, linesMax = BUCKET_LINES_MAX) {
  return {
    /**
     * Passes a friend's line up. It may be repeated: an older record changes nothing.
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
