import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BadgeOrder, rewardEndpoints } from '@cord/contracts/http/rewards';
import { expect, inject, test } from 'vitest';
import { pay } from '../../test/kit/pay.ts';
import { call, signInByBearer } from './client.js';

const origin = inject('origin');
const dataDir = inject('dataDir');

test('after a kill right after a payment, the next rewards process confirms the badge without a call', async () => {
  const buyer = await signInByBearer(origin);
  const order = (await call(buyer, rewardEndpoints.createOrder, { body: {} })).body as BadgeOrder;
  await pay(origin, order);
  const run = JSON.parse(await readFile(join(dataDir, 'run.json'), 'utf8')) as {
    services: { rewards: { pid: number }[] };
  };
  for (const { pid } of run.services.rewards) process.kill(pid, 'SIGKILL');
  const now = async () => (await call(buyer, rewardEndpoints.order, { params: { id: order.id } })).body as BadgeOrder;
  await expect.poll(async () => (await now()).status, { interval: 500 }).toBe('confirmed');
  const purchases = await call(buyer, rewardEndpoints.purchases, { params: { id: buyer.userId } });
  expect(purchases.body).toHaveLength(1);
});
