import { balanceChanged } from '@cord/contracts/events/balance';
import { checkinEndpoints } from '@cord/contracts/http/checkin';
import { taskEndpoints } from '@cord/contracts/http/tasks';
import { EARNINGS_MAX } from '@cord/contracts/rpc/ledger';
import { weekKey } from '@cord/contracts/rules/days';
import { restingAccount } from '@cord/kit/testing/account-state';
import { call, collectLive } from '@cord/kit/testing/index';
import type { TestLedger } from '@cord/kit/testing/ledger';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { PATIENCE_MS } from '@cord/kit/testing/patience';
import { describe, expect, test, vi } from 'vitest';
import { HOUR, openTaskCenter } from './test/people.js';

const tasks = forAllTests(() => openTaskCenter());

describe('tasks over HTTP', () => {
  test('pay base times multiplier once, whatever amount was sent', async () => {
    const user = await tasks.newcomer();
    const { status, body } = await user.complete('early-adopter');
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: true, reward: 2625, newBalance: 2625, pending: false });
    expect(body.updatedUser).toMatchObject({ id: user.userId, tasks_completed: 1, current_balance: 2625 });
    const again = await user.complete('early-adopter');
    expect(again.status).toBe(409);
    expect(again.problem.error).toBe('This task has already been completed');
    expect(tasks.ledger.balanceMicro(user.userId)).toBe(2_625_000_000n);
  });

  test('are listed in the language that the user accepts', async () => {
    const { userId, token } = await tasks.newcomer();
    const first = async (language: string) => {
      const headers = { 'accept-language': language };
      const all = await call(tasks.url, taskEndpoints.list, { token, headers });
      const mine = await call(tasks.url, taskEndpoints.mine, { token, headers, params: { id: userId } });
      return [all.body[0]?.title, mine.body[0]?.title];
    };
    expect(await first('de-AT,de;q=0.9,en;q=0.5')).toEqual(['Täglicher Check-in', 'Täglicher Check-in']);
    expect(await first('fr,*;q=0.1')).toEqual(['Daily check-in', 'Daily check-in']);
  });

  test('that are unfinished or unknown are refused with their text', async () => {
    const user = await tasks.newcomer();
    const early = await user.complete('mine-1-hour');
    expect([early.status, early.problem.error]).toEqual([422, 'This task is not complete yet']);
    const unknown = await user.complete('no-such-task');
    expect([unknown.status, unknown.problem.error]).toEqual([404, 'Task not found']);
    expect(tasks.ledger.balanceMicro(user.userId)).toBe(0n);
  });

  test('of a week that ended while claims were off are claimed in the next one, by that week’s mining', async () => {
    const user = await tasks.newcomer();
    const monday = Date.UTC(2026, 10, 23);
    const mined = (n: number, amountMicro: string): TestLedger['credits'][number] => ({
      ...{ userId: user.userId, key: `mining:${user.userId}:${n}`, source: 'mining', amountMicro, reason: '' },
    });
    const early = mined(0, '1000000000');
    tasks.ledger.credits.push(early);
    await tasks.publish(balanceChanged, user.userId, {
      ...restingAccount(),
      week: { key: weekKey(tasks.clock.now()), micro: '0', miningMicro: '0', reachedAt: 0 },
    });
    await vi.waitFor(async () => expect((await user.complete('weekly-mining')).status).toBe(422), PATIENCE_MS);
    await tasks.clock.advance(monday + HOUR - tasks.clock.now());
    const off = { name: 'claims', fromMs: monday - HOUR, toMs: monday };
    await tasks.signer.state.setSwitches([], [off]);
    // The ledger lists these entries as of now, i.e. this week; dated to the previous week they count for that.
    await expect.poll(async () => (await user.task('weekly-mining')).progress).toBe(0);
    early.atMs = monday - 1;
    // As many newer entries as one response lists.
    for (let n = 1; n <= EARNINGS_MAX; n += 1) tasks.ledger.credits.push(mined(n, '1'));
    await expect.poll(async () => (await user.task('weekly-mining')).claimable).toBe(true);
    // A task created this week has no previous week.
    const token = await tasks.admin();
    const body = { id: 'new-weekly', type: 'weekly', title: 'Mine', description: '', reward: 1, maxProgress: 1_000 };
    expect((await call(tasks.url, taskEndpoints.create, { body, token })).status).toBe(201);
    expect(await user.task('new-weekly')).toMatchObject({ progress: 0, claimable: false });
    await call(tasks.url, taskEndpoints.remove, { params: { id: 'new-weekly' }, token });
    const params = { id: 'weekly-mining' };
    await call(tasks.url, taskEndpoints.update, { params, body: { title: 'Mine 1,000' }, token });
    expect((await user.complete('weekly-mining')).body).toMatchObject({ reward: 700, pending: false });
    expect(tasks.ledger.credits.at(-1)?.key).toBe(`task:weekly-mining:${user.userId}:2026-W47`);
    expect(await user.task('weekly-mining')).toMatchObject({ completed: false, progress: 0, claimable: false });
    await tasks.signer.state.setSwitches([]);
  });

  test('with a link can be claimed five seconds after the first visit; a second visit restarts nothing', async () => {
    const user = await tasks.newcomer();
    expect((await user.complete('follow-x')).status).toBe(422);
    await user.visit('follow-x');
    await tasks.clock.advance(4_000);
    await user.visit('follow-x');
    expect((await user.complete('follow-x')).status).toBe(422);
    await tasks.clock.advance(1_000);
    expect((await user.complete('follow-x')).body.reward).toBe(175);
  });

  test('send a first visit, a claim and a check-in live, and nothing for a call that changed nothing', async () => {
    const user = await tasks.newcomer();
    const live = await collectLive(tasks.backend.nats, user.userId);
    await user.visit('follow-x');
    await user.visit('follow-x');
    await user.visit('mine-1-hour');
    await user.complete('mine-1-hour');
    expect((await user.complete('early-adopter')).status).toBe(200);
    expect((await user.complete('early-adopter')).status).toBe(409);
    await vi.waitFor(() => expect(live.tasks).toHaveLength(2), PATIENCE_MS);
    const checkIn = { body: { userId: user.userId }, token: user.token };
    expect((await call(tasks.url, checkinEndpoints.perform, checkIn)).status).toBe(200);
    expect((await call(tasks.url, checkinEndpoints.perform, checkIn)).status).toBe(409);
    await vi.waitFor(() => expect(live.checkin).toHaveLength(1), PATIENCE_MS);
    // One connection delivers messages in order: an earlier message would have arrived before this one.
    await tasks.clock.advance(1);
    await user.visit('join-discord');
    await vi.waitFor(() => expect(live.tasks.at(-1)).toEqual({ seq: String(tasks.clock.now()) }), PATIENCE_MS);
    expect([live.tasks.length, live.checkin.length]).toEqual([3, 1]);
  });

  test('without a link cannot be visited', async () => {
    const user = await tasks.newcomer();
    const refused = await user.visit('mine-1-hour');
    expect([refused.status, refused.problem.type]).toEqual([422, 'task-without-visit']);
    expect((await user.task('mine-1-hour')).visitedAt).toBeNull();
    expect((await user.visit('follow-x')).status).toBe(200);
  });
});
