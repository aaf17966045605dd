import { referralEndpoints } from '@cord/contracts/http/referrals';
import { cord } from '@cord/contracts/rules/money';
import { call } from '@cord/kit/testing/index';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { PATIENCE, type Referrals, startReferrals, TEN_MINUTES } from './test/people.js';

let alone: Referrals;
let person: Referrals['person'];
let enter: Referrals['enter'];
let stats: Referrals['stats'];
let creditsOf: Referrals['creditsOf'];
let paidTo: Referrals['paidTo'];
let earns: Referrals['earns'];
let clock: Referrals['clock'];
let ledger: Referrals['ledger'];
let url: string;

beforeAll(async () => {
  alone = await startReferrals();
  ({ person, enter, stats, creditsOf, paidTo, earns, clock, ledger, url } = alone);
});
afterAll(() => alone?.stop());

describe('what friends bring', () => {
  test('a tenth of everything earned after the link, with one floor, paid when the clock moves on', async () => {
    const [referrer, friend, other] = [await person(), await person({ earned: cord(1000) }), await person()];
    await enter(friend, referrer.code);
    await enter(other, referrer.code);
    await earns(friend, 1_000_005n);
    await earns(other, 9n);
    await vi.waitFor(async () => {
      await clock.advance(60_000);
      expect(paidTo(referrer.userId, 'commission')).toBe(100_001n);
    }, PATIENCE);
    expect(await stats(referrer)).toMatchObject({ totalReferrals: 2, totalEarnings: 0.100001 });
    const earnings = await call(url, referralEndpoints.earnings, {
      params: { userId: referrer.userId },
      token: referrer.token,
    });
    expect(earnings.body.total).toBe(0.100001);
  });

  test('the referrer gets 86 once the friend has run a node for ten minutes', async () => {
    const [referrer, friend] = [await person(), await person()];
    await enter(friend, referrer.code);
    await earns(friend, 1n, TEN_MINUTES - 1);
    await earns(friend, 1n, 1);
    await vi.waitFor(() => expect(paidTo(referrer.userId, 'refwelcome')).toBe(cord(86)), PATIENCE);
    await earns(friend, 1n, TEN_MINUTES);
    await vi.waitFor(async () => {
      const shown = await stats(referrer);
      expect(shown.referralHistory[0]).toMatchObject({ bonusStatus: 'credited', friendRanMs: 2 * TEN_MINUTES });
      expect(shown.totalEarnings).toBeGreaterThanOrEqual(86);
    }, PATIENCE);
    expect(creditsOf(referrer.userId, 'refwelcome')).toHaveLength(1);
  });

  test('while the ledger is away a payment stays fixed and comes once', async () => {
    const [referrer, friend] = [await person(), await person()];
    await enter(friend, referrer.code);
    ledger.down = true;
    await earns(friend, cord(10));
    await clock.advance(60_000);
    await earns(friend, cord(10));
    await clock.advance(60_000);
    expect(creditsOf(referrer.userId, 'commission')).toEqual([]);
    ledger.down = false;
    await vi.waitFor(async () => {
      await clock.advance(60_000);
      expect(paidTo(referrer.userId, 'commission')).toBe(cord(2));
    }, PATIENCE);
  });

  test('more friends than a bucket holds are all there and all paid for', async () => {
    const referrer = await person();
    const friends = await alone.people(260);
    for (let at = 0; at < friends.length; at += 20) {
      await Promise.all(friends.slice(at, at + 20).map((friend) => enter(friend, referrer.code)));
    }
    expect((await stats(referrer)).totalReferrals).toBe(260);
    await Promise.all(friends.map((friend) => earns(friend, 1_000_000n)));
    await alone.heard();
    await vi.waitFor(async () => {
      await clock.advance(60_000);
      expect(paidTo(referrer.userId, 'commission')).toBe(26_000_000n);
    }, PATIENCE);
  });
});
