import { balanceChanged } from '@cord/contracts/events/balance';
import { nodeStarted, nodeStopped } from '@cord/contracts/events/node';
import { referralLinked } from '@cord/contracts/events/referral';
import { userErased, userRegistered } from '@cord/contracts/events/user';
import { checkinEndpoints } from '@cord/contracts/http/checkin';
import { taskEndpoints, type UserTask } from '@cord/contracts/http/tasks';
import { weekKey } from '@cord/contracts/rules/days';
import { YEAR_MS } from '@cord/contracts/rules/tiers';
import { restingAccount } from '@cord/kit/testing/account-state';
import { type Fixture, startFixture } from '@cord/kit/testing/fixture';
import { call, randomId } from '@cord/kit/testing/index';
import { registered } from '@cord/kit/testing/registered';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { service } from './service.js';

const NOON = Date.UTC(2026, 10, 18, 12);
const HOUR = 3_600_000;

let alone: Fixture;
let url: string;
let clock: Fixture['clock'];
let ledger: Fixture['ledger'];
let tell: Fixture['tell'];

beforeAll(async () => {
  alone = await startFixture(service, NOON);
  ({ url, clock, ledger, tell } = alone);
});
afterAll(() => alone?.stop());

/** A user of 5.5 years whom auth has told of. */
async function newcomer({ returning = false } = {}) {
  const userId = randomId();
  const token = await alone.tokenOf(userId);
  const discordCreatedAt = clock.now() - 5.5 * YEAR_MS;
  await tell(userRegistered, userId, registered(clock.now(), { discordCreatedAt, returning }));
  const mine = async () => (await call(url, taskEndpoints.mine, { params: { id: userId }, token })).body;
  const task = async (id: string) => (await mine()).find((each) => each.id === id) as UserTask;
  const complete = (taskId: string) =>
    call(url, taskEndpoints.complete, { params: { id: userId, taskId }, body: { rewardAmount: 1e9 }, token });
  await vi.waitFor(async () => expect((await task('early-adopter')).progress).toBe(1), 5_000);
  return { userId, token, mine, task, complete };
}

const session = (startedAt: number, until: number) => ({
  sessionId: randomId(),
  startedAt,
  creditedUntil: until,
  leaseUntil: until + 8 * HOUR,
  earnings: '0',
  sessionMs: until - startedAt,
  ranMs: until - startedAt,
});

async function admin() {
  const userId = randomId();
  await alone.signer.state.setRoles(userId, ['admin']);
  const token = await alone.tokenOf(userId);
  await vi.waitFor(async () => {
    const { status } = await call(url, taskEndpoints.remove, { params: { id: 'no-such-task' }, token });
    expect(status).toBe(404);
  }, 5_000);
  return token;
}

describe('tasks over HTTP', () => {
  test('the seeded catalogue is there, with base rewards', async () => {
    const { token } = await newcomer();
    const { body } = await call(url, taskEndpoints.list, { token });
    expect(Object.fromEntries(body.map((task) => [task.id, task.reward]))).toMatchObject({
      'mine-1-hour': 35,
      'weekly-mining': 200,
      'invite-friends': 150,
      'early-adopter': 750,
      'social-media-master': 500,
    });
    const daily = await call(url, taskEndpoints.byType, { params: { type: 'daily' }, token });
    expect(daily.body.map((task) => task.id)).toEqual(['daily-checkin', 'mine-1-hour']);
    expect((await call(url, taskEndpoints.byType, { params: { type: 'strange' }, token })).body).toEqual([]);
  });

  test('a claim credits base times multiplier once, whatever amount was sent', async () => {
    const user = await newcomer();
    const { status, body } = await user.complete('early-adopter');
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: true, reward: 2625, newBalance: 2625, pending: false });
    expect(body.updatedUser).toMatchObject({ id: user.userId, tasks_completed: 1, current_balance: 2625 });
    const again = await user.complete('early-adopter');
    expect(again.status).toBe(409);
    expect(again.problem.error).toBe('This task has already been completed');
    expect(ledger.balanceMicro(user.userId)).toBe(2_625_000_000n);
  });

  test('sixty-four claims at once credit once', async () => {
    const user = await newcomer();
    const answers = await Promise.all(Array.from({ length: 64 }, () => user.complete('early-adopter')));
    expect(answers.filter((each) => each.status === 200)).toHaveLength(1);
    expect(answers.filter((each) => each.status === 409)).toHaveLength(63);
    expect(ledger.credits.filter((each) => each.userId === user.userId)).toHaveLength(1);
  });

  test('a claim while the ledger is away is pending and comes without another call', async () => {
    const user = await newcomer();
    ledger.down = true;
    const { status, body } = await user.complete('early-adopter');
    ledger.down = false;
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: true, reward: 2625, newBalance: null, pending: true });
    await clock.advance(6_000);
    await vi.waitFor(() => expect(ledger.balanceMicro(user.userId)).toBe(2_625_000_000n), 10_000);
  });

  test('an unfinished or unknown task is refused by its text', async () => {
    const user = await newcomer();
    const early = await user.complete('mine-1-hour');
    expect([early.status, early.problem.error]).toEqual([422, 'This task is not complete yet']);
    const unknown = await user.complete('no-such-task');
    expect([unknown.status, unknown.problem.error]).toEqual([404, 'Task not found']);
    expect(ledger.balanceMicro(user.userId)).toBe(0n);
  });

  test('node sessions of the day complete mine-1-hour, also while the node runs', async () => {
    const user = await newcomer();
    const running = session(clock.now() - HOUR / 2, clock.now());
    await tell(nodeStarted, user.userId, running, 5);
    await vi.waitFor(async () => expect((await user.task('mine-1-hour')).progress).toBe(1800), 5_000);
    await clock.advance(HOUR / 2);
    expect((await user.task('mine-1-hour')).claimable).toBe(true);
    await tell(nodeStopped, user.userId, { ...running, creditedUntil: running.startedAt + HOUR }, 9);
    expect((await user.complete('mine-1-hour')).body.reward).toBe(122.5);
  });

  test('weekly mining follows the ledger, friends follow referrals', async () => {
    const user = await newcomer();
    const period = (key: string) => ({ key, micro: '0', miningMicro: '1000000000', reachedAt: 0 });
    await tell(balanceChanged, user.userId, {
      ...restingAccount(),
      day: period('2026-11-18'),
      week: period(weekKey(clock.now())),
      month: period('2026-11'),
    });
    await tell(referralLinked, user.userId, {
      referralCode: 'K7M2QX9D',
      referredBy: null,
      totalReferrals: 3,
      earningsMicro: '0',
    });
    await vi.waitFor(async () => {
      expect((await user.task('weekly-mining')).claimable).toBe(true);
      expect((await user.task('invite-friends')).claimable).toBe(true);
    }, 5_000);
  });

  test('a social task is visited, waits five seconds, and is claimed once', async () => {
    const user = await newcomer();
    const visit = () =>
      call(url, taskEndpoints.visit, { params: { id: user.userId, taskId: 'follow-x' }, token: user.token });
    expect((await user.complete('follow-x')).status).toBe(422);
    await visit();
    await clock.advance(4_000);
    await visit();
    expect((await user.complete('follow-x')).status).toBe(422);
    await clock.advance(1_000);
    expect((await user.complete('follow-x')).body.reward).toBe(175);
  });

  test('one-time tasks do not come again after an erasure', async () => {
    const user = await newcomer({ returning: true });
    expect((await user.complete('early-adopter')).status).toBe(422);
    await tell(userErased, user.userId, {}, 9);
    await vi.waitFor(async () => expect((await user.task('early-adopter')).progress).toBe(0), 5_000);
  });

  test('only admins change the catalogue', async () => {
    const user = await newcomer();
    const body = {
      id: 'test-task',
      type: 'seasonal',
      title: 'A new task',
      description: '',
      reward: 12.5,
      maxProgress: 1,
    };
    expect((await call(url, taskEndpoints.create, { body, token: user.token })).status).toBe(403);
    const token = await admin();
    expect((await call(url, taskEndpoints.create, { body, token })).status).toBe(201);
    expect((await call(url, taskEndpoints.create, { body, token })).status).toBe(409);
    const changed = await call(url, taskEndpoints.update, {
      params: { id: 'test-task' },
      body: { reward: 20 },
      token,
    });
    expect(changed.body).toMatchObject({ reward: 20, type: 'seasonal', title: 'A new task' });
    expect((await user.task('test-task')).claimable).toBe(false);
    expect((await call(url, taskEndpoints.remove, { params: { id: 'test-task' }, token })).status).toBe(204);
  });

  test('another user’s tasks are refused, and so is nobody', async () => {
    const user = await newcomer();
    const other = await newcomer();
    const asOther = { params: { id: user.userId }, token: other.token };
    expect((await call(url, taskEndpoints.mine, asOther)).status).toBe(403);
    expect((await call(url, taskEndpoints.mine, { params: { id: user.userId } })).status).toBe(401);
  });
});

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
