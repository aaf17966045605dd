import { describe, expect, test } from 'vitest';
import { recompute, wrongs } from './recompute.mjs';

const user = 'a'.repeat(32);

function entry(seq: bigint, amountMicro: bigint, balanceMicro: bigint, source = 'task') {
  return { _id: `${source}:${user}:${seq}`, userId: user, seq, source, amountMicro, balanceMicro };
}

function account(balanceMicro: bigint, bySource: Record<string, bigint>, open = 0n, outbox: unknown[] = [], seq = 9n) {
  return { _id: user, seq, balanceMicro, totals: { bySource }, open: { amountMicro: open }, outbox };
}

const waiting = (one: ReturnType<typeof entry>) => ({
  kind: 'entry',
  key: one._id,
  seq: one.seq,
  entry: { ...one, key: one._id },
});

describe('an account adds up', () => {
  test('of entries, what waits in the outbox, and what is open', () => {
    const written = [entry(2n, 5n, 5n), entry(4n, 7n, 12n, 'mining')];
    const outbox = [waiting(entry(4n, 7n, 12n, 'mining')), waiting(entry(6n, 1n, 13n))];
    expect(wrongs(account(16n, { task: 6n, mining: 10n }, 3n, outbox), written)).toEqual([]);
  });

  test('with commission that stands open beside mining', () => {
    const written = [entry(2n, 5n, 5n), entry(4n, 7n, 12n, 'commission')];
    const openCommission = { sinceMs: 1, amountMicro: 2n };
    const own = { ...account(17n, { task: 5n, commission: 9n, mining: 3n }, 3n), openCommission };
    expect(wrongs(own, written)).toEqual([]);
  });

  test('whatever was written after it was read', () => {
    expect(wrongs(account(5n, { task: 5n }), [entry(2n, 5n, 5n), entry(10n, 99n, 104n)])).toEqual([]);
  });
});

describe('it is told when', () => {
  test('a micro is missing', () => {
    expect(wrongs(account(6n, { task: 5n }), [entry(2n, 5n, 5n)])).toEqual([
      { what: 'balance 6, entries and open make 5', driftMicro: 1n },
    ]);
  });
  test('an entry was lost', () => {
    const drift = wrongs(account(12n, { task: 12n }), [entry(4n, 7n, 12n)]).map(({ driftMicro }) => driftMicro);
    expect(drift).toEqual([5n, 5n, 5n]);
  });
  test('a credit stands twice', () => {
    expect(wrongs(account(5n, { task: 5n }), [entry(2n, 5n, 5n), entry(3n, 5n, 5n)]).length).toBeGreaterThan(0);
  });
  test('a total disagrees', () => {
    expect(wrongs(account(5n, { task: 4n }), [entry(2n, 5n, 5n)])).toMatchObject([{ driftMicro: 1n }]);
  });
});

test('an account that changes while it is summed is read again, and only lasting drift counts', async () => {
  const readings = [account(5n, { task: 5n }), account(6n, { task: 6n }), account(5n, { task: 5n })];
  let read = 0;
  const next = () => readings[Math.min(read++, 2)];
  const cursor = (list: unknown[]) => ({
    sort: () => cursor(list),
    limit: () => cursor(list),
    toArray: async () => list,
    async *[Symbol.asyncIterator]() {
      yield* list;
    },
  });
  let pages = 0;
  const db = {
    collection: (name: string) => ({
      find: () =>
        name === 'accounts' ? cursor(pages++ === 0 ? [{ ...readings[1] }] : []) : cursor([entry(2n, 5n, 5n)]),
      findOne: async () => next(),
    }),
  };
  const said: string[] = [];
  const result = await recompute(db as never, (line: string) => said.push(line));
  expect(result).toEqual({ accounts: 1, entries: 1, driftMicro: 0n });
  expect(said).toEqual([]);
});
