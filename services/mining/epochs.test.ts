import { epochsRpc } from '@cord/contracts/rpc/ledger';
import { EPOCHS_AHEAD_MS } from '@cord/contracts/rules/epochs';
import { FIRST_BOOK, type RuleBook } from '@cord/contracts/rules/rule-book';
import { CLOCK_OFF_MS_MAX, RULES_AGE_MS_MAX } from '@cord/kit/bounds';
import { startTestStore } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { beforeEach, describe, expect, test } from 'vitest';
import { data } from './data.js';
import { serveEpochs, storeEpochs } from './epochs.js';
import { LEDGER_BOUNDS } from './ledger/bounds.js';
import { epochAt } from './ledger/epochs.js';
import { createEpochsInUse } from './ledger/epochs-in-use.js';
import { EPOCHS } from './store/collections.js';
import { createReads } from './store/reads.js';

const NOON_MS = Date.UTC(2026, 10, 21, 12);
const FAR_MS = NOON_MS + 3_600_000;

const backend = forAllTests(() => startTestStore({ data }));
beforeEach(async () => {
  await EPOCHS.in(backend.store).deleteMany({});
});

const alpha = { id: 'alpha', name: 'Alpha', multiplierHundredths: 100, startAt: 0, endAt: FAR_MS };
const beta = { id: 'beta', name: 'Beta', multiplierHundredths: 150, startAt: FAR_MS, endAt: FAR_MS * 2 };

const alphaRow = { ...alpha, description: '' };
/** The largest numbers of a book. */
const MOST = {
  baseNano: 10_000_000_000,
  badgeHundredths: 200,
  checkinMicro: 150_000_000,
  streakStepMicro: 150_000_000,
  streakMostMicro: 150_000_000,
  taskMostMicro: 10_000_000_000,
};

/** A replica whose clock stands at a time. */
function replica(nowMs: number) {
  const reads = createReads(backend.store);
  return {
    reads,
    take: async (version: bigint, ...epochs: (typeof alpha)[]) =>
      (await storeEpochs(reads, () => nowMs, { version, epochs })).outcome,
    takeBooks: async (version: bigint, ...books: RuleBook[]) =>
      (await storeEpochs(reads, () => nowMs, { version, epochs: [alpha], books })).outcome,
  };
}
const stored = async () => (await replica(0).reads.epochs())?.epochs.map(({ id }) => id);

/** A replica as it answers rewards. @returns hands a table to it, and what it pays by at a time */
function serving(nowMs: number) {
  const [epochs, { reads }] = [createEpochsInUse(), replica(nowMs)];
  let answer: (request: object) => Promise<unknown> = async () => undefined;
  const serve = ({ subject }: { subject: string }, handler: typeof answer) => {
    if (subject === epochsRpc.subject) answer = handler;
    return { stop: async () => undefined };
  };
  serveEpochs({ serve } as never, { reads, epochs, fresh: {} as never, now: () => nowMs });
  return {
    hand: (version: string, ...rows: (typeof alpha)[]) => answer({ version, epochs: rows }),
    paysBy: (atMs: number) => epochAt(epochs.table(), atMs).id,
  };
}

describe('a table of epochs', () => {
  test('is stored as the first one although it is already in force; a later one is stored only in time', async () => {
    expect(await replica(NOON_MS).take(1n, alpha)).toBe('stored');
    expect(await replica(FAR_MS - EPOCHS_AHEAD_MS).take(2n, alpha, beta)).toBe('stored');
    expect(await replica(FAR_MS - EPOCHS_AHEAD_MS + 1).take(3n, alpha)).toBe('late');
    expect(await stored()).toEqual(['alpha', 'beta']);
  });

  test('is in use on all replicas when it takes effect, despite clock skew, a stale read and a six-second write', () => {
    const storedMs = FAR_MS - EPOCHS_AHEAD_MS + CLOCK_OFF_MS_MAX + 6_000;
    const lastByFormerMs = storedMs + LEDGER_BOUNDS.epochsAgeMs;
    expect(lastByFormerMs + CLOCK_OFF_MS_MAX).toBeLessThanOrEqual(FAR_MS);
  });

  test('with a new book is stored only while services can still replace a cached response before the book begins', async () => {
    const next = { ...FIRST_BOOK, version: 2, fromMs: FAR_MS, baseNano: 600_000_000 };
    const lastMs = FAR_MS - RULES_AGE_MS_MAX - EPOCHS_AHEAD_MS;
    expect(await replica(NOON_MS).takeBooks(1n, FIRST_BOOK)).toBe('stored');
    expect(await replica(lastMs + 1).takeBooks(2n, FIRST_BOOK, next)).toBe('late');
    expect(await replica(lastMs).takeBooks(3n, FIRST_BOOK, next)).toBe('stored');
    // An epoch beside it is in no answer that others pay by.
    const ends = { ...alpha, endAt: FAR_MS + EPOCHS_AHEAD_MS };
    expect(await replica(FAR_MS).take(4n, ends)).toBe('late');
    expect(await replica(FAR_MS - EPOCHS_AHEAD_MS).take(5n, ends)).toBe('stored');
  });

  test('with a book beyond the limits of operators is rejected, whoever sends it', () => {
    const offered = (book: object) =>
      epochsRpc.request.safeParse({ version: '2', epochs: [alphaRow], books: [{ ...FIRST_BOOK, ...book }] }).success;
    expect(offered({})).toBe(true);
    for (const [number, most] of Object.entries(MOST)) {
      expect([number, offered({ [number]: most })]).toEqual([number, true]);
      expect([number, offered({ [number]: most + 1 })]).toEqual([number, false]);
    }
    const tiers = (hundredths: number) => ({ tiers: [{ fromYears: 0, hundredths }] });
    expect([offered(tiers(10_000)), offered(tiers(10_001))]).toEqual([true, false]);
  });

  test('is decided once, whichever replica is called again and whatever its clock', async () => {
    const [early, late] = [replica(NOON_MS), replica(FAR_MS)];
    await early.take(1n, alpha);
    expect(await late.take(2n, alpha, beta)).toBe('late');
    expect(await early.take(2n, alpha, beta)).toBe('late');
    expect(await stored()).toEqual(['alpha']);
    // The one that takes it back pays as before, and is never late.
    expect(await late.take(3n, alpha)).toBe('stored');
    expect(await early.take(4n, alpha, beta)).toBe('stored');
    expect(await late.take(4n, alpha, beta)).toBe('stored');
    expect(await late.take(2n)).toBe('stored');
    expect(await stored()).toEqual(['alpha', 'beta']);
  });

  test('that was refused is used nowhere, even when it arrives after the table that reverted it', async () => {
    const [first, slow] = [serving(FAR_MS), serving(FAR_MS)];
    for (const { hand } of [first, slow]) await hand('1', alpha);
    const table = { epochs: [alpha], books: [FIRST_BOOK] };
    expect(await first.hand('2', alpha, beta)).toEqual({ outcome: 'late', version: '2', table });
    expect(await first.hand('3', alpha)).toEqual({ outcome: 'stored', version: '3' });
    await slow.hand('2', alpha, beta);
    expect([slow.paysBy(NOON_MS), slow.paysBy(FAR_MS)]).toEqual(['alpha', null]);
  });

  test('with a version above the current time in ms gets 422, and later versions are still accepted', async () => {
    const { take } = replica(NOON_MS);
    await take(1n, alpha);
    for (const far of [2n ** 62n, BigInt(NOON_MS) + 1n]) {
      await expect(take(far, alpha, beta)).rejects.toMatchObject({ status: 422, type: 'version-too-far' });
    }
    await expect(replica(FAR_MS).take(BigInt(FAR_MS) + 1n, alpha, beta)).rejects.toMatchObject({ status: 422 });
    expect(await take(2n, alpha, beta)).toBe('stored');
    expect(await take(BigInt(NOON_MS), alpha, beta)).toBe('stored');
  });

  test('gets a response with the highest version decided, stored or refused, so that its owner can exceed it', async () => {
    const { hand } = serving(NOON_MS);
    await hand('1', alpha);
    expect(await serving(FAR_MS).hand('9', alpha, beta)).toMatchObject({ outcome: 'late', version: '9' });
    expect(await hand('2', alpha)).toMatchObject({ version: '9' });
    expect(await hand('12', alpha, beta)).toEqual({ outcome: 'stored', version: '12' });
    expect(await hand('11', alpha)).toEqual({ outcome: 'stored', version: '12' });
  });

  test('is refused as late when its version is already stored with other content', async () => {
    const { take } = replica(NOON_MS);
    await take(1n, alpha);
    expect([await take(2n, alpha, beta), await take(2n, alpha, beta), await take(2n, alpha)]).toEqual([
      'stored',
      'stored',
      'late',
    ]);
  });

  test('with overlapping epochs, a repeated epoch id or books out of order is rejected', () => {
    const isTaken = (epochs: object[], books: object[] = [FIRST_BOOK]) =>
      epochsRpc.request.safeParse({ version: '2', epochs, books }).success;
    const row = (id: string, startAt: number, endAt: number) => ({ ...alphaRow, id, startAt, endAt });
    expect(isTaken([row('b', 5, 9), row('a', 0, 5)])).toBe(true);
    expect(isTaken([row('a', 0, 9), row('b', 5, 9)])).toBe(false);
    expect(isTaken([row('a', 0, 5), row('a', 5, 9)])).toBe(false);
    const books = [FIRST_BOOK, { ...FIRST_BOOK, fromMs: 5 }];
    expect([isTaken([], books), isTaken([], books.toReversed())]).toEqual([true, false]);
  });

  test('is decided once by replicas that decide concurrently', async () => {
    await replica(NOON_MS).take(1n, alpha);
    const both = [replica(NOON_MS), replica(FAR_MS), replica(NOON_MS), replica(FAR_MS)];
    const answers = await Promise.all(both.map(({ take }) => take(2n, alpha, beta)));
    expect(new Set(answers).size).toBe(1);
    expect(await stored()).toEqual(answers[0] === 'stored' ? ['alpha', 'beta'] : ['alpha']);
  });
});
