import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { int } from '../bson/values.js';
import type { Collection } from '../engine/collection.js';
import { Database } from '../engine/database.js';
import { Store } from '../engine/store.js';
import { ERROR_CODES, MongoError } from '../errors.js';
import { execute } from '../plan/execute.js';
import { parseFilter } from '../query/parse.js';

let folder: string;
let store: Store;
let database: Database;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'embedded-mongo-flight-'));
  store = await Store.open(folder);
  database = await Database.load(store);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

const DOCUMENTS = 3;
const document = (n: number) =>
  new Map([
    ['_id', int(n)],
    ['a', int(7)],
  ]);

async function filled(): Promise<Collection> {
  return store.write(() => {
    const collection = database.create('flight.things');
    for (let n = 0; n < DOCUMENTS; n++) collection.insert(document(n));
    return collection;
  });
}

/** Runs a task, and `look` after it while its commit is on its way. */
async function inFlight<T>(task: () => unknown, look: () => Promise<T>): Promise<T> {
  let looked: Promise<T> | undefined;
  await store.write(() => {
    task();
    queueMicrotask(() => {
      looked = look();
    });
  });
  return (await looked) as T;
}

async function countBy(collection: Collection, hint: string | undefined): Promise<number> {
  const run = { store, limitMs: undefined, onFullScan: () => undefined };
  const filter = parseFilter(new Map([['a', int(7)]]));
  let count = 0;
  for await (const chunk of execute(run, collection, { filter, sort: [], skip: 0, limit: 0, hint }))
    count += chunk.length;
  return count;
}

describe('while a commit is in flight', () => {
  it('the first count includes the pending writes, and later counts the later ones', async () => {
    const collection = await filled();
    const insert = (n: number) => () => collection.insert(document(n));
    expect(await inFlight(insert(DOCUMENTS), () => collection.count())).toBe(DOCUMENTS + 1);
    await store.write(insert(DOCUMENTS + 1));
    expect(await collection.count()).toBe(DOCUMENTS + 2);
  });

  it('the first count succeeds even if that commit runs out of space', async () => {
    const collection = await filled();
    const full = new MongoError(ERROR_CODES.OutOfDiskSpace, 'no room');
    const counted = inFlight(
      () => undefined,
      () => {
        vi.spyOn(store, 'write').mockRejectedValueOnce(full);
        return collection.count();
      },
    );
    expect(await counted).toBe(DOCUMENTS);
  });

  it('no read uses an index whose last entries are pending', async () => {
    const collection = await filled();
    const seen: Promise<number>[] = [];
    const { write } = store;
    vi.spyOn(store, 'write').mockImplementation(
      (task, kind) =>
        write.call(
          store,
          () => {
            const result = task();
            queueMicrotask(() => seen.push(countBy(collection, undefined)));
            return result;
          },
          kind,
        ) as never,
    );
    const spec = { key: new Map([['a', int(1)]]), name: 'a_1', unique: false, sparse: false };
    await database.createIndexes(collection.namespace, [
      { ...spec, partialFilter: undefined, expireAfterSeconds: undefined },
    ]);
    expect(seen.length).toBeGreaterThan(1);
    expect(new Set(await Promise.all(seen))).toEqual(new Set([DOCUMENTS]));
    expect(await countBy(collection, 'a_1')).toBe(DOCUMENTS);
  });
});
