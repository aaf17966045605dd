import { beforeAll, describe, expect, it } from 'vitest';
import { createLimitHash } from './address.js';
import { CLOCK_OFF_MS_MAX, IDEMPOTENCY_ANSWER_BYTES_MAX } from './bounds.js';
import { collection } from './collection.js';
import { type Answer, createIdempotency, type Idempotency, onceId } from './idempotency.js';
import { createLeases } from './lease.js';
import { createLogger } from './log.js';
import { migrate } from './migration/migrate.js';
import { withKit } from './migration/plan.js';
import { Problem, refused } from './problem.js';
import { createRateLimits } from './rate-limit.js';
import { connectStore, isStoreUp } from './store.js';
import { isDuplicateKey, isStoreUnavailable } from './store-errors.js';
import { createTestClock, randomId, startStoreServer, startTestStore } from './testing/index.js';
import { forAllTests } from './testing/lifetimes.js';

const log = createLogger('test', 'silent');
const backend = forAllTests(() => startTestStore());

describe('the store', () => {
  it('keeps 64-bit integers exact', async () => {
    const accounts = collection<{ _id: string; balance: bigint }>({ name: 'accounts' }).in(backend.store);
    const balance = 9_007_199_254_740_993n;
    await accounts.insertOne({ _id: 'a', balance });
    await accounts.updateOne({ _id: 'a' }, { $inc: { balance: 1n } });
    expect((await accounts.findOne({ _id: 'a' }))?.balance).toBe(balance + 1n);
    await accounts.updateOne({ _id: 'a' }, { $set: { balance: 5n } });
    expect((await accounts.findOne({ _id: 'a' }))?.balance).toBe(5n);
    expect((await accounts.findOne({ balance: 5n }))?._id).toBe('a');
  });

  it('creates indexes only in a migration, and a unique one then rejects a duplicate', async () => {
    const CODES = collection<{ _id: string; code: string }>({
      name: 'codes',
      indexes: [{ key: { code: 1 }, unique: true }],
    });
    const codes = CODES.in(backend.store);
    await codes.insertOne({ _id: '0', code: 'ABC' });
    await codes.insertOne({ _id: '1', code: 'ABC' });
    await codes.deleteOne({ _id: '0' });
    await migrate(backend.store, [CODES]);
    const err = await codes.insertOne({ _id: '2', code: 'ABC' }).catch((caught: unknown) => caught);
    expect(isDuplicateKey(err)).toBe(true);
    expect(isStoreUnavailable(err)).toBe(false);
  });

  it('uses majority read concern for every kind of read, so a failover reverts nothing that was seen', async () => {
    const own = await connectStore(backend.mongodbUri, backend.dbName('kit'), log, undefined, {
      monitorCommands: true,
    });
    try {
      const sent: Record<string, unknown>[] = [];
      own.getClient().on('commandStarted', ({ command }) => sent.push(command));
      const things = own.collection('things');
      await things.findOne({});
      await things.find().sort({ _id: 1 }).limit(2).toArray();
      await things.countDocuments({});
      await things.distinct('_id');
      await things.aggregate([{ $match: {} }]).toArray();
      const reads = sent.filter(({ find, aggregate, distinct }) => find ?? aggregate ?? distinct);
      expect(reads).toHaveLength(5);
      for (const { readConcern } of reads) expect(readConcern).toMatchObject({ level: 'majority' });
    } finally {
      await own.close();
    }
  });

  it('is logged as away when it is lost, and not when its process leaves it', async () => {
    const lines: string[] = [];
    const logged = createLogger('test', 'warn', { write: (line: string) => void lines.push(line) });
    const server = await startStoreServer();
    const [left, lost] = [
      await connectStore(server.uri, 'left', logged),
      await connectStore(server.uri, 'lost', logged),
    ];
    try {
      await left.close();
      expect(lines).toEqual([]);
      await server.kill();
      await expect.poll(() => lines.join()).toContain('the store is unreachable');
    } finally {
      await lost.close();
      await server.stop();
    }
    expect(lines.filter((line) => line.includes('is unreachable'))).toHaveLength(1);
  });

  it('fails an operation within its bound while it is lost, and works again when it is back', async () => {
    const server = await startStoreServer();
    const own = await connectStore(server.uri, 'lost', log, undefined, { serverSelectionTimeoutMS: 1_000 });
    try {
      await own.collection<{ _id: string }>('things').insertOne({ _id: 'kept' });
      expect(await isStoreUp(own)).toBe(true);
      await server.kill();
      const err = await own
        .collection('things')
        .findOne({})
        .catch((caught: unknown) => caught);
      expect(isStoreUnavailable(err)).toBe(true);
      expect(await isStoreUp(own)).toBe(false);
      await server.restart();
      await expect.poll(() => isStoreUp(own)).toBe(true);
      expect(await own.collection('things').findOne({})).toEqual({ _id: 'kept' });
    } finally {
      await own.close();
      await server.stop();
    }
  });

  it('is awaited while it is not there yet, until the wait is aborted', async () => {
    const stop = new AbortController();
    const options = { serverSelectionTimeoutMS: 100 };
    const waiting = connectStore('mongodb://127.0.0.1:1/', 'x', log, stop.signal, options);
    setTimeout(() => stop.abort(new Error('enough')), 300);
    await expect(waiting).rejects.toThrow(/enough|aborted/);
  });
});

describe('a lease', () => {
  it('has one holder at a time, until it ends or is released', async () => {
    const clock = createTestClock();
    const [one, two] = [createLeases(backend.store, clock), createLeases(backend.store, clock)];
    const name = randomId();
    const held = await one.acquire(name, 1_000);
    expect(held).not.toBeNull();
    expect([one.held(), two.held()]).toEqual([[name], []]);
    expect(await two.acquire(name, 1_000)).toBeNull();
    expect(await one.acquire(name, 2_000)).not.toBeNull();
    await clock.advance(1_999);
    expect(await two.acquire(name, 1_000)).toBeNull();
    await clock.advance(1);
    const taken = await two.acquire(name, 1_000);
    expect(taken).not.toBeNull();
    await held?.release();
    expect(await one.acquire(name, 1_000)).toBeNull();
    await taken?.release();
    expect(await one.acquire(name, 1_000)).not.toBeNull();
  });

  it('returns to a killed replica as soon as that is back', async () => {
    const clock = createTestClock();
    const name = randomId();
    expect(await createLeases(backend.store, clock, 'tasks-1').acquire(name, 60_000)).not.toBeNull();
    expect(await createLeases(backend.store, clock, 'tasks-0').acquire(name, 60_000)).toBeNull();
    expect(await createLeases(backend.store, clock, 'tasks-1').acquire(name, 60_000)).not.toBeNull();
  });

  it('goes to one of thirty concurrent requests', async () => {
    const clock = createTestClock();
    const name = randomId();
    const wants = Array.from({ length: 30 }, () => createLeases(backend.store, clock).acquire(name, 1_000));
    expect((await Promise.all(wants)).filter((lease) => lease !== null)).toHaveLength(1);
  });
});

describe('a limit counted in the store', () => {
  it('applies across replicas, and ends with its window', async () => {
    const clock = createTestClock(1_790_000_040_000);
    const refused: string[] = [];
    const onRefused = (rateClass: string) => void refused.push(rateClass);
    const replicas = [1, 2].map(() => createRateLimits({ scale: 1, clock, store: backend.store, onRefused }));
    const userId = randomId();
    for (let n = 0; n < 10; n++) await replicas[n % 2]?.take('guess', { userId }, 'r');
    const refusal = await replicas[0]?.take('guess', { userId }, 'r').catch((err: unknown) => err);
    expect(refusal).toMatchObject({ status: 429, headers: { 'Retry-After': expect.stringMatching(/^\d+$/) } });
    expect(refused).toEqual(['guess']);
    await expect(replicas[1]?.take('guess', { userId: randomId() }, 'r')).resolves.toBeUndefined();
    await clock.advance(60_000);
    await expect(replicas[0]?.take('guess', { userId }, 'r')).resolves.toBeUndefined();
  });

  it('can be scaled, and 0 switches it off', async () => {
    const clock = createTestClock();
    const userId = randomId();
    const half = createRateLimits({ scale: 0.1, clock, store: backend.store });
    await half.take('guess', { userId }, 'r');
    await expect(half.take('guess', { userId }, 'r')).rejects.toMatchObject({ status: 429 });
    const off = createRateLimits({ scale: 0, clock, store: backend.store });
    for (let n = 0; n < 100; n++) await off.take('guess', { userId }, 'r');
  });

  it('stores an address only as a keyed hash, equal in every replica, and without a key not at all', async () => {
    const clock = createTestClock(1_790_000_040_000);
    const address = '203.0.113.77';
    const budget = randomId();
    const windows = async () => {
      const all = await backend.store.collection('rate_windows').find().toArray();
      return all.filter(({ _id }) => String(_id).includes(budget));
    };
    const without = createRateLimits({ scale: 1, clock, store: backend.store });
    for (let n = 0; n < 10; n++) await without.take('guess', { address }, budget);
    await expect(without.take('guess', { address }, budget)).rejects.toMatchObject({ status: 429 });
    expect(await windows()).toEqual([]);
    const addressHash = createLimitHash('the address hash key of this test, long enough');
    const replicas = [1, 2].map(() => createRateLimits({ scale: 1, clock, store: backend.store, addressHash }));
    for (let n = 0; n < 10; n++) await replicas[n % 2]?.take('guess', { address }, budget);
    await expect(replicas[0]?.take('guess', { address }, budget)).rejects.toMatchObject({ status: 429 });
    const stored = await windows();
    expect(stored.map(({ calls }) => calls)).toEqual([11]);
    expect(JSON.stringify(stored)).not.toContain(address);
  });
});

describe('an idempotency key', () => {
  const clock = createTestClock();
  let idempotency: Idempotency;
  let runs: number;
  beforeAll(async () => {
    await migrate(backend.store, withKit([]));
    idempotency = createIdempotency(backend.store, clock);
  });
  const once = (key: string, input: unknown, run: () => Promise<{ status: number; body: unknown }>, userId = 'u1') =>
    idempotency.once({ userId, route: 'r', key, input }, run);
  const counting = async () => {
    runs += 1;
    return { status: 200, body: { n: runs } };
  };

  it('with the same input returns the same response and runs once', async () => {
    runs = 0;
    const key = randomId();
    const first = await once(key, { a: 1, b: 2 }, counting);
    const second = await once(key, { b: 2, a: 1 }, counting);
    expect([first.body, second.body, second.replayed, runs]).toEqual([{ n: 1 }, { n: 1 }, true, 1]);
  });

  it('gets 422 with another input, and is separate for each user', async () => {
    runs = 0;
    const key = randomId();
    await once(key, { a: 1 }, counting);
    await expect(once(key, { a: 2 }, counting)).rejects.toMatchObject({ status: 422, type: 'idempotency-key-reused' });
    expect((await once(key, { a: 2 }, counting, 'u2')).replayed).toBeUndefined();
    expect(runs).toBe(2);
  });

  it('gets 409 while the first call still runs, so exactly one of many concurrent calls runs', async () => {
    runs = 0;
    const key = randomId();
    const slow = async () => {
      await new Promise((resolve) => setTimeout(resolve, 100));
      return counting();
    };
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => once(key, {}, slow)));
    expect(runs).toBe(1);
    for (const result of results.filter(({ status }) => status === 'rejected')) {
      expect((result as PromiseRejectedResult).reason).toMatchObject({
        status: 409,
        type: 'still-running',
        headers: { 'Retry-After': '1' },
      });
    }
  });

  it('replays a refusal, but allows a retry after a failure on our side', async () => {
    const key = randomId();
    const refusing = async () => {
      throw refused('own-code', 'No');
    };
    await expect(once(key, {}, refusing)).rejects.toMatchObject({ type: 'own-code' });
    await expect(once(key, {}, counting)).rejects.toMatchObject({
      type: 'own-code',
      headers: { 'Idempotency-Replayed': 'true' },
    });
    const other = randomId();
    const failing = async () => {
      throw new Problem(503, 'away', 'Away');
    };
    await expect(once(other, {}, failing)).rejects.toMatchObject({ status: 503 });
    expect((await once(other, {}, counting)).status).toBe(200);
    // What was limited has made nothing, and takes no place among the keys.
    const limited = async () => {
      throw new Problem(429, 'limited', 'Limited');
    };
    const keys = () => backend.store.collection('idempotency_keys').countDocuments();
    const before = await keys();
    await expect(once(randomId(), {}, limited)).rejects.toMatchObject({ status: 429 });
    expect(await keys()).toBe(before);
  });

  it('of a run with a clock that is behind is not taken over as crashed', async () => {
    runs = 0;
    const key = randomId();
    const behind = createIdempotency(backend.store, { now: () => clock.now() - 2 * CLOCK_OFF_MS_MAX });
    let end: () => void = () => undefined;
    const long = () =>
      new Promise<Answer>((resolve) => {
        end = () => resolve({ status: 200, body: { n: 0 } });
      });
    const first = behind.once({ userId: 'u1', route: 'r', key, input: {} }, long);
    await expect
      .poll(() => backend.store.collection('idempotency_keys').findOne({ answer: null, problem: null }))
      .not.toBeNull();
    for (let times = 0; times < 2; times += 1) {
      await clock.advance(1_000);
      await expect(once(key, {}, counting)).rejects.toMatchObject({ status: 409, type: 'still-running' });
    }
    end();
    expect((await first).body).toEqual({ n: 0 });
    expect([await once(key, {}, counting), runs]).toMatchObject([{ body: { n: 0 }, replayed: true }, 0]);
  });

  it('is free five seconds after a crash, not during a run, and after 24 h in any case', async () => {
    runs = 0;
    const key = randomId();
    let end: () => void = () => undefined;
    const long = () =>
      new Promise<Answer>((resolve) => {
        end = () => resolve({ status: 200, body: { n: 0 } });
      });
    // Time stands still for the one that has crashed: it notes nothing any more.
    const diedMs = clock.now();
    const dead = createIdempotency(backend.store, { now: () => diedMs });
    void dead.once({ userId: 'u1', route: 'r', key, input: {} }, long);
    const running = () =>
      backend.store.collection<{ aliveAtMs?: number }>('idempotency_keys').findOne({ answer: null, problem: null });
    await expect.poll(running).not.toBeNull();
    await clock.advance(4_999);
    await expect(once(key, {}, counting)).rejects.toMatchObject({ status: 409, type: 'still-running' });
    await clock.advance(1);
    const taken = once(key, {}, long);
    await expect.poll(async () => (await running())?.aliveAtMs).toBe(clock.now());
    await clock.advance(4_999);
    await expect(once(key, {}, counting)).rejects.toMatchObject({ status: 409, type: 'still-running' });
    end();
    expect((await taken).body).toEqual({ n: 0 });
    await clock.advance(24 * 3_600_000 - 10_000);
    expect((await once(key, {}, counting)).replayed).toBe(true);
    await clock.advance(10_000);
    expect((await once(key, {}, counting)).body).toEqual({ n: 1 });
  });

  it('gives the same ids when a stalled call runs again, and other ids to another call under the key', async () => {
    const key = randomId();
    const ids: string[] = [];
    const making = async () => {
      ids.push(onceId('proposal'), onceId('entry'));
      return { status: 200, body: {} };
    };
    const stalledMs = clock.now();
    const stalled = createIdempotency(backend.store, { now: () => stalledMs });
    let goOn: () => void = () => undefined;
    const going = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const first = stalled.once({ userId: 'u1', route: 'r', key, input: {} }, () => going.then(making));
    const running = () => backend.store.collection('idempotency_keys').findOne({ answer: null, problem: null });
    await expect.poll(running).not.toBeNull();
    await clock.advance(60_000);
    await once(key, {}, making);
    goOn();
    await first;
    expect(ids.slice(2)).toEqual(ids.slice(0, 2));
    await clock.advance(25 * 3_600_000);
    await once(key, {}, making);
    expect(new Set(ids).size).toBe(4);
    expect(onceId('proposal')).not.toBe(onceId('proposal'));
    for (const id of [...ids, onceId('proposal')]) expect(id).toMatch(/^[0-9a-f]{32}$/);
  });

  it('gives the same ids when a failed call is retried, and other ids with another input', async () => {
    const key = randomId();
    const ids: string[] = [];
    const making = async (fails: boolean) => {
      ids.push(onceId('proposal'));
      if (fails) throw new Problem(503, 'away', 'Away');
      return { status: 200, body: {} };
    };
    const tryOnce = (input: unknown, fails: boolean) => once(key, input, () => making(fails));
    await expect(tryOnce({ a: 1 }, true)).rejects.toMatchObject({ status: 503 });
    await expect(tryOnce({ a: 1 }, true)).rejects.toMatchObject({ status: 503 });
    await expect(tryOnce({ a: 2 }, true)).rejects.toMatchObject({ status: 503 });
    await tryOnce({ a: 2 }, false);
    expect(ids[1]).toBe(ids[0]);
    expect(ids[3]).toBe(ids[2]);
    expect(ids[2]).not.toBe(ids[1]);
  });

  it('of a large response keeps only the fact, not the response', async () => {
    runs = 0;
    const key = randomId();
    const body = 'x'.repeat(IDEMPOTENCY_ANSWER_BYTES_MAX - 2);
    const answering = (body: string) => async () => {
      runs += 1;
      return { status: 200, body };
    };
    expect((await once(key, {}, answering(`${body}x`))).body).toHaveLength(body.length + 1);
    await expect(once(key, {}, counting)).rejects.toMatchObject({ status: 409, type: 'answer-not-kept' });
    const other = randomId();
    await once(other, {}, answering(body));
    expect(await once(other, {}, counting)).toMatchObject({ body, replayed: true });
    expect(runs).toBe(2);
  });

  it('is limited in number per user and 24 h: one more gets 429 and runs nothing, a known one replays', async () => {
    runs = 0;
    const bounded = createIdempotency(backend.store, clock, 2);
    const use = (key: string, userId = 'many') => bounded.once({ userId, route: 'r', key, input: {} }, counting);
    await use('1');
    await use('2');
    for (let n = 0; n < 2; n += 1)
      await expect(use('3')).rejects.toMatchObject({
        status: 429,
        type: 'too-many-keys',
        errors: [{ path: 'Idempotency-Key' }],
      });
    expect([(await use('1')).replayed, runs]).toEqual([true, 2]);
    await use('3', 'another');
    await clock.advance(24 * 3_600_000);
    expect((await use('3')).replayed).toBeUndefined();
  });

  it.each(['x'.repeat(201), 'with space', 'ü'])('%j gets 400 as a key', async (key) => {
    await expect(once(key, {}, counting)).rejects.toMatchObject({ status: 400, errors: [{ path: 'Idempotency-Key' }] });
  });
});
