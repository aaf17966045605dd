import type { Epoch } from '@cord/contracts/http/epochs';
import type { MiningSession } from '@cord/contracts/http/mining';
import { miningEndpoints } from '@cord/contracts/http/mining';
import { rewardEndpoints } from '@cord/contracts/http/rewards';
import { supportEndpoints } from '@cord/contracts/http/support';
import { taskEndpoints } from '@cord/contracts/http/tasks';
import { describe, expect, inject, test } from 'vitest';
import { advance, systemNow } from '../../test/kit/clock.ts';
import { call, makeAdmin, signInByBearer } from './client.js';

const origin = inject('origin');
const HOUR_MS = 3_600_000;

const advanceTo = async (ms: number) => advance(origin, `${Math.max(1, ms - (await systemNow(origin)))}ms`);

describe('an epoch that an admin changes', () => {
  test('applies at the first request after its start, and time before it is paid at the old rate', async () => {
    const admin = await makeAdmin(await signInByBearer(origin));
    const miner = await signInByBearer(origin, 3.5);
    const params = { id: miner.userId };
    const look = async () => (await call(miner, miningEndpoints.current, { params })).body as MiningSession;

    const now = (await call({ origin }, rewardEndpoints.currentEpoch)).body as Epoch;
    const atMs = (await systemNow(origin)) + HOUR_MS;
    const [at, later] = [new Date(atMs).toISOString(), new Date(atMs + HOUR_MS).toISOString()];
    const { id: _, ...rest } = now;
    const rewardsMultiplier = now.rewardsMultiplier === 1.5 ? 1.7 : 1.5;
    const tag = Math.random().toString(36).slice(2, 10);
    const changes = [
      await call(admin, rewardEndpoints.updateEpoch, { params: { id: now.id }, body: { endDate: at } }),
      await call(admin, rewardEndpoints.createEpoch, {
        body: { ...rest, id: `change-${tag}`, rewardsMultiplier, startDate: at, endDate: later },
      }),
      await call(admin, rewardEndpoints.createEpoch, { body: { ...rest, id: `after-${tag}`, startDate: later } }),
    ];
    expect(changes.map(({ status }) => status)).toEqual([200, 201, 201]);

    await call(miner, miningEndpoints.start, { params, body: {} });
    const before = await look();
    expect(before.factors).toMatchObject({ tier: 2, epoch: now.rewardsMultiplier });
    // An edit takes effect at least five seconds ahead; by then it has reached mining.
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    await advanceTo(atMs);
    const after = await look();
    expect(after.factors).toMatchObject({ epoch: rewardsMultiplier, epochId: `change-${tag}` });
    expect(after.rate).toBeCloseTo((before.rate * rewardsMultiplier) / now.rewardsMultiplier, 9);

    await call(miner, miningEndpoints.deactivate, { params, body: {} });
    const history = (await call(miner, miningEndpoints.history, { params })).body as MiningSession[];
    const { startedAt, creditedUntil, earnings } = history[0] as MiningSession;
    const dueMicro =
      (BigInt(before.rateNano) * BigInt(atMs - Date.parse(startedAt)) +
        BigInt(after.rateNano) * BigInt(Date.parse(creditedUntil) - atMs)) /
      60_000_000n;
    expect(BigInt(Math.round(earnings * 1e6))).toBe(dueMicro);
    await advanceTo(atMs + HOUR_MS);
  });
});

describe('the audit log', () => {
  test('lists what admins did in every service, newest first, without rejected calls', async () => {
    const admin = await makeAdmin(await signInByBearer(origin));
    const id = `audited-${Math.random().toString(36).slice(2, 10)}`;
    const params = { id };
    const task = { id, type: 'other', title: 'Audited', description: 'A task to be seen', reward: 1, maxProgress: 1 };
    const startDate = new Date((await systemNow(origin)) + 400 * 24 * HOUR_MS).toISOString();
    const epoch = { id, name: 'Audited', description: 'Far ahead', rewardsMultiplier: 1.1, startDate };
    const endDate = new Date(Date.parse(startDate) + HOUR_MS).toISOString();
    const acts = [
      await call(admin, taskEndpoints.create, { body: task }),
      await call(admin, taskEndpoints.create, { body: task }),
      await call(admin, rewardEndpoints.createEpoch, { body: { ...epoch, endDate } }),
      await call(admin, rewardEndpoints.createEpoch, { body: { ...epoch, endDate } }),
      await call(admin, rewardEndpoints.removeEpoch, { params }),
      await call(admin, taskEndpoints.remove, { params }),
    ];
    expect(acts.map(({ status }) => status)).toEqual([201, 409, 201, 409, 204, 204]);
    const { body } = await call(admin, supportEndpoints.audit, { query: { limit: '100' } });
    const own = (body as { entries: { action: string; target: string }[] }).entries.filter(
      ({ target }) => target === id,
    );
    expect(own.map(({ action }) => action)).toEqual(['task.remove', 'epoch.remove', 'epoch.create', 'task.create']);
  });
});
