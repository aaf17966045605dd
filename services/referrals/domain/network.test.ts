import { describe, expect, test } from 'vitest';
import { bonusWaits, type Mined, type NodeNews, withNode } from './network.js';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const NOW_MS = Date.UTC(2026, 10, 18, 12);
const news = (changes: Partial<NodeNews> = {}): NodeNews => ({
  sessionId: 's1',
  ranMs: 0,
  creditedUntilMs: NOW_MS,
  addressKey: 'home',
  running: false,
  ...changes,
});
const minedAt = (...keys: (string | null)[]): Mined =>
  keys.reduce<Mined | undefined>((mined, addressKey) => withNode(mined, news({ addressKey })), undefined) as Mined;
const friend = { ranMs: 600_000, sessionId: 's1', address: { key: null, level: 0 } };

describe('the 86 CORD wait (money.md, Commission and referral bonuses)', () => {
  test('under an hour, where one address is also the referrer’s', () => {
    expect(bonusWaits(friend, minedAt('home'), minedAt('office', 'home'), NOW_MS)).toBe(true);
    expect(bonusWaits(friend, minedAt('cafe', 'home', 'bus'), minedAt('home'), NOW_MS)).toBe(true);
    expect(bonusWaits(friend, minedAt('cafe'), minedAt('home'), NOW_MS)).toBe(false);
    expect(bonusWaits(friend, minedAt('home'), undefined, NOW_MS)).toBe(false);
  });

  test('where no address counts nothing waits', () => {
    expect(bonusWaits(friend, minedAt(null), minedAt(null), NOW_MS)).toBe(false);
  });

  test('until it is known where the friend has mined up to now', () => {
    const running = { ...friend, sessionId: 's2' };
    expect(bonusWaits(friend, undefined, undefined, NOW_MS)).toBe(true);
    expect(bonusWaits(running, minedAt('cafe'), minedAt('home'), NOW_MS)).toBe(true);
    const started = withNode(minedAt('cafe'), news({ sessionId: 's2', addressKey: 'home', running: true }));
    expect(bonusWaits(running, started, minedAt('home'), NOW_MS)).toBe(true);
    expect(bonusWaits(running, started, minedAt('office'), NOW_MS)).toBe(false);
    const ended = withNode(started, news({ sessionId: 's2', ranMs: 600_000 }));
    expect(bonusWaits({ ...friend, sessionId: null }, ended, minedAt('office'), NOW_MS)).toBe(false);
    expect(bonusWaits({ ...friend, sessionId: null, ranMs: 600_001 }, ended, minedAt('office'), NOW_MS)).toBe(true);
  });

  test('after the hour until the check has looked at it; then its level decides', () => {
    const hour = { ...friend, ranMs: HOUR_MS };
    const both = [minedAt('home'), minedAt('home'), NOW_MS] as const;
    expect(bonusWaits({ ...hour, ranMs: HOUR_MS - 1, address: { key: 'home', level: 0 } }, ...both)).toBe(true);
    expect(bonusWaits(hour, ...both)).toBe(true);
    expect(bonusWaits({ ...hour, address: { key: null, level: 0, hourMined: true } }, ...both)).toBe(false);
    expect(bonusWaits({ ...hour, address: { key: 'home', level: 0 } }, ...both)).toBe(false);
  });

  test('an address is held against the referrer for 30 days, and as long as the node runs there', () => {
    const referrer = minedAt('home');
    expect(bonusWaits(friend, minedAt('home'), referrer, NOW_MS + 30 * DAY_MS - 1)).toBe(true);
    expect(bonusWaits(friend, minedAt('home'), referrer, NOW_MS + 30 * DAY_MS)).toBe(false);
    const running = withNode(undefined, news({ running: true }));
    expect(bonusWaits(friend, minedAt('home'), running, NOW_MS + 90 * DAY_MS)).toBe(true);
  });
});

describe('where somebody mined', () => {
  test('a few addresses, the oldest goes first, and none is kept for longer than 30 days', () => {
    let mined: Mined | undefined;
    for (let n = 0; n < 40; n += 1) {
      mined = withNode(mined, news({ addressKey: `at-${n}`, creditedUntilMs: NOW_MS + n * DAY_MS, ranMs: n }));
    }
    expect(mined?.addresses.map(({ key }) => key)).toEqual(Array.from({ length: 16 }, (_, n) => `at-${n + 24}`));
    const later = withNode(mined, news({ addressKey: null, creditedUntilMs: NOW_MS + 100 * DAY_MS, ranMs: 41 }));
    expect(later.addresses).toEqual([]);
  });

  test('news that comes twice or late changes nothing but the list', () => {
    const latest = withNode(minedAt('home'), news({ sessionId: 's2', ranMs: 5, addressKey: 'office', running: true }));
    const again = withNode(latest, news());
    expect(again).toEqual({ ...latest, addresses: expect.arrayContaining(latest.addresses) });
    expect(again.addresses).toHaveLength(2);
  });
});
