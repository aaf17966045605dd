import { PAYMENT_REFUSALS, rewardEndpoints } from '@cord/contracts/http/rewards';
import { cord } from '@cord/contracts/rules/money';
import { opsUrlOf } from '@cord/kit/ops-port';
import { call, collectLive } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { PATIENCE_MS } from '@cord/kit/testing/patience';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { send, transferOf, wallet } from './test/chain.js';
import { FINAL_MS, openShop, paymentOf } from './test/shop.js';

const shop = forAllTests(() => openShop());
afterEach(() => shop.chain.fault('clear'));

const badgesOf = (userId: string) => shop.badges.filter((badge) => badge.userId === userId);
const badge = (userId: string) => vi.waitFor(() => expect(badgesOf(userId)).toHaveLength(1), PATIENCE_MS);

test('every outcome of a payment is counted from 0 on, so that an alert sees the first one', async () => {
  const text = await (await fetch(`${opsUrlOf(shop.url)}/metrics`)).text();
  for (const outcome of ['confirmed', 'verifying', ...PAYMENT_REFUSALS])
    expect(text).toContain(`cord_badge_payments_total{outcome="${outcome}",service="rewards"} 0\n`);
});

describe('a purchase', () => {
  test.each([['legacy' as const], [0 as const]])(
    'with a version %s transaction is verified, confirmed, and gives one badge',
    async (version) => {
      const buyer = await shop.buyer();
      const order = await shop.order(buyer);
      const signature = await shop.pay(order, version);
      const first = await shop.submit(buyer, order, signature);
      expect([first.status, first.body.status]).toEqual([202, 'sent']);
      expect(await shop.purchases(buyer)).toEqual([]);
      await shop.pass(FINAL_MS);
      expect(await shop.look(buyer, order)).toMatchObject({
        status: 'confirmed',
        transactionHash: signature,
        refunds: [],
      });
      const again = await shop.submit(buyer, order, signature);
      expect([again.status, again.body.status]).toEqual([200, 'confirmed']);
      await badge(buyer.userId);
      expect(badgesOf(buyer.userId)).toEqual([{ userId: buyer.userId, orderId: order.id, transaction: signature }]);
      expect(await shop.purchases(buyer)).toMatchObject([
        { id: order.id, userId: buyer.userId, transactionHash: signature, amountSol: 0.02, amountUsd: 1 },
      ]);
      expect((await call(shop.url, rewardEndpoints.createOrder, { body: {}, token: buyer.token })).status).toBe(409);
    },
  );

  test('that is already final is confirmed at once, with the payer read from the chain', async () => {
    const buyer = await shop.buyer();
    const from = await wallet(shop.chain);
    const order = await shop.order(buyer, from.publicKey.toBase58());
    const signature = await send(shop.chain, [from], [transferOf(from, paymentOf(order))]);
    await shop.pass(FINAL_MS);
    expect((await shop.submit(buyer, order, signature)).status).toBe(200);
    expect((await shop.purchases(buyer))[0]?.walletAddress).toBe(from.publicKey.toBase58());
  });

  test('makes the 10,000 CORD claimable, by hand and once', async () => {
    const buyer = await shop.buyer();
    await shop.register(buyer);
    const order = await shop.order(buyer);
    await shop.submit(buyer, order, await shop.pay(order));
    await shop.pass(FINAL_MS);
    const claim = () =>
      call(shop.url, rewardEndpoints.cordClaim, { body: { userId: buyer.userId }, token: buyer.token });
    expect(shop.alone.ledger.balanceMicro(buyer.userId)).toBe(0n);
    await vi.waitFor(async () => expect((await claim()).status).not.toBe(503), PATIENCE_MS);
    expect((await claim()).status).toBe(409);
    expect(shop.alone.ledger.balanceMicro(buyer.userId)).toBe(cord(10_000));
  });

  test('accepts only a Solana address as the wallet', async () => {
    const { token } = await shop.buyer();
    const body = { walletAddress: 'z'.repeat(44) };
    const { status, problem } = await call(shop.url, rewardEndpoints.createOrder, { body, token });
    expect([status, problem.errors?.[0]?.path]).toEqual([400, 'walletAddress']);
  });

  test('is sent live when ordered, sent and confirmed with its badge, but not for a query without result', async () => {
    const buyer = await shop.buyer();
    const live = await collectLive(shop.alone.backend.nats, buyer.userId);
    const times = () => live.orders.map(({ seq }) => Number(seq) - orderedMs);
    const orderedMs = shop.clock.now();
    const order = await shop.order(buyer);
    await shop.order(buyer);
    await vi.waitFor(() => expect(times()).toEqual([0]), PATIENCE_MS);
    // The payment is looked up on the chain meanwhile.
    for (let n = 0; n < 3; n += 1) await shop.pass(30_000);
    await shop.submit(buyer, order, await shop.pay(order));
    await vi.waitFor(() => expect(times()).toEqual([0, 90_000]), PATIENCE_MS);
    await shop.pass(FINAL_MS);
    expect((await shop.look(buyer, order)).status).toBe('confirmed');
    // The order is versioned by time, the badge by its holder's seq, which already counted the order.
    await vi.waitFor(() => expect(live.orders.map(({ seq }) => seq).slice(2)).toContain('2'), PATIENCE_MS);
    expect(times().slice(2)).toContain(90_000 + FINAL_MS);
    expect(live.orders).toHaveLength(4);
  });
});
