import { userRegistered } from '@cord/contracts/events/user';
import { checkinEndpoints } from '@cord/contracts/http/checkin';
import { dayKey } from '@cord/contracts/rules/days';
import { call, randomId } from '@cord/kit/testing/index';
import { PATIENCE_MS } from '@cord/kit/testing/patience';
import { registered } from '@cord/kit/testing/registered';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { HOUR, openTaskCenter, type TaskCenter } from './test/people.js';

let alone: TaskCenter;
let url: string;
let clock: TaskCenter['clock'];
let ledger: TaskCenter['ledger'];
let publish: TaskCenter['publish'];
let newcomer: TaskCenter['newcomer'];

beforeAll(async () => {
  alone = await openTaskCenter();
  ({ url, clock, ledger, publish, newcomer } = alone);
});
afterAll(() => alone?.stop());

describe('the daily check-in over HTTP', () => {
  const checkIn = (user: { userId: string; token: string }) =>
    call(url, checkinEndpoints.perform, { body: { userId: user.userId }, token: user.token });
  const status = async (user: { userId: string; token: string }) =>
    (await call(url, checkinEndpoints.status, { params: { userId: user.userId }, token: user.token })).body;

  test('two check-ins at once credit once', async () => {
    const user = await newcomer();
    const answers = await Promise.all([checkIn(user), checkIn(user)]);
    expect(answers.map((each) => each.status).sort()).toEqual([200, 409]);
    expect(ledger.balanceMicro(user.userId)).toBe(55_000_000n);
  });

  test('while claims are switched off nobody checks in or claims, in words; nothing is written, and later it can be made', async () => {
    const user = await newcomer();
    // Somebody else asks until it is heard: a call before that is a good one.
    const another = await newcomer();
    await alone.signer.state.setSwitches(['claims']);
    try {
      await expect.poll(async () => (await checkIn(another)).problem?.type).toBe('switched-off');
      const refused = await checkIn(user);
      expect([refused.status, refused.problem.error]).toEqual([503, expect.stringContaining('Claims are paused')]);
      expect((await user.complete('early-adopter')).problem.type).toBe('switched-off');
      expect(await status(user)).toMatchObject({ canCheckIn: true });
    } finally {
      await alone.signer.state.setSwitches([]);
    }
    await expect.poll(async () => (await checkIn(user)).status).toBe(200);
    expect(ledger.balanceMicro(user.userId)).toBe(55_000_000n);
  });

  test('a day on which claims were off breaks no streak, pays nothing, and is shown with its reason; a day after it does', async () => {
    const user = await newcomer();
    for (let day = 0; day < 3; day += 1) {
      expect((await checkIn(user)).status).toBe(200);
      await clock.advance(24 * HOUR);
    }
    const fromMs = clock.now();
    const offDay = dayKey(fromMs);
    await clock.advance(24 * HOUR);
    await alone.signer.state.setSwitches([], [{ name: 'claims', fromMs, toMs: clock.now() }]);
    const excused = [{ dayKey: offDay, reason: 'claims-off' }];
    await expect.poll(async () => (await status(user)).excused).toEqual(excused);
    expect(await status(user)).toMatchObject({ canCheckIn: true, currentStreak: 3, nextBonus: 20 });
    expect((await user.task('daily-checkin')).reward).toBe(70);
    // Auth keeps the latest spans only; the day stands here, in this replica and in one that starts anew.
    await alone.signer.state.setSwitches([]);
    const other = await alone.replica();
    const params = { userId: user.userId };
    const there = await call(other.url, checkinEndpoints.status, { params, token: user.token });
    expect(there.body).toMatchObject({ currentStreak: 3, excused });
    await other.close();
    expect((await checkIn(user)).body).toMatchObject({ bonusAmount: 20, newStreak: 4 });
    expect(ledger.balanceMicro(user.userId)).toBe(250_000_000n);
    await clock.advance(48 * HOUR);
    expect(await status(user)).toMatchObject({ currentStreak: 0 });
  });

  test('who returns after an erasure checks in from the next day on', async () => {
    const user = await newcomer({ returning: true });
    const refused = await checkIn(user);
    expect([refused.status, refused.problem.type]).toEqual([422, 'check-in-once']);
    expect(await status(user)).toMatchObject({ canCheckIn: false, currentStreak: 0 });
    expect(ledger.balanceMicro(user.userId)).toBe(0n);
    await clock.advance(Date.parse((await status(user)).nextCheckInTime) - clock.now());
    expect((await checkIn(user)).body).toMatchObject({ rewardAmount: 50, newStreak: 1 });
  });

  test('before auth has told of the user nothing is promised; the call can be made again', async () => {
    const userId = randomId();
    const user = { userId, token: await alone.tokenOf(userId) };
    const early = await checkIn(user);
    expect([early.status, early.problem.type]).toEqual([503, 'user-not-known-yet']);
    expect(ledger.balanceMicro(userId)).toBe(0n);
    await publish(userRegistered, userId, registered(clock.now()));
    await vi.waitFor(async () => expect((await checkIn(user)).status).toBe(200), PATIENCE_MS);
    expect(ledger.balanceMicro(userId)).toBe(55_000_000n);
  });

  test('the streak grows day by day and the mirrored task follows', async () => {
    const user = await newcomer();
    expect((await user.task('daily-checkin')).reward).toBe(55);
    expect((await checkIn(user)).body).toMatchObject({
      rewardAmount: 50,
      bonusAmount: 5,
      newStreak: 1,
      newBalance: 55,
    });
    expect(await user.task('daily-checkin')).toMatchObject({ completed: true, claimable: false });
    await clock.advance(24 * HOUR);
    expect(await status(user)).toMatchObject({ canCheckIn: true, currentStreak: 1, nextBonus: 10 });
    expect((await checkIn(user)).body).toMatchObject({ bonusAmount: 10, newStreak: 2 });
    expect(await status(user)).toMatchObject({
      canCheckIn: false,
      currentStreak: 2,
      stats: { longestStreak: 2, totalCheckIns: 2 },
    });
    const history = await call(url, checkinEndpoints.history, {
      params: { userId: user.userId },
      token: user.token,
    });
    expect(history.body.map((day) => day.streak)).toEqual([2, 1]);
    const stats = await call(url, checkinEndpoints.stats, { params: { userId: user.userId }, token: user.token });
    expect(stats.body).toEqual({ currentStreak: 2, longestStreak: 2, totalCheckIns: 2, totalEarned: 115 });
  });
});
