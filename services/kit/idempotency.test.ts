import { type Connection, mongo } from 'mongoose';
import { expect, test } from 'vitest';
import { IDEMPOTENCY_RUNNING_MS } from './bounds.js';
import { createIdempotency } from './idempotency.js';

const NOON_MS = Date.UTC(2026, 10, 22, 12);
const call = { userId: 'u', route: 'r', key: 'k', input: {} };
type Doc = Record<string, unknown> & { _id: string };

/**
 * A store whose primary has taken writes that the others have not: reads do not show them (store.ts), writes meet them, a failover takes them
 * back. Only `settle` brings the majority up to it.
 */
function partedStore() {
  const at = { local: new Map<string, Doc>(), majority: new Map<string, Doc>() };
  const settle = () => {
    at.majority = structuredClone(at.local);
  };
  const collection = {
    async insertOne(doc: Doc) {
      if (at.local.has(doc._id)) throw new mongo.MongoServerError({ message: 'duplicate', code: 11_000 });
      at.local.set(doc._id, structuredClone(doc));
    },
    findOne: async ({ _id }: Doc) => structuredClone(at.majority.get(_id) ?? null),
    async updateOne({ _id, ...wanted }: Doc, { $set }: { $set: object }) {
      const there = at.local.get(_id);
      const fits = there && Object.entries(wanted).every(([name, value]) => there[name] === value);
      if (fits) at.local.set(_id, { ...there, ...structuredClone($set) });
      return { modifiedCount: fits ? 1 : 0 };
    },
    countDocuments: async () => at.local.size,
    deleteOne: async ({ _id }: Doc) => void at.local.delete(_id),
  };
  return { at, settle, store: { collection: () => collection } as unknown as Connection };
}

test('a response that only one store server has is not replayed; after a failover the call runs once more', async () => {
  const { at, settle, store } = partedStore();
  const clock = { nowMs: NOON_MS };
  const idempotency = createIdempotency(store, { now: () => clock.nowMs });
  let runs = 0;
  const run = async () => ({ status: 200, body: { n: ++runs } });
  const still = { status: 409, type: 'still-running' };

  await idempotency.once(call, run);
  await expect(idempotency.once(call, run)).rejects.toMatchObject(still);
  settle();
  expect(await idempotency.once(call, run)).toMatchObject({ body: { n: 1 }, replayed: true });

  const other = { ...call, key: 'other' };
  await idempotency.once(other, run);
  at.local = structuredClone(at.majority);
  expect(await idempotency.once(other, run)).toMatchObject({ body: { n: 3 } });
});

test('a call whose response is on its way to the majority is not taken for one whose process died', async () => {
  const { settle, store } = partedStore();
  const clock = { nowMs: NOON_MS };
  const idempotency = createIdempotency(store, { now: () => clock.nowMs });
  let runs = 0;
  const run = async () => {
    // Until here the majority has the run, but not its answer.
    settle();
    return { status: 200, body: { n: ++runs } };
  };
  await idempotency.once(call, run);
  clock.nowMs += IDEMPOTENCY_RUNNING_MS + 1;
  await expect(idempotency.once(call, run)).rejects.toMatchObject({ status: 409, type: 'still-running' });
  settle();
  expect(await idempotency.once(call, run)).toMatchObject({ body: { n: 1 }, replayed: true });
});
