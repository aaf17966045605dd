import { forAllTests } from '@cord/kit/testing/lifetimes';
import { afterEach, describe, expect, test } from 'vitest';
import { FINAL_MS, openShop } from './test/shop.js';

const MINUTE_MS = 60_000;

const shop = forAllTests(() => openShop());
afterEach(() => shop.chain.fault('clear'));

describe('a purchase that is cut off', () => {
  test('by a restart of rewards after the payment is finished by the next process', async () => {
    const buyer = await shop.buyer();
    const order = await shop.order(buyer);
    await shop.pay(order);
    await shop.restart();
    await shop.pass(MINUTE_MS);
    expect((await shop.look(buyer, order)).status).toBe('confirmed');
  });

  test('by an hour without network is found afterwards, and shows it meanwhile', async () => {
    const buyer = await shop.buyer();
    const order = await shop.order(buyer);
    const signature = await shop.pay(order);
    await shop.chain.fault('rpc-down');
    expect((await shop.handIn(buyer, order, signature)).status).toBe(202);
    for (let minutes = 0; minutes < 60; minutes += 10) await shop.pass(10 * MINUTE_MS);
    expect(await shop.look(buyer, order)).toMatchObject({ status: 'unknown', transactionHash: signature });
    await shop.chain.fault('clear');
    await shop.pass(MINUTE_MS);
    expect(await shop.look(buyer, order)).toMatchObject({ status: 'confirmed', transactionHash: signature });
  });

  test('by a transaction that is dropped is shown as not charged, and can be paid again', async () => {
    const buyer = await shop.buyer();
    const order = await shop.order(buyer);
    await shop.chain.fault('drop', 1);
    const dropped = await shop.pay(order);
    expect((await shop.handIn(buyer, order, dropped)).status).toBe(202);
    expect((await shop.order(buyer)).id).toBe(order.id);
    await shop.pass(3 * MINUTE_MS);
    const now = await shop.look(buyer, order);
    expect(now).toMatchObject({ status: 'pending', transactionHash: null });
    expect(now.reason).toContain('Nothing was charged');
    const paid = await shop.pay(order);
    await shop.handIn(buyer, order, paid);
    await shop.pass(FINAL_MS);
    expect((await shop.look(buyer, order)).status).toBe('confirmed');
  });

  test('by a transaction that is slow is found when it lands', async () => {
    const buyer = await shop.buyer();
    const order = await shop.order(buyer);
    await shop.chain.fault('hold', 1);
    const slow = await shop.pay(order);
    expect((await shop.handIn(buyer, order, slow)).status).toBe(202);
    await shop.pass(40_000);
    expect((await shop.look(buyer, order)).status).toBe('sent');
    await shop.chain.fault('clear');
    await shop.pass(MINUTE_MS);
    expect((await shop.look(buyer, order)).status).toBe('confirmed');
  });
});
