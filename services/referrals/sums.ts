import { compareAndSet, LOST } from '@cord/kit/compare-and-set';
import {
  BUCKET_LINES_MAX,
  type BucketHead,
  type Entry,
  headAfter,
  type Line,
  moveOf,
  type Tally,
} from './domain/sums.js';

/** The steps on buckets and totals: each is one read or one atomic write. */
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
  /** What the referrer's totals know of a bucket. */
  entry(referrerId: string, index: number): Promise<Entry | null>;
  /** Overwrites that whole, and moves the totals by the difference, if it is still what was read. */
  moveEntry(referrerId: string, index: number, before: Entry | null, after: Entry): Promise<boolean>;
  /** What a referrer's friends come to. */
  totals(referrerId: string): Promise<Tally>;
  /** Takes over what the ledger says came in bonuses; it only rises. */
  raiseBonus(referrerId: string, bonusMicro: bigint): Promise<void>;
}

/** Passes up what friends have earned: from the friend's record into a bucket, from there into the referrer's totals. */
export interface Sums {
  /**
   * Passes a friend's line up. It may be repeated: an older record changes nothing, and the present sum goes up again.
   * @returns `full` when the bucket has neither the line nor room for it; `added` when the line is new
   */
  pass(referrerId: string, index: number, friendId: string, line: Line): Promise<'added' | 'passed' | 'full'>;
}

/** @param linesMax lines of one bucket, fewer in proofs */
export function createSums(store: SumStore, linesMax = BUCKET_LINES_MAX): Sums {
  /** Overwrites the entry of the bucket, guarded by the bucket's seq. */
  const passHead = (referrerId: string, index: number, { seq, friends, sumMicro }: Entry): Promise<void> =>
    compareAndSet(async () => {
      const before = await store.entry(referrerId, index);
      if (before && before.seq >= seq) return;
      if (!(await store.moveEntry(referrerId, index, before, { seq, friends, sumMicro }))) return LOST;
    });
  return {
    pass: (referrerId, index, friendId, line) =>
      compareAndSet<'added' | 'passed' | 'full'>(async () => {
        const head = await store.bucket(referrerId, index, friendId);
        const move = moveOf(head ?? { line: null }, line);
        if (!move) {
          if (head) await passHead(referrerId, index, head);
          return 'passed';
        }
        if (head && move.size > 0 && head.size >= linesMax) return 'full';
        const after = headAfter(head ?? EMPTY, move);
        const written = head
          ? await store.moveLine(referrerId, index, friendId, head.seq, after)
          : await store.addBucket(referrerId, index, after, { [friendId]: line });
        if (!written) return LOST;
        await passHead(referrerId, index, after);
        return move.size > 0 ? 'added' : 'passed';
      }),
  };
}

const EMPTY = { seq: 0n, size: 0, friends: 0, sumMicro: 0n };
