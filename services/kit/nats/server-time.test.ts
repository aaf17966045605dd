import { SERVICES } from '@cord/contracts/endpoint';
import { CLOCKS, clockSubject } from '@cord/contracts/events/streams';
import { SETUP_USER } from '@cord/contracts/rpc/republish';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CLOCK_OFF_MS_MAX } from '../bounds.js';
import { createClockWatch } from '../clock-watch.js';
import { createLogger } from '../log.js';
import { connectNats, type Nats } from '../nats.js';
import { startAccountsNats } from '../testing/accounts-nats.js';
import { forAllTests } from '../testing/lifetimes.js';
import { ensureTopology } from '../topology.js';
import { natsTimeMs } from './server-time.js';

const log = createLogger('test', 'silent');
const server = forAllTests(() => startAccountsNats());
const users = new Map<string, Nats>();
const as = (user: string) => users.get(user) as Nats;

beforeAll(async () => {
  for (const user of [SETUP_USER, ...SERVICES])
    users.set(user, await connectNats({ NATS_URL: server.urlFor(user), CORD_REPLICA: 1 }, user, log));
  await ensureTopology(as(SETUP_USER));
});
afterAll(() => Promise.all([...users.values()].map((nats) => nats.drain())));

test.each(SERVICES)('the time of NATS can be read by %s with its own permissions', async (service) => {
  const fromMs = Date.now();
  const readMs = await natsTimeMs(as(service));
  expect(readMs).toBeGreaterThanOrEqual(fromMs);
  expect(readMs).toBeLessThanOrEqual(Date.now());
});

test('readings by processes with the same number keep one message', async () => {
  await Promise.all(Array.from({ length: 20 }, () => natsTimeMs(as('tasks'))));
  const { state } = await as(SETUP_USER).jsm.streams.info(CLOCKS, { subjects_filter: 'cord.clock.v1.tasks.>' });
  expect(state.subjects).toEqual({ [clockSubject('tasks', 1)]: 1 });
});

test('no service can publish under the name of another', async () => {
  await expect(as('tasks').js.publish(clockSubject('mining', 1))).rejects.toThrow();
});

describe('a clock compared with NATS alone', () => {
  test.each([
    ['ahead', CLOCK_OFF_MS_MAX + 60_000],
    ['behind', -CLOCK_OFF_MS_MAX - 60_000],
  ])('is distrusted while it is %s, and trusted again once corrected', async (direction, offMs) => {
    const clock = { offMs };
    const watch = createClockWatch({
      sources: [{ name: 'nats', read: () => natsTimeMs(as('mining')) }],
      log,
      now: () => Date.now() + clock.offMs,
    });
    expect(await watch.check()).toBe(false);
    expect(watch.wrong()).toMatch(`${direction} of the clock of nats`);
    clock.offMs = 0;
    expect(await watch.check()).toBe(true);
    expect(watch.wrong()).toBeNull();
  });

  test('keeps the last comparison while NATS is unavailable, so a wrong clock stays wrong', async () => {
    const own = await startAccountsNats();
    const setup = await connectNats({ NATS_URL: own.urlFor(SETUP_USER) }, SETUP_USER, log);
    await ensureTopology(setup);
    const nats = await connectNats({ NATS_URL: own.urlFor('mining') }, 'mining', log);
    const off = 3_600_000;
    const watch = createClockWatch({
      sources: [{ name: 'nats', read: () => natsTimeMs(nats) }],
      log,
      now: () => Date.now() + off,
    });
    expect(await watch.check()).toBe(false);
    own.kill();
    await expect(natsTimeMs(nats)).rejects.toThrow();
    expect(await watch.check()).toBe(false);
    expect(watch.wrong()).toMatch('of the clock of nats');
    await Promise.all([setup.nc.close(), nats.nc.close()]);
  });
});
