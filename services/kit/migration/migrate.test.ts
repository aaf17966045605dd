import { mongo } from 'mongoose';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MIGRATION_LEASE_MS } from '../bounds.js';
import { type Backfill, collection, type DataPlan } from '../collection.js';
import type { Log } from '../log.js';
import { startTestStore } from '../testing/index.js';
import { forAllTests } from '../testing/lifetimes.js';
import { createTestClock } from '../testing/service.js';
import { endImport, HalfImported, IMPORT_AGAIN, markImport } from './half-import.js';
import { migrate } from './migrate.js';
import { awaitMigration, missingMigrations, statesOf } from './state.js';

interface Slip {
  _id: string;
  made: number;
}

interface Purse {
  _id: string;
  seq?: bigint;
  cents: bigint;
  changes?: number;
  owner?: { name?: string };
  schemaVersion?: number;
}

/** Doubling and counting shows each change that comes twice. */
const doubled = (purse: Purse): Purse => ({ ...purse, cents: purse.cents * 2n, changes: (purse.changes ?? 0) + 1 });
const nameless = (purse: Purse): Purse => {
  const { owner, ...rest } = purse;
  return owner ? rest : purse;
};
/** A slip for each purse, counted up when it is made twice. */
const slips: Backfill = {
  name: 'slips',
  async each(db, { _id }, hold) {
    await hold();
    await db.collection<Slip>('slips').updateOne({ _id }, { $setOnInsert: { made: 1 } }, { upsert: true });
  },
};
const plan = (...steps: ((purse: Purse) => Purse)[]): DataPlan => [
  collection({ name: 'empty', indexes: [{ key: { at: 1 } }] }),
  collection<Purse>({
    name: 'purses',
    indexes: [{ key: { cents: 1 } }, { key: { seq: 1, _id: -1 }, sparse: true }],
    steps,
    backfills: [slips],
    gone: ['former_1'],
  }),
];
const BOTH = plan(doubled, nameless);
const PURSES = 5;

class Killed extends Error {}

const backend = forAllTests(() => startTestStore());

const purses = () => backend.store.collection<Purse>('purses');
beforeEach(async () => {
  await backend.store.dropDatabase();
  await purses().createIndex({ former: 1 });
  const some = Array.from({ length: PURSES }, (_, n) => ({ _id: `p${n}`, cents: BigInt(n + 1), owner: { name: 'x' } }));
  await purses().insertMany(some.map((purse, n) => (n % 2 ? { ...purse, seq: 3n } : purse)));
});

/** Dies before its nth write. */
function killedAt(n: number) {
  let left = n;
  return () => {
    if (left === 0) throw new Killed();
    left -= 1;
  };
}

async function expectMigrated(): Promise<void> {
  const stored = await purses().find({}).sort({ _id: 1 }).toArray();
  expect(stored).toEqual(
    stored.map(({ _id, seq }, n) => ({
      ...{ _id, cents: 2n * BigInt(n + 1), changes: 1, schemaVersion: 3 },
      ...(seq === undefined ? {} : { seq: 3n }),
    })),
  );
  expect(stored).toHaveLength(PURSES);
  expect((await purses().indexes()).map(({ name }) => name).sort()).toEqual(['_id_', 'cents_1', 'seq_1__id_-1']);
  expect(await backend.store.collection<Slip>('slips').find({}).sort({ _id: 1 }).toArray()).toEqual(
    stored.map(({ _id }) => ({ _id, made: 1 })),
  );
  expect(await missingMigrations(backend.store, BOTH)).toEqual([]);
  expect(await statesOf(backend.store).findOne({ _id: 'purses' })).not.toHaveProperty('place');
}

describe('a migration', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('creates indexes, upgrades documents, runs backfills, drops what is gone, and then has nothing to do', async () => {
    expect(await migrate(backend.store, BOTH, { batch: 2 })).toBe(PURSES);
    await expectMigrated();
    const wrote: string[] = [];
    expect(await migrate(backend.store, BOTH, { atEach: () => void wrote.push('a write') })).toBe(0);
    expect(wrote).toEqual([]);
  });

  it('killed before each of its writes continues and changes nothing twice', async () => {
    let kills = 0;
    for (let done = false; !done; ) {
      await migrate(backend.store, BOTH, { batch: 1, atEach: killedAt(kills % 3) }).then(
        () => {
          done = true;
        },
        (error: unknown) => {
          expect(error).toBeInstanceOf(Killed);
          kills += 1;
        },
      );
    }
    await expectMigrated();
    expect(kills).toBeGreaterThan(PURSES * 2);
  });

  it('changes nothing twice when two run concurrently', async () => {
    await Promise.all([migrate(backend.store, BOTH, { batch: 1 }), migrate(backend.store, BOTH, { batch: 1 })]);
    await expectMigrated();
  });

  it('keeps its lease during an index build of any length, so another one starts only after it', async () => {
    const clock = createTestClock();
    const { createIndexes } = mongo.Collection.prototype;
    const leases = backend.store.collection<{ _id: string; untilMs: number }>('leases');
    const wrote: string[] = [];
    let second: Promise<number> | undefined;
    const build = vi.spyOn(mongo.Collection.prototype, 'createIndexes').mockImplementation(async function (
      this: object,
      ...args
    ) {
      build.mockRestore();
      second = migrate(backend.store, BOTH, { clock, atEach: () => void wrote.push('the other') });
      for (let passedMs = 0; passedMs < 3 * MIGRATION_LEASE_MS; passedMs += MIGRATION_LEASE_MS * 0.75) {
        await clock.advance(MIGRATION_LEASE_MS * 0.75);
        const held = { _id: 'migration', untilMs: clock.now() + MIGRATION_LEASE_MS };
        await expect.poll(() => leases.findOne(held)).not.toBeNull();
      }
      wrote.push('the index');
      return createIndexes.apply(this as never, args);
    });
    expect(await migrate(backend.store, BOTH, { batch: 2, clock, renewMs: 1 })).toBe(PURSES);
    expect(await second).toBe(0);
    expect(wrote).toEqual(['the index']);
    await expectMigrated();
  });

  it.each([1, 4, 5, 7, 10])('that outsleeps its lease before write %s finds the work done', async (sleepsAt) => {
    const clock = createTestClock();
    let writes = 0;
    const overtaken = async () => {
      writes += 1;
      if (writes !== sleepsAt) return;
      await clock.advance(2 * MIGRATION_LEASE_MS);
      await migrate(backend.store, BOTH, { batch: 1, clock });
    };
    await migrate(backend.store, BOTH, { batch: 1, clock, atEach: overtaken });
    await expectMigrated();
  });

  it('reads a document again when it was written meanwhile, with or without a version', async () => {
    let met = 0;
    const meddle = async () => {
      met += 1;
      // Between the read and the write of a batch of one: what the service wrote stays, and is doubled once.
      const schemaVersion = { $exists: false };
      await purses().updateMany({ seq: 3n, schemaVersion, cents: 2n }, { $set: { cents: 20n, seq: 4n } } as never);
      await purses().updateMany({ _id: 'p2', schemaVersion, cents: 3n }, { $set: { cents: 30n } } as never);
    };
    await purses().createIndex({ cents: 1 });
    await statesOf(backend.store).insertOne({
      _id: 'purses',
      version: 1,
      indexes: ['cents_1', 'seq_1__id_-1'],
      gone: [],
    });
    await migrate(backend.store, [BOTH[1]!], { batch: 10, atEach: () => (met === 0 ? meddle() : undefined) });
    const stored = new Map((await purses().find({}).toArray()).map(({ _id, cents }) => [_id, cents]));
    expect([stored.get('p1'), stored.get('p2'), stored.get('p0')]).toEqual([40n, 60n, 2n]);
  });

  it('restarts at the first document for a later step, and leaves documents of a newer release', async () => {
    await migrate(backend.store, plan(doubled), { batch: 2 });
    await purses().insertOne({ _id: 'p9', cents: 1n, schemaVersion: 7 });
    expect(await backend.store.collection<Slip>('slips').countDocuments()).toBe(PURSES);
    expect(await missingMigrations(backend.store, BOTH)).toEqual(['purses has schema 2, not 3']);
    await migrate(backend.store, BOTH, { batch: 2 });
    expect(await purses().findOne({ _id: 'p9' })).toEqual({ _id: 'p9', cents: 1n, schemaVersion: 7 });
    await purses().deleteOne({ _id: 'p9' });
    await expectMigrated();
  });
});

describe('a service', () => {
  it('waits for missing migrations, logs them, and continues once they are done', async () => {
    const warned: unknown[] = [];
    const log = { warn: (fields: unknown) => warned.push(fields) } as unknown as Log;
    let over = false;
    const waiting = awaitMigration(backend.store, BOTH, { log, signal: new AbortController().signal }).then(() => {
      over = true;
    });
    await expect.poll(() => warned.length).toBe(1);
    expect(warned).toEqual([
      {
        missing: [
          ...['empty lacks index at_1', 'purses lacks index cents_1', 'purses lacks index seq_1__id_-1'],
          ...['purses has schema 1, not 3', 'purses lacks its backfill slips'],
        ],
      },
    ]);
    expect(over).toBe(false);
    await migrate(backend.store, BOTH);
    await waiting;
  });

  it('never works on a partial import, and only the import migrates it', async () => {
    await migrate(backend.store, BOTH);
    await markImport(backend.store, 'backup.tar', 1);
    await expect(migrate(backend.store, BOTH)).rejects.toThrow(HalfImported);
    const warned: unknown[] = [];
    const log = { warn: (fields: unknown) => warned.push(fields) } as unknown as Log;
    const waiting = awaitMigration(backend.store, BOTH, { log, signal: new AbortController().signal });
    await expect.poll(() => warned).toEqual([{ missing: [IMPORT_AGAIN] }]);
    expect(await migrate(backend.store, BOTH, { importing: true })).toBe(0);
    await endImport(backend.store);
    await waiting;
  });
});
