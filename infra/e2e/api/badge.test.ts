import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { miningEndpoints } from '@cord/contracts/http/mining';
import { type BadgeOrder, rewardEndpoints } from '@cord/contracts/http/rewards';
import { userEndpoints } from '@cord/contracts/http/users';
import { afterEach, describe, expect, inject, test } from 'vitest';
import { pay } from '../../test/kit/pay.ts';
import { post } from '../../test/kit/post.ts';
import { call, type Signed, signInByBearer } from './client.js';

const origin = inject('origin');
const dataDir = inject('dataDir');
const SETTLED = { interval: 250 };

const dev = (path: string, body: object) => post(`${origin}/dev${path}`, body);
afterEach(() => dev('/solana/faults', { mode: 'clear' }));

const ordered = async (buyer: Signed) =>
  (await call(buyer, rewardEndpoints.createOrder, { body: {} })).body as BadgeOrder;
const orderOf = async (buyer: Signed, { id }: BadgeOrder) =>
  (await call(buyer, rewardEndpoints.order, { params: { id } })).body as BadgeOrder;

const handIn = (buyer: Signed, { id }: BadgeOrder, transactionHash: string) =>
  call(buyer, rewardEndpoints.purchase, {
    body: {
      userId: buyer.userId,
      orderId: id,
      walletAddress: '1'.repeat(32),
      transactionHash,
      amountSol: 0.02,
      amountUsd: 1,
    },
  });
const rateOf = async (buyer: Signed) =>
  ((await call(buyer, miningEndpoints.current, { params: { id: buyer.userId } })).body as { rate: number }).rate;

describe('the Badge of Honor', () => {
  test('a payment gives the badge, 5 % more rate and the 10,000 CORD; without it there is none of that', async () => {
    const buyer = await signInByBearer(origin, 5.5);
    await call(buyer, miningEndpoints.startB, { body: {} });
    const plain = await rateOf(buyer);
    const claim = () => call(buyer, rewardEndpoints.cordClaim, { body: { userId: buyer.userId } });
    expect((await claim()).status).toBe(422);
    const order = await ordered(buyer);
    const signature = await pay(origin, order);
    expect((await handIn(buyer, order, signature)).status).toBe(202);
    await expect.poll(async () => (await orderOf(buyer, order)).status, SETTLED).toBe('confirmed');
    const record = async () =>
      (await call(buyer, userEndpoints.get, { params: { id: buyer.userId } })).body as { hasbadgeofhonor: boolean };
    await expect.poll(async () => (await record()).hasbadgeofhonor, SETTLED).toBe(true);
    await expect.poll(() => rateOf(buyer), SETTLED).toBeCloseTo(plain * 1.05, 9);
    expect((await claim()).body).toMatchObject({ success: true, amountClaimed: 10_000 });
    expect((await claim()).status).toBe(409);
    const purchases = await call(buyer, rewardEndpoints.purchases, { params: { id: buyer.userId } });
    expect(purchases.body).toMatchObject([{ id: order.id, transactionHash: signature, amountSol: 0.02 }]);
  });

  test('rewards is killed right after the payment: the next process finds it, and no call is needed', async () => {
    const buyer = await signInByBearer(origin);
    const order = await ordered(buyer);
    await pay(origin, order);
    const run = JSON.parse(await readFile(join(dataDir, 'run.json'), 'utf8')) as {
      services: { rewards: { pid: number }[] };
    };
    for (const { pid } of run.services.rewards) process.kill(pid, 'SIGKILL');
    const status = async () => (await orderOf(buyer, order)).status;
    await expect.poll(status, { interval: 500 }).toBe('confirmed');
    const purchases = await call(buyer, rewardEndpoints.purchases, { params: { id: buyer.userId } });
    expect(purchases.body).toHaveLength(1);
  });

  test('the network is away, then back: in doubt meanwhile, proven afterwards', async () => {
    const buyer = await signInByBearer(origin);
    const order = await ordered(buyer);
    const signature = await pay(origin, order);
    await dev('/solana/faults', { mode: 'rpc-down' });
    const { status, body } = await handIn(buyer, order, signature);
    expect([status, (body as BadgeOrder).status]).toEqual([202, 'sent']);
    await dev('/solana/faults', { mode: 'clear' });
    await expect.poll(async () => (await orderOf(buyer, order)).status, SETTLED).toBe('confirmed');
  });
});
