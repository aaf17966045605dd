import { TASKS_MAX, taskEndpoints } from '@cord/contracts/http/tasks';
import { auditRpc } from '@cord/contracts/rpc/audit';
import { dayKey } from '@cord/contracts/rules/days';
import { call, collectLive } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { PATIENCE_MS } from '@cord/kit/testing/patience';
import { describe, expect, test, vi } from 'vitest';
import { openTaskCenter } from './test/people.js';

const tasks = forAllTests(() => openTaskCenter());

describe('the catalogue over HTTP', () => {
  test('is seeded with tasks and base rewards, and lists tasks by type', async () => {
    const { token } = await tasks.newcomer();
    const { body } = await call(tasks.url, taskEndpoints.list, { token });
    expect(Object.fromEntries(body.map((task) => [task.id, task.reward]))).toMatchObject({
      'mine-1-hour': 35,
      'weekly-mining': 200,
      'invite-friends': 150,
      'early-adopter': 750,
      'social-media-master': 500,
    });
    const daily = await call(tasks.url, taskEndpoints.byType, { params: { type: 'daily' }, token });
    expect(daily.body.map((task) => task.id)).toEqual(['daily-checkin', 'mine-1-hour']);
    expect((await call(tasks.url, taskEndpoints.byType, { params: { type: 'strange' }, token })).body).toEqual([]);
  });

  test('is changed by admins only, and each change is sent live', async () => {
    const user = await tasks.newcomer();
    const body = {
      id: 'test-task',
      type: 'seasonal',
      title: 'A new task',
      description: '',
      reward: 12.5,
      maxProgress: 1,
    };
    expect((await call(tasks.url, taskEndpoints.create, { body, token: user.token })).status).toBe(403);
    const token = await tasks.admin();
    const live = await collectLive(tasks.backend.nats);
    expect((await call(tasks.url, taskEndpoints.create, { body, token })).status).toBe(201);
    expect((await call(tasks.url, taskEndpoints.create, { body, token })).status).toBe(409);
    const changed = await call(tasks.url, taskEndpoints.update, {
      params: { id: 'test-task' },
      body: { reward: 20 },
      token,
    });
    expect(changed.body).toMatchObject({ reward: 20, type: 'seasonal', title: 'A new task' });
    expect((await user.task('test-task')).claimable).toBe(false);
    await tasks.clock.advance(1);
    expect((await call(tasks.url, taskEndpoints.remove, { params: { id: 'test-task' }, token })).status).toBe(204);
    // Created, changed and removed; refused calls changed nothing.
    await vi.waitFor(() => expect(live.tasks.at(-1)).toEqual({ seq: String(tasks.clock.now()) }), PATIENCE_MS);
    expect(live.tasks).toHaveLength(3);
  });

  test('rejects a reward of 0 or less, naming the field, in a new task and in a change', async () => {
    const token = await tasks.admin();
    const free = { id: 'free-task', type: 'achievement', title: 'Free', description: '', maxProgress: 1 };
    const params = { id: 'early-adopter' };
    for (const reward of [0, -1, 0.0000001]) {
      const made = await call(tasks.url, taskEndpoints.create, { body: { ...free, reward }, token });
      const changed = await call(tasks.url, taskEndpoints.update, { params, body: { reward }, token });
      for (const { status, problem } of [made, changed])
        expect([status, problem.errors?.map(({ path }) => path)]).toEqual([400, expect.arrayContaining(['reward'])]);
    }
    expect((await call(tasks.url, taskEndpoints.get, { params: { id: 'free-task' }, token })).status).toBe(404);
    expect((await call(tasks.url, taskEndpoints.get, { params, token })).body.reward).toBe(750);
    const least = await call(tasks.url, taskEndpoints.create, { body: { ...free, reward: 0.000001 }, token });
    expect([least.status, least.body.reward]).toEqual([201, 0.000001]);
    await call(tasks.url, taskEndpoints.remove, { params: { id: 'free-task' }, token });
  });

  test('rejects a task when full, even from concurrent calls, and still fits into one response', async () => {
    const token = await tasks.admin();
    const list = async () => (await call(tasks.url, taskEndpoints.list, { token })).body;
    const there = (await list()).length;
    const texts = { type: 'seasonal', title: '語'.repeat(120), description: '語'.repeat(500), socialUrl: null };
    const create = (n: number) => {
      const body = { ...texts, id: `full-${n}`, reward: 1, maxProgress: 1 };
      return call(tasks.url, taskEndpoints.create, { body, token });
    };
    const ids = Array.from({ length: TASKS_MAX - there + 5 }, (_, n) => n);
    const answers = await Promise.all(ids.map(create));
    const made = ids.filter((n) => answers[n]?.status === 201);
    expect(made).toHaveLength(TASKS_MAX - there);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused.map(({ status, problem }) => [status, problem.errors?.map(({ path }) => path)])).toEqual(
      Array(5).fill([400, ['id']]),
    );
    expect(refused[0]?.problem.error).toContain(String(TASKS_MAX));
    // A refused call leaves no audit entry.
    const { entries } = await tasks.backend.nats.request(auditRpc('tasks'), { limit: 100 });
    const logged = entries.filter(({ action, target }) => action === 'task.create' && target.startsWith('full-'));
    expect(logged.map(({ target }) => target).toSorted()).toEqual(made.map((n) => `full-${n}`).toSorted());
    const full = await call(tasks.url, taskEndpoints.catalogue, { token });
    expect(full.body.tasks).toHaveLength(TASKS_MAX);
    expect(Buffer.byteLength(JSON.stringify(full.body))).toBeLessThan(512 * 1024);
    const remove = (n: number) => call(tasks.url, taskEndpoints.remove, { params: { id: `full-${n}` }, token });
    await remove(made[0] ?? 0);
    expect((await create(ids.length)).status).toBe(201);
    await Promise.all([...made.slice(1), ids.length].map(remove));
    expect(await list()).toHaveLength(there);
  });

  test('shows admins the recent claims by tier, and logs each act with its reason and the previous value', async () => {
    const user = await tasks.newcomer();
    expect((await call(tasks.url, taskEndpoints.catalogue, { token: user.token })).status).toBe(403);
    expect((await user.complete('early-adopter')).status).toBe(200);
    const token = await tasks.admin();
    const { body } = await call(tasks.url, taskEndpoints.catalogue, { token });
    expect(body).toMatchObject({ days: 7, countedSince: dayKey(tasks.clock.now()) });
    const of = (id: string) => body.tasks.find((task) => task.id === id);
    // A user of 5.5 years has the multiplier 3.5.
    const claims = { count: 1, paid: 2_625, byTier: [{ multiplier: 3.5, count: 1 }] };
    expect(of('early-adopter')).toMatchObject({ reward: 750, measure: 'account-age-5', claims });
    expect(of('daily-checkin')?.claims).toEqual({ count: 0, paid: 0, byTier: [] });
    const params = { id: 'early-adopter' };
    for (const reward of [800, 750]) {
      // Entries of the same ms have no order, also with those of the previous test.
      await tasks.clock.advance(1);
      await call(tasks.url, taskEndpoints.update, { params, body: { reward, reason: `To ${reward}` }, token });
    }
    const acts = (await tasks.backend.nats.request(auditRpc('tasks'), { limit: 2 })).entries;
    expect(acts.map(({ action, detail }) => [action, detail])).toEqual([
      ['task.update', { reason: 'To 750', before: { rewardMicro: '800000000' }, after: { rewardMicro: '750000000' } }],
      ['task.update', { reason: 'To 800', before: { rewardMicro: '750000000' }, after: { rewardMicro: '800000000' } }],
    ]);
  });

  test('stores and returns unknown fields, except reserved and inherited property names', async () => {
    const user = await tasks.newcomer();
    const token = await tasks.admin();
    const task = { id: 'odd-task', type: 'seasonal', title: 'Odd', description: '', reward: 1, maxProgress: 1 };
    const create = (more: object) =>
      call(tasks.url, taskEndpoints.create, { body: { ...task, ...more } as never, token });
    const named = async (more: object) => (await create(more)).problem.errors?.map(({ path }) => path);
    expect(await named({ id: 'constructor' })).toEqual(['id']);
    expect(await named({ rewardMicro: 1 })).toEqual(['rewardMicro']);
    // This field marks documents that a release cannot read: all tasks would be unavailable, and no admin could remove this one.
    expect(await named({ schemaVersion: 2 })).toEqual(['schemaVersion']);
    expect(await named({ completed: true })).toEqual(['completed']);
    expect(await named({ 'a.b': 1 })).toEqual(['a.b']);
    expect(await named({ deep: { er: 1 } })).toEqual(['deep']);
    expect(await named(Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`f${n}`, n])))).toEqual(['f16']);
    expect((await create({ badge: 'gold', level: 3 })).body).toMatchObject({ badge: 'gold', level: 3 });
    expect(await user.task('odd-task')).toMatchObject({ type: 'seasonal', badge: 'gold', level: 3, claimable: false });
    const params = { id: 'odd-task' };
    await call(tasks.url, taskEndpoints.update, {
      params,
      body: { title: 'Odder', level: null, season: 'winter' } as never,
      token,
    });
    const { body } = await call(tasks.url, taskEndpoints.get, { params, token });
    expect(body).toMatchObject({ title: 'Odder', badge: 'gold', season: 'winter' });
    expect(body).not.toHaveProperty('level');
    const many = Object.fromEntries(Array.from({ length: 15 }, (_, n) => [`f${n}`, n]));
    expect((await call(tasks.url, taskEndpoints.update, { params, body: many as never, token })).status).toBe(400);
    await call(tasks.url, taskEndpoints.remove, { params, token });
  });
});
