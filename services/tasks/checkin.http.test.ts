import { userErased, userRegistered } from '@cord/contracts/events/user';
import { checkinEndpoints } from '@cord/contracts/http/checkin';
import { dayKey } from '@cord/contracts/rules/days';
import { call, randomId } from '@cord/kit/testing/index';
import { forAllTests, stopAfterTest } from '@cord/kit/testing/lifetimes';
import { PATIENCE_MS } from '@cord/kit/testing/patience';
import { registered, serveRegistrations } from '@cord/kit/testing/registered';
import { describe, expect, test, vi } from 'vitest';
import { HOUR, openTaskCenter } from './test/people.js';

const tasks = forAllTests(() => openTaskCenter());

describe('the daily check-in over HTTP', () => {
  const record = async (userId: string) =>
    (await tasks.backend.storeOf('tasks')).collection<{ _id: string }>('records').findOne({ _id: userId });
  /** Waits until all published user events are handled. */
  const allHandled = () =>
    expect
      .poll(async () => {
        const { jsm } = tasks.backend.nats;
        const { last_seq } = (await jsm.streams.info('CORD_USERS')).state;
        const { ack_floor } = await jsm.consumers.info('CORD_USERS', 'tasks');
        return ack_floor.stream_seq - last_seq;
      })
      .toBe(0);
  const checkIn = (user: { userId: string; token: string }) =>
    call(tasks.url, checkinEndpoints.perform, { body: { userId: user.userId }, token: user.token });
  const status = async (user: { userId: string; token: string }) =>
    (await call(tasks.url, checkinEndpoints.status, { params: { userId: user.userId }, token: user.token })).body;

  test('and claims get 503 while claims are switched off; nothing is written, and both work afterwards', async () => {
    const user = await tasks.newcomer();
    // Another user calls until the switch takes effect: a call before that succeeds.
    const another = await tasks.newcomer();
    await tasks.signer.state.setSwitches(['claims']);
    try {
      await expect.poll(async () => (await checkIn(another)).problem?.type).toBe('switched-off');
      const refused = await checkIn(user);
      expect([refused.status, refused.problem.error]).toEqual([503, expect.stringContaining('Claims are paused')]);
      expect((await user.complete('early-adopter')).problem.type).toBe('switched-off');
      expect(await status(user)).toMatchObject({ canCheckIn: true });
    } finally {
      await tasks.signer.state.setSwitches([]);
    }
    await expect.poll(async () => (await checkIn(user)).status).toBe(200);
    expect(tasks.ledger.balanceMicro(user.userId)).toBe(55_000_000n);
  });

  test('keeps a streak over a day on which claims were off, without pay, and shows the day with its reason', async () => {
    const user = await tasks.newcomer();
    for (let day = 0; day < 3; day += 1) {
      expect((await checkIn(user)).status).toBe(200);
      await tasks.clock.advance(24 * HOUR);
    }
    const fromMs = tasks.clock.now();
    const offDay = dayKey(fromMs);
    await tasks.clock.advance(24 * HOUR);
    await tasks.signer.state.setSwitches([], [{ name: 'claims', fromMs, toMs: tasks.clock.now() }]);
    const excused = [{ dayKey: offDay, reason: 'claims-off' }];
    await expect.poll(async () => (await status(user)).excused).toEqual(excused);
    expect(await status(user)).toMatchObject({ canCheckIn: true, currentStreak: 3, nextBonus: 20 });
    expect((await user.task('daily-checkin')).reward).toBe(70);
    // Auth keeps only the latest spans; the day stays stored, in this replica and in a new one.
    await tasks.signer.state.setSwitches([]);
    const other = await tasks.replica();
    const params = { userId: user.userId };
    const there = await call(other.url, checkinEndpoints.status, { params, token: user.token });
    expect(there.body).toMatchObject({ currentStreak: 3, excused });
    await other.close();
    expect((await checkIn(user)).body).toMatchObject({ bonusAmount: 20, newStreak: 4 });
    expect(tasks.ledger.balanceMicro(user.userId)).toBe(250_000_000n);
    await tasks.clock.advance(48 * HOUR);
    expect(await status(user)).toMatchObject({ currentStreak: 0 });
  });

  test('is possible from the next day on for a user who returns after an erasure', async () => {
    const user = await tasks.newcomer({ returning: true });
    const refused = await checkIn(user);
    expect([refused.status, refused.problem.type]).toEqual([422, 'check-in-once']);
    expect(await status(user)).toMatchObject({ canCheckIn: false, currentStreak: 0 });
    expect(tasks.ledger.balanceMicro(user.userId)).toBe(0n);
    await tasks.clock.advance(Date.parse((await status(user)).nextCheckInTime) - tasks.clock.now());
    expect((await checkIn(user)).body).toMatchObject({ rewardAmount: 50, newStreak: 1 });
  });

  test('gets 503 while the user’s event is missing and auth does not respond, and can be retried', async () => {
    const userId = randomId();
    const user = { userId, token: await tasks.tokenOf(userId) };
    const early = await checkIn(user);
    expect([early.status, early.problem.type]).toEqual([503, 'user-not-known-yet']);
    expect(tasks.ledger.balanceMicro(userId)).toBe(0n);
    await tasks.publish(userRegistered, userId, registered(tasks.clock.now()));
    await vi.waitFor(async () => expect((await checkIn(user)).status).toBe(200), PATIENCE_MS);
    expect(tasks.ledger.balanceMicro(userId)).toBe(55_000_000n);
  });

  test('requests a user from auth once if the event has not arrived; the event then changes nothing', async () => {
    const userId = randomId();
    const user = { userId, token: await tasks.tokenOf(userId) };
    const state = registered(tasks.clock.now());
    const auth = stopAfterTest(await serveRegistrations(tasks.backend.nats, () => state));
    const answers = await Promise.all([checkIn(user), checkIn(user)]);
    expect(answers.map((each) => each.status).sort()).toEqual([200, 409]);
    expect(tasks.ledger.balanceMicro(userId)).toBe(55_000_000n);
    const before = await record(userId);
    await tasks.publish(userRegistered, userId, state);
    await allHandled();
    expect(await record(userId)).toEqual(before);
    expect((await checkIn(user)).status).toBe(409);
    expect(auth.requested).toEqual([userId]);
  });

  test('is refused for an erased user, without a request to auth', async () => {
    const userId = randomId();
    const user = { userId, token: await tasks.tokenOf(userId) };
    const auth = stopAfterTest(await serveRegistrations(tasks.backend.nats, () => registered(tasks.clock.now())));
    await tasks.publish(userErased, userId, {}, 2);
    await allHandled();
    const refused = await checkIn(user);
    expect([refused.status, refused.problem.type]).toEqual([422, 'account-erased']);
    expect([await record(userId), auth.requested]).toMatchObject([{ erased: true }, []]);
  });

  test('extends the streak day by day, and completes the mirrored task', async () => {
    const user = await tasks.newcomer();
    expect((await user.task('daily-checkin')).reward).toBe(55);
    expect((await checkIn(user)).body).toMatchObject({
      rewardAmount: 50,
      bonusAmount: 5,
      newStreak: 1,
      newBalance: 55,
    });
    expect(await user.task('daily-checkin')).toMatchObject({ completed: true, claimable: false });
    await tasks.clock.advance(24 * HOUR);
    expect(await status(user)).toMatchObject({ canCheckIn: true, currentStreak: 1, nextBonus: 10 });
    expect((await checkIn(user)).body).toMatchObject({ bonusAmount: 10, newStreak: 2 });
    expect(await status(user)).toMatchObject({
      canCheckIn: false,
      currentStreak: 2,
      stats: { longestStreak: 2, totalCheckIns: 2 },
    });
    const history = await call(tasks.url, checkinEndpoints.history, {
      params: { userId: user.userId },
      token: user.token,
    });
    expect(history.body.map((day) => day.streak)).toEqual([2, 1]);
    const stats = await call(tasks.url, checkinEndpoints.stats, { params: { userId: user.userId }, token: user.token });
    expect(stats.body).toEqual({ currentStreak: 2, longestStreak: 2, totalCheckIns: 2, totalEarned: 115 });
  });
});
