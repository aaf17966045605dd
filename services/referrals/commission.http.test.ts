import { referralEndpoints } from '@cord/contracts/http/referrals';
import { COMMISSION_STEP_MICRO } from '@cord/contracts/rpc/ledger';
import { cord } from '@cord/contracts/rules/money';
import { crowdSize } from '@cord/kit/testing/crowd-size';
import { call, collectLive } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { describe, expect, test, vi } from 'vitest';
import { BUCKET_LINES_MAX } from './domain/sums.js';
import { PATIENCE, startReferrals, TEN_MINUTES } from './test/people.js';

/** A small bucket behaves like a large one when full. */
const LINES_MAX = crowdSize(8, BUCKET_LINES_MAX);

const referrals = forAllTests(() => startReferrals({ linesMax: LINES_MAX }));

describe('the commission of a referrer', () => {
  test('is a tenth of all that friends earn after the link, rounded down once, paid when the clock moves on', async () => {
    const [referrer, friend, other] = [
      await referrals.person(),
      await referrals.person({ earned: cord(1000) }),
      await referrals.person(),
    ];
    await referrals.joins(friend, referrer.code);
    await referrals.joins(other, referrer.code);
    await referrals.earns(friend, 1_000_005n);
    await referrals.earns(other, 9n);
    await vi.waitFor(async () => {
      await referrals.clock.advance(60_000);
      expect(referrals.paidTo(referrer.userId, 'commission')).toBe(100_001n);
    }, PATIENCE);
    // The friends' records are updated after their credits.
    await vi.waitFor(async () => {
      expect(await referrals.stats(referrer)).toMatchObject({ totalReferrals: 2, totalEarnings: 0.100001 });
      const earnings = await call(referrals.url, referralEndpoints.earnings, {
        params: { userId: referrer.userId },
        token: referrer.token,
      });
      expect(earnings.body).toMatchObject({ total: 0.100001, isWhole: true });
    }, PATIENCE);
  });

  test('has a total over all earnings, and the response marks a list of more than 1,000 as incomplete', async () => {
    const referrer = await referrals.person();
    const bonus = {
      userId: referrer.userId,
      source: 'refwelcome' as const,
      amountMicro: cord(86).toString(),
      reason: '',
    };
    const bonuses = Array.from({ length: 1_001 }, (_, n) => ({ ...bonus, key: `refwelcome:${referrer.userId}:${n}` }));
    referrals.ledger.credits.push(...bonuses);
    const { userId, token } = referrer;
    const { body } = await call(referrals.url, referralEndpoints.earnings, { params: { userId }, token });
    expect([body.total, body.earnings.length, body.isWhole]).toEqual([86 * 1_001, 1_000, false]);
  });

  test('comes with 86 CORD once, when the friend’s node has run for ten minutes', async () => {
    const [referrer, friend] = [await referrals.person(), await referrals.person()];
    await referrals.joins(friend, referrer.code);
    await referrals.earns(friend, 1n, TEN_MINUTES - 1);
    await referrals.earns(friend, 1n, 1);
    await vi.waitFor(() => expect(referrals.paidTo(referrer.userId, 'refwelcome')).toBe(cord(86)), PATIENCE);
    await referrals.earns(friend, 1n, TEN_MINUTES);
    await vi.waitFor(async () => {
      const shown = await referrals.stats(referrer);
      expect(shown.referralHistory[0]).toMatchObject({ bonusStatus: 'credited', friendRanMs: 2 * TEN_MINUTES });
      expect(shown.totalEarnings).toBeGreaterThanOrEqual(86);
    }, PATIENCE);
    expect(referrals.creditsOf(referrer.userId, 'refwelcome')).toHaveLength(1);
  });

  test('is reported at once after a quiet minute, otherwise within the minute or when the clock is moved', async () => {
    const [referrer, friend] = [await referrals.person(), await referrals.person()];
    await referrals.joins(friend, referrer.code);
    await referrals.clock.advance(2 * 60_000);
    await referrals.earns(friend, cord(10));
    await vi.waitFor(() => expect(referrals.paidTo(referrer.userId, 'commission')).toBe(cord(1)), PATIENCE);
    await referrals.earns(friend, cord(10));
    await referrals.handled();
    expect(referrals.paidTo(referrer.userId, 'commission')).toBe(cord(1));
    await referrals.clock.advance(1);
    expect(referrals.paidTo(referrer.userId, 'commission')).toBe(cord(2));
  });

  test('of a running node is ahead of the friends’ records, which follow when the clock is moved', async () => {
    const [referrer, friend] = [await referrals.person(), await referrals.person()];
    await referrals.joins(friend, referrer.code);
    await referrals.clock.advance(2 * 60_000);
    const inBooks = async () => (await referrals.stats(referrer)).referralHistory[0]?.totalEarnings;
    await referrals.runs(friend, cord(10));
    await vi.waitFor(() => expect(referrals.paidTo(referrer.userId, 'commission')).toBe(cord(1)), PATIENCE);
    await referrals.runs(friend, cord(10));
    await referrals.handled();
    expect([await inBooks(), referrals.paidTo(referrer.userId, 'commission')]).toEqual([1, cord(1)]);
    await referrals.clock.advance(1);
    expect([await inBooks(), referrals.paidTo(referrer.userId, 'commission')]).toEqual([2, cord(2)]);
  });

  test('is sent live to the referrer, a new link to both, and a refused code to nobody', async () => {
    const [referrer, friend] = [await referrals.person(), await referrals.person()];
    const [one, other] = await Promise.all(
      [referrer, friend].map(({ userId }) => collectLive(referrals.backend.nats, userId)),
    );
    expect((await referrals.enter(friend, friend.code)).status).toBe(422);
    expect((await referrals.enter(friend, referrer.code)).status).toBe(200);
    expect((await referrals.enter(friend, referrer.code)).status).toBe(409);
    const states = (live: typeof one) => [...new Set(live?.referrals.map(({ seq }) => Number(seq)))];
    await vi.waitFor(() => expect(Math.min(states(one).length, states(other).length)).toBeGreaterThan(0), PATIENCE);
    for (let payments = 1; payments <= 3; payments += 1) {
      const before = states(one).length;
      await referrals.earns(friend, cord(10 * payments));
      await vi.waitFor(async () => {
        await referrals.clock.advance(60_000);
        expect(states(one).length).toBeGreaterThan(before);
      }, PATIENCE);
    }
    expect((await referrals.stats(referrer)).totalEarnings).toBeGreaterThanOrEqual(3);
    expect(states(one)).toEqual([...states(one)].sort((a, b) => a - b));
    // A slow relay may publish the link in two states; no payment publishes another one.
    expect(states(other).length).toBeLessThanOrEqual(2);
  });

  test('above the ledger’s limit is sent again until the ledger has all of it', async () => {
    const [referrer, friend] = [await referrals.person(), await referrals.person()];
    await referrals.joins(friend, referrer.code);
    const dueMicro = COMMISSION_STEP_MICRO * 2n + 5n;
    await referrals.earns(friend, dueMicro * 10n);
    await vi.waitFor(() => expect(referrals.paidTo(referrer.userId, 'commission')).toBe(dueMicro), PATIENCE);
    expect(referrals.creditsOf(referrer.userId, 'commission')).toHaveLength(3);
  });

  test('is no longer reported for a referrer who is erased in the ledger', async () => {
    const [referrer, friend] = [await referrals.person(), await referrals.person()];
    await referrals.joins(friend, referrer.code);
    referrals.ledger.erased.add(referrer.userId);
    await referrals.earns(friend, cord(10));
    await referrals.handled();
    await referrals.clock.advance(60_000);
    const store = await referrals.backend.storeOf('referrals');
    const left = await store.collection<{ _id: string }>('members').findOne({ _id: referrer.userId });
    expect(left).not.toBeNull();
    expect(left).not.toHaveProperty('dueAt');
    expect(referrals.creditsOf(referrer.userId, 'commission')).toEqual([]);
  });

  test('counts all friends, even if they fill more than one bucket', async () => {
    const referrer = await referrals.person();
    const friends = await referrals.people(LINES_MAX + 4);
    for (let at = 0; at < friends.length; at += 20) {
      await Promise.all(friends.slice(at, at + 20).map((friend) => referrals.joins(friend, referrer.code)));
    }
    expect((await referrals.stats(referrer)).totalReferrals).toBe(friends.length);
    await Promise.all(friends.map((friend) => referrals.earns(friend, 1_000_000n)));
    await referrals.handled();
    await vi.waitFor(async () => {
      await referrals.clock.advance(60_000);
      expect(referrals.paidTo(referrer.userId, 'commission')).toBe(BigInt(friends.length) * 100_000n);
    }, PATIENCE);
  });
});
