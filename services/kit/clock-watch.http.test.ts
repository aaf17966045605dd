import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { endpoint } from '@cord/contracts/endpoint';
import { subjectOf } from '@cord/contracts/events/envelope';
import { userErased } from '@cord/contracts/events/user';
import { accountRpc } from '@cord/contracts/rpc/ledger';
import { beforeAll, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { CLOCK_OFF_MS_MAX } from './bounds.js';
import { baseConfig } from './config.js';
import { on } from './nats/consume.js';
import { opsUrlOf } from './ops-port.js';
import { runWhileServing } from './periodic.js';
import type { ServiceDefinition } from './service.js';
import { call, createSigner, randomId, type Signer, startForTest, startTestBackend } from './testing/index.js';
import { forAllTests, stopAfterTest } from './testing/lifetimes.js';
import { PATIENCE_MS } from './testing/patience.js';
import { scratch } from './testing/scratch.js';

const done = { summary: 'test', response: z.object({ done: z.number() }) };
const write = endpoint(
  'tasks',
  { id: 't.write', method: 'POST', path: '/write', access: 'user' },
  { ...done, body: z.strictObject({}) },
);
const read = endpoint('tasks', { id: 't.read', method: 'GET', path: '/read', access: 'user' }, done);

const backend = forAllTests(() => startTestBackend());
let signer: Signer;
beforeAll(async () => {
  signer = await createSigner(backend.nats);
});

/** A service that counts the work it was allowed to do. */
function counting() {
  const done = { writes: 0, answers: 0, events: 0, runs: 0 };
  const service: ServiceDefinition<typeof baseConfig> = {
    name: 'tasks',
    config: baseConfig,
    data: [],
    async build(kit) {
      kit.http.route(write, async () => ({ done: ++done.writes }));
      kit.http.route(read, async () => ({ done: done.writes }));
      const served = kit.nats.serve(accountRpc, async () => {
        done.answers += 1;
        return null;
      });
      const consumed = kit.nats.consume({
        stream: 'CORD_USERS',
        handlers: [
          on(userErased, async () => {
            done.events += 1;
          }),
        ],
      });
      for (const one of [served, consumed]) kit.shutdown.on('consumers', 'test', () => one.stop());
      const run = async () => {
        done.runs += 1;
      };
      runWhileServing(kit, [{ name: 'test', everyMs: 3_600_000, everywhere: 'test', run }]);
    },
  };
  return { done, service };
}

const erase = async () => {
  const userId = randomId();
  const event = { v: 1, id: `user:erased:${userId}`, at: Date.now(), userId, seq: '1' };
  await backend.nats.publish(subjectOf(userErased, userId), event, event.id);
};
const readyz = async (url: string) => {
  const answer = await fetch(`${opsUrlOf(url)}/readyz`);
  return { status: answer.status, text: await answer.text() };
};
const eventually = (check: () => Promise<void> | void) => vi.waitFor(check, { timeout: PATIENCE_MS, interval: 25 });

it.each([
  ['ahead', CLOCK_OFF_MS_MAX + 60_000],
  ['behind', -CLOCK_OFF_MS_MAX - 60_000],
])(
  'a process whose clock is %s of the store refuses writes and requests, handles no event, and is not ready',
  async (direction, offMs) => {
    const { done, service } = counting();
    const clock = { offMs: 0 };
    const running = await startForTest(service, backend, { machineNow: () => Date.now() + clock.offMs });
    try {
      const token = await signer.sign(randomId(), { nowMs: Date.now() });
      const post = () => call(running.url, write, { token, body: {} });
      expect((await post()).body).toEqual({ done: 1 });
      await erase();
      await eventually(() => expect(done.events).toBe(1));
      expect((await readyz(running.url)).status).toBe(200);
      const metrics = await (await fetch(`${opsUrlOf(running.url)}/metrics`)).text();
      expect(metrics.match(/cord_clock_off_seconds\{from="\w+"/g)?.sort()).toEqual(
        ['nats', 'store'].map((from) => `cord_clock_off_seconds{from="${from}"`),
      );

      clock.offMs = offMs;
      const refused = await post();
      expect([refused.status, refused.problem.type]).toEqual([503, 'clock-is-wrong']);
      expect(refused.headers.get('x-cord-not-taken')).toBe('1');
      expect((await call(running.url, read, { token })).body).toEqual({ done: 1 });
      await expect(backend.nats.request(accountRpc, { userId: randomId() })).rejects.toMatchObject({ status: 503 });
      expect(await readyz(running.url)).toMatchObject({ status: 503, text: expect.stringContaining(direction) });
      await erase();
      await eventually(async () => {
        const { num_ack_pending } = await backend.nats.jsm.consumers.info('CORD_USERS', 'tasks');
        expect(num_ack_pending).toBe(1);
      });
      expect([done.writes, done.answers, done.events]).toEqual([1, 0, 1]);

      clock.offMs = 0;
      expect((await post()).body).toEqual({ done: 2 });
      await eventually(() => expect(done.events).toBe(2));
      expect((await readyz(running.url)).status).toBe(200);
    } finally {
      await running.close();
    }
  },
);

it('a local-mode clock that is moved in one process alone stops that process until all have moved as far', async () => {
  const { done, service } = counting();
  const { folder } = stopAfterTest(await scratch());
  const running = await startForTest(service, backend, { env: { CORD_DATA: folder } });
  const move = (offsetMs: number) =>
    fetch(`${opsUrlOf(running.url)}/dev/clock`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ offsetMs }),
    });
  try {
    const token = await signer.sign(randomId(), { nowMs: Date.now() });
    const post = async () => (await call(running.url, write, { token, body: {} })).status;
    expect(await post()).toBe(200);
    await eventually(() => expect(done.runs).toBe(1));
    expect((await move(3_600_000)).status).toBe(200);
    expect(await post()).toBe(503);
    expect((await readyz(running.url)).text).toContain('3600000');
    // What a clock that was moved finds due is not done either.
    expect((await move(7_200_000)).status).toBe(200);
    expect(done.runs).toBe(1);
    await writeFile(join(folder, 'clock.json'), '{"offsetMs":7200000}');
    expect(await post()).toBe(200);
    expect((await move(7_200_000)).status).toBe(200);
    expect(done.runs).toBe(2);
    expect((await readyz(running.url)).status).toBe(200);
  } finally {
    await running.close();
  }
});
