import { describe, expect, inject, test } from 'vitest';
import { advance } from '../../test/kit/clock.ts';
import { signInByCookie } from '../../test/kit/people.ts';
import { makeAccount } from '../people.js';
import { type Caller, call, signInByBearer } from './client.js';

const origin = inject('origin');
// biome-ignore lint/suspicious/noExplicitAny: answers are compared by value
type Body = any;
const get = async (caller: Caller, path: string) => (await call(caller, { method: 'GET', path })).body as Body;
const post = async (caller: Caller, path: string, body: unknown = {}) =>
  (await call(caller, { method: 'POST', path }, { body })).body as Body;

describe('both clients, with plain fetch', () => {
  test('client A signs in by cookie, mines, checks in, claims and signs out', async () => {
    const account = await makeAccount(origin, 5.5);
    const me = await signInByCookie(origin, account.id);
    expect(me.landing).toContain('/?welcome=new');
    const { user, welcome } = (await get(me, '/auth/me')) as {
      user: { id: string };
      welcome: { credited: number };
    };
    // It is unknown while mining does not respond in time.
    await expect.poll(async () => (await get(me, `/users/${user.id}`)).current_balance).toBe(welcome.credited);
    const session = (await post(me, `/users/${user.id}/mining/start`)) as unknown as { id: string; rate: number };
    await advance(origin, '3s');
    const saved = await post(me, `/users/${user.id}/mining/${session.id}/save`, {
      earningsToAdd: 1_000_000,
      miningRate: 9,
    });
    expect(saved.credited as number).toBeGreaterThan((session.rate / 60) * 2.5);
    expect(saved.credited as number).toBeLessThan((session.rate / 60) * 20);
    const ended = await post(me, `/mining/${session.id}/end`, { finalEarnings: 1_000_000 });
    expect(ended.success).toBe(true);
    const checkin = await post(me, '/daily-checkin/perform', { userId: user.id });
    expect(checkin).toMatchObject({ success: true, rewardAmount: 50, bonusAmount: 5, newStreak: 1 });
    const task = await post(me, `/users/${user.id}/tasks/early-adopter/complete`, { rewardAmount: 1 });
    expect(task).toMatchObject({ success: true, reward: 2625 });
    const compensation = await post(me, '/compensation/claim', { userId: user.id });
    expect(compensation).toMatchObject({ success: true, rewardAmount: 5000 });
    const mined = (ended.newBalance as number) - welcome.credited;
    const due = Number((welcome.credited + mined + 55 + 2625 + 5000).toFixed(6));
    expect(compensation.newBalance as number).toBeCloseTo(due, 6);
    await expect.poll(async () => (await get(me, `/users/${user.id}`)).current_balance).toBeCloseTo(due, 6);
    expect((await call(me, { method: 'POST', path: '/auth/logout' }, { body: {} })).status).toBe(204);
    await expect.poll(async () => (await call(me, { method: 'GET', path: '/auth/me' })).status).toBe(401);
  });

  test('client B signs in by bearer with a friend’s code, mines by its own paths and signs out', async () => {
    const friend = await signInByBearer(origin);
    await expect
      .poll(async () => (await get(friend, '/referrals/stats')).referralCode as unknown as string)
      .toMatch(/^[A-Z0-9]{8}$/);
    const { referralCode } = (await get(friend, '/referrals/stats')) as unknown as { referralCode: string };
    const me = await signInByBearer(origin, 3.5, referralCode);
    await expect
      .poll(async () => (await get(me, '/referrals/stats')).referredBy as unknown)
      .toMatchObject({ userId: friend.userId });
    await post(me, '/mining/start');
    await advance(origin, '1500ms');
    const updated = await post(me, '/mining/update', { earnings: 99, hashRate: 1, efficiency: 1 });
    expect(updated.credited as number).toBeGreaterThan(0);
    expect(await get(me, '/mining/stats')).toMatchObject({ isActive: true });
    expect(await post(me, '/mining/stop')).toMatchObject({ success: true });
    expect(await get(me, '/referrals/history')).toEqual([]);
    expect(await get(friend, '/referrals/history')).toHaveLength(1);
    expect(await get(me, '/referrals/earnings?period=all')).toMatchObject({ total: expect.any(Number) });
    expect(await get(me, '/users/stats')).toMatchObject({ id: me.userId });
    const changed = await call(
      me,
      { method: 'PUT', path: '/users/profile' },
      { body: { theme: 'light', current_balance: 1e9 } },
    );
    expect(changed.body).toMatchObject({ theme: 'light' });
    expect((changed.body as { current_balance: number }).current_balance).toBeLessThan(1e6);
    expect(await get(me, '/leaderboard?period=all-time&limit=100')).not.toHaveLength(0);
    expect(await get(me, '/leaderboard/stats')).toMatchObject({ totalMiners: expect.any(Number) });
    expect((await call(me, { method: 'POST', path: '/auth/logout' }, { body: {} })).status).toBe(204);
    await expect.poll(async () => (await call(me, { method: 'GET', path: '/auth/me' })).status).toBe(401);
  });
});
