import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { endpoint } from '@cord/contracts/endpoint';
import { subjectOf } from '@cord/contracts/events/envelope';
import { userErased } from '@cord/contracts/events/user';
import { rpc } from '@cord/contracts/rpc/rpc';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { baseConfig, ConfigError } from './config.js';
import { createLogger } from './log.js';
import { on } from './nats/consume.js';
import { opsUrlOf } from './ops-port.js';
import type { Problem } from './problem.js';
import { type Kit, type ServiceDefinition, startService } from './service.js';
import { call, createSigner, createTestClock, randomId, startForTest, startTestBackend } from './testing/index.js';
import { forAllTests, stopAfterTest } from './testing/lifetimes.js';
import { freePort } from './testing/process.js';
import { scratch } from './testing/scratch.js';

const addAt = { id: 't.add', method: 'POST', path: '/add', access: 'user' } as const;
const adds = { summary: 'test', body: z.strictObject({ n: z.number() }), response: z.object({ sum: z.number() }) };
const add = endpoint('tasks', addAt, adds);
/** The same, where a repetition is run again. */
const addAlways = endpoint(
  'tasks',
  { ...addAt, id: 't.addAlways', path: '/add-always' },
  { ...adds, ignoresKey: true },
);
const time = endpoint(
  'tasks',
  { id: 't.time', method: 'GET', path: '/time', access: 'public' },
  { summary: 'test', response: z.object({ now: z.number() }) },
);

/** A whole service in the small: one document, two routes. */
const small: ServiceDefinition<typeof baseConfig> = {
  name: 'tasks',
  config: baseConfig,
  data: [],
  async build({ http, store }) {
    const sums = store.collection<{ _id: string; sum: number }>('sums');
    const addTo = async (_id: string, n: number) => {
      const options = { upsert: true, returnDocument: 'after' } as const;
      const changed = await sums.findOneAndUpdate({ _id }, { $inc: { sum: n } }, options);
      return { sum: changed?.sum ?? 0 };
    };
    http.route(add, ({ user, body }) => addTo(user.id, body.n));
    http.route(addAlways, ({ user, body }) => addTo(user.id, body.n));
    http.publicRoute(time, async ({ now }) => ({ now }));
  },
};

const log = createLogger('test', 'silent');
const backend = forAllTests(() => startTestBackend({ own: true }));

describe('a service', () => {
  it('responds over HTTP, keeps its data across a restart, and runs an Idempotency-Key once', async () => {
    const clock = createTestClock();
    const signer = await createSigner(backend.nats);
    const token = await signer.sign(randomId(), { nowMs: clock.now() });
    const dbName = backend.dbName('small');
    const first = await startForTest(small, backend, { clock, dbName });
    const headers = { 'Idempotency-Key': 'k1' };
    expect((await call(first.url, add, { token, body: { n: 2 }, headers })).body).toEqual({ sum: 2 });
    const again = await call(first.url, add, { token, body: { n: 2 }, headers });
    expect(again.body).toEqual({ sum: 2 });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await call(first.url, add, { token, body: { n: 3 }, headers })).status).toBe(422);
    await first.close();
    const second = await startForTest(small, backend, { clock, dbName });
    expect((await call(second.url, add, { token, body: { n: 1 } })).body).toEqual({ sum: 3 });
    await second.close();
  });

  it('keeps no response under an Idempotency-Key for a call that ignores it', async () => {
    const clock = createTestClock();
    const token = await (await createSigner(backend.nats)).sign(randomId(), { nowMs: clock.now() });
    const service = await startForTest(small, backend, { clock });
    const headers = { 'Idempotency-Key': 'k1' };
    for (const sum of [2, 4]) {
      const answer = await call(service.url, addAlways, { token, body: { n: 2 }, headers });
      expect(answer.body).toEqual({ sum });
      expect(answer.headers.get('idempotency-replayed')).toBeNull();
    }
    await service.close();
  });

  it('deletes the kept responses of an erased user, and of no other', async () => {
    const clock = createTestClock();
    const signer = await createSigner(backend.nats);
    const listening: typeof small = {
      ...small,
      async build(kit) {
        await small.build(kit);
        const users = kit.nats.consume({ stream: 'CORD_USERS', handlers: [] });
        kit.shutdown.on('consumers', 'users', () => users.stop());
      },
    };
    const service = await startForTest(listening, backend, { clock });
    const people = [randomId(), randomId()] as const;
    const [erased, other] = await Promise.all(people.map((id) => signer.sign(id, { nowMs: clock.now() })));
    const addOne = (token = '', n = 1) =>
      call(service.url, add, { token, body: { n }, headers: { 'Idempotency-Key': 'k1' } });
    await Promise.all([addOne(erased), addOne(other)]);
    const event = { v: 1, id: randomId(), at: clock.now(), userId: people[0], seq: '2' };
    await backend.nats.publish(subjectOf(userErased, people[0]), event, event.id);
    await expect.poll(async () => (await addOne(erased, 2)).status).toBe(200);
    expect((await addOne(other, 2)).status).toBe(422);
    await service.close();
  });

  it('when it stops, is unready, finishes a running request, and then closes its ports', async () => {
    let begun: () => void = () => undefined;
    const started = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const free: Record<string, () => void> = {};
    const until = (what: string) =>
      new Promise<void>((resolve) => {
        free[what] = resolve;
      });
    const [probed, ended] = [until('probed'), until('ended')];
    const slow: typeof small = {
      ...small,
      async build({ http, shutdown }) {
        shutdown.on('unready', 'probe', () => probed);
        http.publicRoute(time, async ({ now }) => {
          begun();
          await ended;
          return { now };
        });
      },
    };
    const service = await startForTest(slow, backend, { clock: createTestClock() });
    expect((await fetch(`${opsUrlOf(service.url)}/readyz`)).status).toBe(200);
    const running = call(service.url, time);
    await started;
    const closing = service.close();
    const readyz = await fetch(`${opsUrlOf(service.url)}/readyz`);
    expect([readyz.status, await readyz.json()]).toMatchObject([503, { failing: ['draining'] }]);
    free.probed?.();
    await expect
      .poll(() =>
        fetch(`${service.url}/api/nothing`).then(
          ({ status }) => status,
          () => null,
        ),
      )
      .toBeNull();
    free.ended?.();
    expect((await running).status).toBe(200);
    await closing;
    await expect(fetch(`${opsUrlOf(service.url)}/livez`)).rejects.toThrow();
  });

  it('listens at once, responds 503 until NATS and the store are available, and then becomes ready by itself', async () => {
    const lonely = await startTestBackend({ own: true });
    await lonely.natsServer?.kill();
    const port = await freePort();
    const logged: string[] = [];
    const starting = startForTest(small, lonely, {
      clock: createTestClock(),
      env: { PORT: String(port) },
      log: createLogger('test', 'debug', { write: (line: string) => void logged.push(line) }),
    });
    const url = `http://127.0.0.1:${port}`;
    await expect
      .poll(() =>
        fetch(`${opsUrlOf(url)}/livez`).then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(200);
    const unready = await fetch(`${opsUrlOf(url)}/readyz`);
    expect([unready.status, await unready.json()]).toMatchObject([503, { failing: ['starting', 'nats'] }]);
    const early = await call(url, time);
    expect([early.status, early.problem.type, early.headers.get('retry-after')]).toEqual([503, 'starting', '1']);
    // That a start takes its time is no error.
    expect(logged.filter((line) => line.includes('"level":"error"'))).toEqual([]);
    await lonely.storeServer?.kill();
    await lonely.natsServer?.restart();
    const readyz = () => fetch(`${opsUrlOf(url)}/readyz`).then((answer) => answer.json());
    await expect.poll(readyz).toMatchObject({ failing: ['starting', 'store'] });
    expect((await call(url, time)).status).toBe(503);
    await lonely.storeServer?.restart();
    const service = await starting;
    expect((await call(service.url, time)).status).toBe(200);
    await service.close();
    await lonely.stop();
  });

  it('names in /readyz the stream that its start still reads', async () => {
    const userId = randomId();
    const event = { v: 1, id: randomId(), at: 1, userId, seq: '1' };
    await backend.nats.publish(subjectOf(userErased, userId), event, event.id);
    let read: () => void = () => undefined;
    const mayRead = new Promise<void>((resolve) => {
      read = resolve;
    });
    const port = await freePort();
    const reading: typeof small = {
      ...small,
      async build({ nats, shutdown }) {
        const following = nats.orderedConsume({ stream: 'CORD_USERS', handlers: [on(userErased, () => mayRead)] });
        shutdown.on('consumers', 'following', () => following.stop());
        await following.caughtUp;
      },
    };
    const starting = startForTest(reading, backend, { clock: createTestClock(), env: { PORT: String(port) } });
    await expect
      .poll(async () => {
        const answer = await fetch(`${opsUrlOf(`http://127.0.0.1:${port}`)}/readyz`).catch(() => null);
        return ((await answer?.json()) as { failing?: string[] } | undefined)?.failing;
      })
      .toEqual(['starting', 'own wiring', 'CORD_USERS']);
    read();
    const service = await starting;
    expect((await fetch(`${opsUrlOf(service.url)}/readyz`)).status).toBe(200);
    await service.close();
  });

  it.each([
    [{}, true],
    [{ TRUSTED_PROXIES: '10.0.0.0/8' }, false],
    [{ HOST: '127.0.0.1' }, false],
  ])('off loopback in production with %o logs that it trusts no proxy: %s', async (env, warns) => {
    const logged: string[] = [];
    const production = { NODE_ENV: 'production', PUBLIC_ORIGIN: 'https://cord.example', RATE_LIMIT_SCALE: '1' };
    const service = await startForTest(small, backend, {
      env: { ...production, HOST: '0.0.0.0', ...env },
      log: createLogger('test', 'warn', { write: (line: string) => void logged.push(line) }),
    });
    expect(logged.some((line) => line.includes('TRUSTED_PROXIES'))).toBe(warns);
    await service.close();
  });

  it('responds 503, not 500, while the store is away, stays ready, and recovers by itself', async () => {
    const lonely = await startTestBackend({ own: true });
    const clock = createTestClock();
    const service = await startForTest(small, lonely, { clock });
    const token = await (await createSigner(lonely.nats)).sign(randomId(), { nowMs: clock.now() });
    await expect.poll(async () => (await call(service.url, add, { token, body: { n: 1 } })).status).toBe(200);
    await lonely.storeServer?.kill();
    const away = await call(service.url, add, { token, body: { n: 1 } });
    expect([away.status, away.problem.type]).toEqual([503, 'store-unavailable']);
    expect(away.headers.get('retry-after')).not.toBeNull();
    // It stays ready, so that no prober removes every replica for a loss that none of them can help; another ready one gets calls first.
    const readyz = async () => {
      const answer = await fetch(`${opsUrlOf(service.url)}/readyz`);
      return [answer.status, ((await answer.json()) as { yields: boolean }).yields];
    };
    await expect.poll(readyz).toEqual([200, true]);
    const health = await fetch(`${opsUrlOf(service.url)}/healthz`);
    expect([health.status, await health.json()]).toEqual([
      503,
      { status: 'down', service: 'tasks', parts: { nats: 'ok', store: 'down' } },
    ]);
    await lonely.storeServer?.restart();
    await expect.poll(async () => (await call(service.url, add, { token, body: { n: 1 } })).status).toBe(200);
    expect(await readyz()).toEqual([200, false]);
    await service.close();
    await lonely.stop();
  });

  it('without its store leaves requests to a replica that has one; without any store they get 503', async () => {
    const [one, other] = [await startTestBackend({ own: true }), await startTestBackend({ own: true })];
    const parties = { from: ['auth'], by: 'tasks' } as const;
    const shared = rpc('test.shared', parties, z.object({}), z.object({ replica: z.number() }));
    const reading: typeof small = {
      ...small,
      async build({ nats, store, shutdown }) {
        const serving = nats.serve(shared, async () => {
          await store.collection('sums').findOne();
          return { replica: nats.replica };
        });
        shutdown.on('consumers', 'requests', () => serving.stop());
      },
    };
    const replicaOn = (mongodbUri: string, CORD_REPLICA: string) =>
      startForTest(reading, one, { env: { MONGODB_URI: mongodbUri, CORD_REPLICA } });
    const services = [await replicaOn(one.mongodbUri, '1'), await replicaOn(other.mongodbUri, '2')];
    /** What twenty requests end in: a replica is chosen at random, and the problem of an operation on a lost store may come too late. */
    const outcomes = async () => {
      const requests = Array.from({ length: 20 }, () =>
        one.nats.request(shared, {}).then(
          ({ replica }) => replica,
          ({ status }: Problem) => status,
        ),
      );
      return [...new Set(await Promise.all(requests))].sort();
    };
    try {
      expect(await outcomes()).toEqual([1, 2]);
      await one.storeServer?.kill();
      await expect.poll(outcomes).toEqual([2]);
      await other.storeServer?.kill();
      await expect.poll(outcomes).toEqual([503]);
      await one.storeServer?.restart();
      await expect.poll(outcomes).toEqual([1]);
      await other.storeServer?.restart();
      await expect.poll(outcomes).toEqual([1, 2]);
    } finally {
      for (const service of services) await service.close();
      for (const backend of [one, other]) await backend.stop();
    }
  });

  it('does not start in an invalid environment', async () => {
    const start = startService(small, { env: { PORT: 'x', CORD_PROT: '1' }, log });
    await expect(start).rejects.toThrow(ConfigError);
    await expect(start).rejects.toMatchObject({ variables: expect.arrayContaining(['CORD_PROT', 'PORT']) });
  });

  it('rejects its start when its wiring fails, and closes its ports, NATS and the store', async () => {
    let opened: Pick<Kit, 'nats' | 'store'> | undefined;
    const broken: typeof small = {
      ...small,
      async build({ nats, store }) {
        opened = { nats, store };
        throw new Error('broken on purpose');
      },
    };
    const port = await freePort();
    const starting = startForTest(broken, backend, { clock: createTestClock(), env: { PORT: String(port) } });
    await expect(starting).rejects.toThrow('broken on purpose');
    expect([opened?.nats.nc.isClosed(), opened?.store.readyState]).toEqual([true, 0]);
    const url = `http://127.0.0.1:${port}`;
    for (const closed of [`${opsUrlOf(url)}/livez`, `${url}/api/time`]) await expect(fetch(closed)).rejects.toThrow();
  });
});

describe('the movable clock', () => {
  const startIn = async (env: Record<string, string>) => {
    const { folder } = stopAfterTest(await scratch());
    await writeFile(join(folder, 'clock.json'), '{"offsetMs":3600000}');
    return startForTest(small, backend, { env: { CORD_DATA: folder, ...env } });
  };
  const move = (url: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${opsUrlOf(url)}/dev/clock`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });

  it('in local mode starts where it was left, only moves forward, and drives every call', async () => {
    const service = await startIn({});
    const ahead = async () => (await call(service.url, time)).body.now - Date.now();
    expect(await ahead()).toBeGreaterThan(3_590_000);
    const moved = await move(service.url, { offsetMs: 90_000_000 });
    expect(await moved.json()).toMatchObject({ offsetMs: 90_000_000 });
    expect(await ahead()).toBeGreaterThan(89_990_000);
    expect((await move(service.url, { offsetMs: 1 })).status).toBe(400);
    expect((await move(service.url, { offsetMs: '1h' })).status).toBe(400);
    expect((await move(service.url, { offsetMs: 99_000_000 }, { Origin: 'https://evil.example' })).status).toBe(403);
    await service.close();
  });

  it.each([
    { NODE_ENV: 'production', RATE_LIMIT_SCALE: '1', PUBLIC_ORIGIN: 'https://cord.example' },
    { DISCORD_CLIENT_ID: '1234', RATE_LIMIT_SCALE: '1' },
  ])('does not exist outside local mode (%o)', async (env) => {
    const service = await startIn(env);
    expect((await move(service.url, { offsetMs: 90_000_000 })).status).toBe(404);
    expect((await fetch(`${opsUrlOf(service.url)}/dev/clock`)).status).toBe(404);
    expect(Math.abs((await call(service.url, time)).body.now - Date.now())).toBeLessThan(5_000);
    await service.close();
  });
});
