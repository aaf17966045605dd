import { describe, expect, test } from 'vitest';
import { bonusWaits, type Mined, type NodeEvent, withNode } from './network.js';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const TEN_MINUTES = 600_000;
const NOW_MS = Date.UTC(2026, 10, 18, 12);
const news = (changes: Partial<NodeEvent> = {}): NodeEvent => ({
  seq: BigInt(changes.ranMs ?? TEN_MINUTES),
  ranMs: TEN_MINUTES,
  creditedUntilMs: NOW_MS,
  times: [],
  seenAt: null,
  running: false,
  ...changes,
});
const minedAt = (...keys: string[]): Mined =>
  withNode(undefined, news({ times: keys.map((key) => ({ key, ms: 1_000 })) }));
const friend = { ranMs: TEN_MINUTES, address: { key: null, level: 0 } };

describe('the 86 CORD wait', () => {
  test('under an hour of mining, if the friend and the referrer share one address', () => {
    expect(bonusWaits(friend, minedAt('home'), minedAt('office', 'home'), NOW_MS)).toBe(true);
    expect(bonusWaits(friend, minedAt('cafe', 'home', 'bus'), minedAt('home'), NOW_MS)).toBe(true);
    expect(bonusWaits(friend, minedAt('cafe'), minedAt('home'), NOW_MS)).toBe(false);
    expect(bonusWaits(friend, minedAt('home'), undefined, NOW_MS)).toBe(false);
  });

  test('not at all if no address counts', () => {
    expect(bonusWaits(friend, minedAt(), minedAt(), NOW_MS)).toBe(false);
  });

  test('until it is known where the ten minutes were mined', () => {
    expect(bonusWaits(friend, undefined, undefined, NOW_MS)).toBe(true);
    const begun = withNode(undefined, news({ ranMs: TEN_MINUTES - 1 }));
    expect(bonusWaits(friend, begun, undefined, NOW_MS)).toBe(true);
    expect(bonusWaits(friend, withNode(begun, news()), undefined, NOW_MS)).toBe(false);
  });

  test('after the hour until the network check has assessed it; then its level decides', () => {
    const hour = { ...friend, ranMs: HOUR_MS };
    const both = [minedAt('home'), minedAt('home'), NOW_MS] as const;
    expect(bonusWaits({ ranMs: HOUR_MS - 1, address: { key: 'home', level: 0 } }, ...both)).toBe(true);
    expect(bonusWaits(hour, ...both)).toBe(true);
    expect(bonusWaits({ ...hour, address: { key: null, level: 0, hourMined: true } }, ...both)).toBe(false);
    expect(bonusWaits({ ...hour, address: { key: 'home', level: 0 } }, ...both)).toBe(false);
  });

  test('for an address until 30 days after the referrer last mined there, and while the node runs there', () => {
    const referrer = minedAt('home');
    expect(bonusWaits(friend, minedAt('home'), referrer, NOW_MS + 30 * DAY_MS - 1)).toBe(true);
    expect(bonusWaits(friend, minedAt('home'), referrer, NOW_MS + 30 * DAY_MS)).toBe(false);
    const running = withNode(undefined, news({ running: true, seenAt: 'home' }));
    expect(bonusWaits(friend, minedAt('home'), running, NOW_MS + 90 * DAY_MS)).toBe(true);
  });
});

describe('the addresses of a user', () => {
  test('have no current one after a stop, and have one after a start, in any order of the events', () => {
    const started = (seq: bigint) => news({ seq, running: true, seenAt: 'home' });
    const stopped = (seq: bigint) => news({ seq, seenAt: 'home' });
    for (const [older, newer, current] of [
      [started(1n), stopped(2n), null],
      [stopped(2n), started(3n), 'home'],
    ] as const) {
      expect(withNode(withNode(undefined, older), newer).current).toBe(current);
      expect(withNode(withNode(undefined, newer), older).current).toBe(current);
    }
  });

  test('are at most 16, drop the oldest first, and expire after 30 days', () => {
    let mined: Mined | undefined;
    for (let n = 0; n < 40; n += 1) {
      const times = [{ key: `at-${n}`, ms: 1 }];
      mined = withNode(mined, news({ times, creditedUntilMs: NOW_MS + n * DAY_MS, ranMs: n }));
    }
    expect(mined?.addresses.map(({ key }) => key)).toEqual(Array.from({ length: 16 }, (_, n) => `at-${n + 24}`));
    const later = withNode(mined, news({ creditedUntilMs: NOW_MS + 100 * DAY_MS, ranMs: 41 }));
    expect(later.addresses).toEqual([]);
  });

  test('keep the time at which the mining time last rose, not when it was last reported', () => {
    const both = (home: number, office: number) => [
      { key: 'home', ms: home },
      { key: 'office', ms: office },
    ];
    const before = withNode(undefined, news({ times: both(5, 5), ranMs: 10 }));
    const later = withNode(before, news({ times: both(5, 9), ranMs: 14, creditedUntilMs: NOW_MS + DAY_MS }));
    expect(later.addresses).toEqual([
      { key: 'home', ms: 5, atMs: NOW_MS },
      { key: 'office', ms: 9, atMs: NOW_MS + DAY_MS },
    ]);
    // An address with a contact but no node time does not count as mined at.
    expect(withNode(before, news({ times: [{ key: 'bus', ms: 0 }] })).addresses).toEqual(before.addresses);
  });

  test('do not change with a duplicate or late event, except for unknown addresses', () => {
    const latest = withNode(minedAt('home'), news({ ranMs: 2 * TEN_MINUTES, running: true, seenAt: 'office' }));
    expect(withNode(latest, news({ times: [{ key: 'home', ms: 400 }] }))).toEqual(latest);
    const more = withNode(latest, news({ times: [{ key: 'bus', ms: 400 }] }));
    expect(more).toEqual({ ...latest, addresses: expect.arrayContaining([...latest.addresses]) });
    expect(more.addresses).toHaveLength(2);
  });
});
