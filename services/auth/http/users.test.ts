import { referralLinked } from '@cord/contracts/events/referral';
import { badgePurchased, claimMade } from '@cord/contracts/events/rewards';
import { checkinPerformed, taskCompleted } from '@cord/contracts/events/tasks';
import { type User, userEndpoints } from '@cord/contracts/http/users';
import { rankRpc } from '@cord/contracts/rpc/rank';
import { dayKey } from '@cord/contracts/rules/days';
import { call, collectLive, type LiveMessages } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { beforeAll, describe, expect, it } from 'vitest';
import { eventually, type Person, startAuth } from '../test/auth.js';
import { publish } from '../test/events.js';

const auth = forAllTests(() => startAuth());
let nova: Person;
let salt: Person;

beforeAll(async () => {
  nova = await auth.signUp('nova');
  salt = await auth.signUp('Old Salt', { createdAt: '2016-01-01' });
});

/** The record once the ledger has answered; a busy machine may miss the 200 ms. */
const recordOf = async ({ id, token }: typeof nova) =>
  eventually(async () => {
    const record = (await call(auth.url, userEndpoints.get, { token, params: { id } })).body as User;
    return record.current_balance !== null && record;
  });

/** The live messages of the record, without whose it is. */
const newsOf = ({ user }: LiveMessages) => user.map(({ updatedUser: { id: _, ...news } }) => news);

describe('the composed user record', () => {
  it('is complete for its owner, with null for every value that no service returned', async () => {
    const user = await recordOf(nova);
    expect(user).toMatchObject({
      id: nova.id,
      username: 'nova',
      rank: null,
      referralCode: null,
      totalReferrals: null,
      tasks_completed: 0,
      daily_checkin_claimed: false,
      hasbadgeofhonor: false,
      comp_claim: false,
      efficiencyMultiplier: 1,
      is_node_active: false,
      isAdmin: false,
      locale: 'und',
      theme: 'system',
    });
    expect(user.current_balance).toBe(user.lastsavedbalance);
    expect(user.current_balance).toBeGreaterThan(0);
    expect(user.rate).toBe(0.5 * user.multiplier);
  });

  it('is reduced to the public view for another user', async () => {
    const { body, text } = await call(auth.url, userEndpoints.get, { token: nova.token, params: { id: salt.id } });
    expect(Object.keys(body).sort()).toEqual(
      [
        'id',
        'username',
        'avatar',
        'account_age',
        'join_date',
        'total_earned',
        'hasbadgeofhonor',
        'is_node_active',
        'rank',
      ].sort(),
    );
    expect(text).not.toContain('balance');
  });

  it('shows the rank that the leaderboard returns', async () => {
    const serving = auth.backend.nats.serve(rankRpc, async () => ({ rank: 7 }));
    await eventually(async () => (await recordOf(nova)).rank === 7);
    await serving.stop();
    expect((await recordOf(nova)).rank).toBeNull();
  });

  it('follows the events of other services, and ignores an older event', async () => {
    const { nats } = auth.backend;
    const live = await collectLive(nats, nova.id);
    const today = dayKey(auth.clock.now());
    const code = { referralCode: 'ABCDEFGH', referredBy: { userId: salt.id, username: 'Old Salt' } };
    await publish(nats, taskCompleted, nova.id, 5, { taskId: 'x', rewardMicro: '1', claimedAt: 0, completed: 5 });
    await publish(nats, referralLinked, nova.id, 2, { ...code, totalReferrals: 3, earningsMicro: '86000000' });
    // A stream keeps the last message of a subject: the older ones come once the newer are read, and what follows in the same stream after them.
    await eventually(async () => {
      const user = await recordOf(nova);
      return user.tasks_completed === 5 && user.totalReferrals === 3;
    });
    await publish(nats, taskCompleted, nova.id, 4, { taskId: 'w', rewardMicro: '1', claimedAt: 0, completed: 4 });
    await publish(nats, referralLinked, nova.id, 1, { ...code, totalReferrals: 2, earningsMicro: '0' });
    await publish(nats, checkinPerformed, nova.id, 1, {
      dayKey: today,
      streak: 1,
      longestStreak: 1,
      totalCheckIns: 1,
      rewardMicro: '50000000',
      bonusMicro: '5000000',
    });
    await publish(nats, badgePurchased, nova.id, 1, { orderId: 'o', purchasedAt: 0, transaction: 't' });
    const compensation = { amountMicro: '5000000000', claimedAt: 0 };
    const claims = { compensation, cordclaim: null };
    await publish(nats, claimMade, nova.id, 1, { kind: 'compensation', ...compensation, claims });
    await eventually(async () => {
      const user = await recordOf(nova);
      return user.daily_checkin_claimed && user.comp_claim && user.hasbadgeofhonor;
    });
    expect(await recordOf(nova)).toMatchObject({
      tasks_completed: 5,
      daily_checkin_claimed: true,
      hasbadgeofhonor: true,
      comp_claim: true,
      referralCode: 'ABCDEFGH',
      referred_by: 'Old Salt',
      totalReferrals: 3,
      referralEarnings: 86,
    });
    // Sent live, but for the two that changed nothing.
    await expect.poll(() => newsOf(live)).toHaveLength(5);
    expect(Object.assign({}, ...newsOf(live))).toEqual({
      ...{ daily_checkin_claimed: true, serverTime: expect.stringContaining(today) },
      ...{ tasks_completed: 5, totalReferrals: 3, referralEarnings: 86, referralCode: 'ABCDEFGH' },
      ...{ comp_claim: true, hasbadgeofhonor: true },
    });
  });
});

describe('names', () => {
  it('returns the name for an id', async () => {
    const { body } = await call(auth.url, userEndpoints.username, { token: nova.token, params: { id: salt.id } });
    expect(body).toEqual({ username: 'Old Salt' });
  });

  it('resolves a shared name, in any case, to the account that signed in last', async () => {
    const second = await auth.signUp('Nova', { createdAt: '2021-01-01' });
    const find = async () =>
      (await call(auth.url, userEndpoints.byUsername, { token: salt.token, params: { username: 'NOVA' } })).body.id;
    expect(await find()).toBe(second.id);
  });

  it('responds 404 for unknown names and ids, and 400 for malformed ids', async () => {
    const { token } = nova;
    const unknown = '0'.repeat(32);
    expect((await call(auth.url, userEndpoints.byUsername, { token, params: { username: 'nobody' } })).status).toBe(
      404,
    );
    expect((await call(auth.url, userEndpoints.get, { token, params: { id: unknown } })).status).toBe(404);
    const bad = await call(auth.url, userEndpoints.get, { token, params: { id: 'x'.repeat(32) } });
    expect(bad.status).toBe(400);
    expect(bad.problem.errors?.[0]?.path).toBe('id');
  });
});

describe('writes by a user', () => {
  it('change locale and theme; every economic field is ignored, whatever its value', async () => {
    const before = await recordOf(nova);
    const body = {
      locale: 'de-AT',
      theme: 'light',
      current_balance: 1e9,
      total_earned: 'lots',
      multiplier: 10,
      hasbadgeofhonor: true,
      isAdmin: true,
      id: salt.id,
      username: 'admin',
      _isBackendUpdate: true,
      _isCordClaimUpdate: true,
    };
    const params = { id: nova.id };
    const { status } = await call(auth.url, userEndpoints.update, { token: nova.token, params, body });
    expect(status).toBe(200);
    const after = await recordOf(nova);
    expect(after).toEqual({
      ...before,
      locale: 'de-AT',
      theme: 'light',
      serverTime: after.serverTime,
      balanceAt: after.balanceAt,
    });
  });

  it('work the same for client B, and a change of them or of the role is sent live once', async () => {
    const live = await collectLive(auth.backend.nats, salt.id);
    const dark = { token: salt.token, body: { theme: 'dark' } } as const;
    const { body } = await call(auth.url, userEndpoints.updateProfile, dark);
    expect(body).toMatchObject({ id: salt.id, theme: 'dark' });
    await call(auth.url, userEndpoints.updateProfile, dark);
    for (let n = 0; n < 2; n += 1) await auth.makeAdmin(salt);
    await call(auth.url, userEndpoints.updateProfile, { token: salt.token, body: { locale: 'de' } });
    const both = { locale: 'de', theme: 'dark' };
    await eventually(async () => newsOf(live).length > 2);
    expect(newsOf(live)).toEqual([{ ...both, locale: 'und' }, { isAdmin: true }, both]);
  });

  it('cannot create a user: only a sign-in can', async () => {
    const answer = await call(auth.url, userEndpoints.create, { token: nova.token, body: { username: 'x' } });
    expect(answer.status).toBe(403);
  });
});

describe('client B’s figures and pictures', () => {
  it('GET /users/stats returns the user’s own figures', async () => {
    const { body } = await call(auth.url, userEndpoints.stats, { token: nova.token });
    expect(body).toMatchObject({ id: nova.id, tasks_completed: 5, totalReferrals: 3 });
    expect(Object.keys(body)).not.toContain('username');
  });

  it('a user without a picture has avatar null and gets 404', async () => {
    const own = { token: nova.token, params: { id: nova.id } };
    expect((await call(auth.url, userEndpoints.get, own)).body).toMatchObject({ avatar: null });
    expect((await fetch(`${auth.url}/api/users/${nova.id}/avatar`)).status).toBe(404);
  });
});

// The ledger does not come back: last.
describe('the composed user record while the ledger does not respond', () => {
  it('has null for every figure of the ledger, with no earlier value', async () => {
    const { token, id } = salt;
    await auth.ledger.stop();
    const { body } = await call(auth.url, userEndpoints.get, { token, params: { id } });
    expect(body).toMatchObject({
      username: 'Old Salt',
      current_balance: null,
      total_earned: null,
      weekly_earnings: null,
      is_node_active: null,
      balanceSeq: null,
      rate: null,
      tasks_completed: 0,
    });
  });
});
