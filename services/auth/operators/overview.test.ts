import { DEAD_LETTERS } from '@cord/contracts/events/streams';
import { expect, it } from 'vitest';
import { createOverview } from './overview.js';

const NOW_MS = Date.UTC(2026, 10, 22, 12);

/** A system in which a bit of everything waits. */
function system({ natsIsUp = true, storeIsUp = (): boolean => true } = {}) {
  let looks = 0;
  const info = async (name: string) => {
    if (!natsIsUp) throw new Error('no responders');
    const messages = name === DEAD_LETTERS ? 2 : 10;
    return { config: { name, max_bytes: 1_000 }, state: { messages, bytes: 300 } };
  };
  const overview = createOverview({
    support: {
      async waiting() {
        looks += 1;
        if (!storeIsUp()) throw new Error('away');
        return [{ kind: 'appeal', open: 2, more: false, priority: 1, oldestMs: NOW_MS - 60_000 }];
      },
    },
    antiCheat: { penalisedAddresses: async () => 4 },
    parked: {
      oldest: async ({ limit }) => ({
        credits: Array.from({ length: limit }, () => ({ parkedAt: NOW_MS - 5_000 })) as never,
        missing: ['referrals'],
      }),
    },
    clientErrors: {
      ofDay: async () => [
        { module: 'mfe_tasks', count: 2 },
        { module: null, count: 7 },
        { module: 'mfe_tasks', count: 3 },
      ],
    },
    switches: { off: async () => [{ name: 'orders', why: 'x', by: 'y', atMs: 1 }] },
    nats: { jsm: { streams: { info } } } as never,
    now: () => NOW_MS,
  });
  return { overview, looks: () => looks };
}

it('the overview shows what is waiting, what is off and what failed', async () => {
  const { overview } = system();
  expect(await overview.look()).toMatchObject({
    at: '2026-11-22T12:00:00.000Z',
    requests: [{ kind: 'appeal', open: 2, more: false, priority: 1, oldestAt: '2026-11-22T11:59:00.000Z' }],
    crowdedAddresses: 4,
    parkedCredits: { count: 100, more: true, oldestAt: '2026-11-22T11:59:55.000Z', missing: ['referrals'] },
    deadLetters: 2,
    clientErrors: [
      { module: 'shell', count: 7 },
      { module: 'mfe_tasks', count: 5 },
    ],
    switchesOff: ['orders'],
  });
});

it('the overview without NATS has null for dead letters, no streams, and all other figures', async () => {
  const { overview } = system({ natsIsUp: false });
  expect(await overview.look()).toMatchObject({ deadLetters: null, streams: [], crowdedAddresses: 4 });
});

it('the overview is computed once for concurrent requests, and again after a failure', async () => {
  let up = false;
  const { overview, looks } = system({ storeIsUp: () => up });
  await expect(overview.look()).rejects.toThrow('away');
  up = true;
  await Promise.all([overview.look(), overview.look()]);
  expect(looks()).toBe(2);
});
