import { randomId, startTestStore } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { beforeAll, describe, expect, it } from 'vitest';
import { data } from '../data.js';
import { allOn } from '../test/node-time.js';
import { ADDRESS_KEPT_MS } from './levels.js';
import { createMinedStore, type MinedStore } from './mined.js';

const NOON_MS = Date.UTC(2026, 10, 21, 12);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const [LINE, VPN] = ['1'.repeat(32), '2'.repeat(32)] as const;

const backend = forAllTests(() => startTestStore({ data }));
let mined: MinedStore;
beforeAll(() => {
  mined = createMinedStore(backend.store);
});

/** One user, whose node events come in any order. */
function user() {
  const userId = randomId();
  return {
    userId,
    minedEvent: (seq: number, atMs: number, times: Record<string, number>, fromRanMs = 0) =>
      mined.noteAddresses({
        userId,
        seq,
        atMs,
        addresses: Object.entries(times).map(([hash, ms]) => ({ hash, ms, fromRanMs })),
        day: allOn(atMs),
      }),
    at: async (nowMs: number) => {
      const places = await mined.ofUser(userId, nowMs - ADDRESS_KEPT_MS);
      return Object.fromEntries(places.map(({ addressHash, minedMs }) => [addressHash, minedMs]));
    },
  };
}

describe('mining time by address', () => {
  it('is stored once when many handlers receive the same event concurrently', async () => {
    const { minedEvent, at } = user();
    await Promise.all(
      Array.from({ length: 8 }, (_, n) => minedEvent(n % 2 ? 3 : 4, NOON_MS, { [LINE]: n % 2 ? 7 : 9 })),
    );
    expect(await at(NOON_MS)).toEqual({ [LINE]: 9 });
  });

  it('accumulates when a dropped address returns and its count starts again', async () => {
    const { minedEvent, at } = user();
    await minedEvent(1, NOON_MS, { [LINE]: 5 * HOUR_MS });
    await minedEvent(2, NOON_MS + DAY_MS, { [LINE]: HOUR_MS }, 5 * HOUR_MS);
    expect(await at(NOON_MS + DAY_MS)).toEqual({ [LINE]: 6 * HOUR_MS });
  });

  it('expires day by day after 30 days', async () => {
    const { minedEvent, at, userId } = user();
    await minedEvent(1, NOON_MS, { [LINE]: 5 * HOUR_MS });
    await minedEvent(2, NOON_MS + 10 * DAY_MS, { [LINE]: 6 * HOUR_MS, [VPN]: HOUR_MS });
    await minedEvent(3, NOON_MS + 32 * DAY_MS, { [LINE]: 8 * HOUR_MS });
    expect(await at(NOON_MS + 32 * DAY_MS)).toEqual({ [LINE]: 3 * HOUR_MS, [VPN]: HOUR_MS });
    await mined.removeOlder(NOON_MS + 45 * DAY_MS - ADDRESS_KEPT_MS);
    expect(await at(0)).toEqual({ [LINE]: 3 * HOUR_MS });
    await mined.removeUser(userId);
    expect(await at(0)).toEqual({});
  });
});
