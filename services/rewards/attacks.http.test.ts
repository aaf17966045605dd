import type { BadgeOrder } from '@cord/contracts/http/rewards';
import { rewardEndpoints } from '@cord/contracts/http/rewards';
import { call } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import type { Keypair, TransactionInstruction } from '@solana/web3.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { send, transferOf, wallet } from './test/chain.js';
import { type Buyer, FINAL_MS, openShop, paymentOf } from './test/shop.js';

const MINUTE_MS = 60_000;

const shop = forAllTests(() => openShop());
let payer: Keypair;
beforeAll(async () => {
  payer = await wallet(shop.chain, 100);
});

const ordered = async (walletAddress?: string) => {
  const buyer = await shop.buyer();
  return { buyer, order: await shop.order(buyer, walletAddress) };
};
const paying = (...instructions: TransactionInstruction[]) => send(shop.chain, [payer], instructions);
/** Waits until the network and the reconciler are done. */
const finalised = () => shop.pass(FINAL_MS);

async function expectNoBadge(buyer: Buyer, order: BadgeOrder, status: string, refunds: object[] = []): Promise<void> {
  await shop.pass(10 * MINUTE_MS);
  expect(await shop.look(buyer, order)).toMatchObject({ status, refunds });
  expect(await shop.purchases(buyer)).toEqual([]);
  expect(shop.badges.filter(({ userId }) => userId === buyer.userId)).toEqual([]);
  const claim = await call(shop.url, rewardEndpoints.cordClaim, { body: { userId: buyer.userId }, token: buyer.token });
  expect([claim.status, claim.problem.type]).toEqual([422, 'badge-needed']);
}

async function expectRefusal(buyer: Buyer, order: BadgeOrder, signature: string, type: string): Promise<void> {
  const { status, problem } = await shop.submit(buyer, order, signature);
  expect([status, problem.type]).toEqual([422, type]);
  expect(problem.error).toContain('Failed to create badge purchase record');
}

describe('no badge is given, and a reason is returned, for', () => {
  test('another buyer’s signature', async () => {
    const victim = await ordered();
    const thief = await ordered();
    const signature = await shop.pay(victim.order);
    await finalised();
    await expectRefusal(thief.buyer, thief.order, signature, 'wrong-reference');
    await expectNoBadge(thief.buyer, thief.order, 'pending');
    expect(await shop.purchases(victim.buyer)).toHaveLength(1);
  });

  test('another buyer’s order', async () => {
    const victim = await ordered();
    const thief = await ordered();
    expect((await shop.submit(thief.buyer, victim.order, await shop.pay(victim.order))).status).toBe(404);
    const forged = await shop.submit(thief.buyer, thief.order, '5'.repeat(88), { userId: victim.buyer.userId });
    expect(forged.status).toBe(403);
  });

  test('the second of two orders that one payment names', async () => {
    const first = await ordered();
    const second = await ordered();
    const payment = transferOf(payer, paymentOf(first.order));
    payment.keys.push(...transferOf(payer, paymentOf(second.order)).keys.slice(2));
    const signature = await paying(payment);
    await finalised();
    const outcomes = [(await shop.purchases(first.buyer)).length, (await shop.purchases(second.buyer)).length];
    expect(outcomes.sort()).toEqual([0, 1]);
    const loser = (await shop.purchases(first.buyer)).length === 0 ? first : second;
    await expectRefusal(loser.buyer, loser.order, signature, 'signature-used');
    await expectNoBadge(loser.buyer, loser.order, 'pending');
  });

  test('a second order paid by its own transfer in the same transaction; that transfer is owed back, once', async () => {
    const first = await ordered();
    const second = await ordered();
    const third = await ordered();
    const both = transferOf(payer, paymentOf(second.order));
    both.keys.push(...transferOf(payer, paymentOf(third.order)).keys.slice(2));
    const signature = await paying(transferOf(payer, paymentOf(first.order)), both);
    await finalised();
    for (const { buyer, order } of [first, second, third]) await shop.submit(buyer, order, signature);
    await shop.pass(MINUTE_MS);
    const all = await Promise.all([first, second, third].map(({ buyer, order }) => shop.look(buyer, order)));
    expect(all.filter(({ status }) => status === 'confirmed')).toHaveLength(1);
    // Two transfers arrived: one paid, the other is returned; never more than that, whatever references they contain.
    const refunds = all.flatMap((order) => order.refunds ?? []);
    expect(refunds).toMatchObject([{ transactionHash: signature, lamports: 20_000_000, reason: 'signature-used' }]);
    const badges = [first, second, third].map(({ buyer }) =>
      shop.badges.filter(({ userId }) => userId === buyer.userId),
    );
    expect(badges.flat()).toHaveLength(1);
  });

  test('a payment of less than the price; the amount is owed back', async () => {
    const { buyer, order } = await ordered();
    const signature = await paying(transferOf(payer, { ...paymentOf(order), lamports: 19_999_999 }));
    await finalised();
    await expectRefusal(buyer, order, signature, 'amount-too-small');
    await expectNoBadge(buyer, order, 'refund', [
      { transactionHash: signature, lamports: 19_999_999, walletAddress: payer.publicKey.toBase58(), status: 'open' },
    ]);
  });

  test('a payment by two wallets; each one is owed what it sent', async () => {
    const { buyer, order } = await ordered();
    const first = await wallet(shop.chain);
    const lamports = 100_000;
    const signature = await send(
      shop.chain,
      [first, payer],
      [transferOf(first, { ...paymentOf(order), lamports }), transferOf(payer, paymentOf(order))],
    );
    await finalised();
    await expectRefusal(buyer, order, signature, 'other-payer');
    const owed = (from: Keypair, amount: number) => ({
      ...{ transactionHash: signature, status: 'open' },
      ...{ walletAddress: from.publicKey.toBase58(), lamports: amount },
    });
    const { refunds = [] } = await shop.look(buyer, order);
    expect([...refunds].sort((a, b) => a.lamports - b.lamports)).toMatchObject([
      owed(first, lamports),
      owed(payer, order.lamports),
    ]);
  });

  test('a payment that the same transaction takes back, in whole or in part', async () => {
    const { buyer, order } = await ordered();
    const { treasurer } = shop.chain;
    await shop.chain.airdrop(treasurer.publicKey);
    const takingBack = (lamports: number) =>
      send(
        shop.chain,
        [payer, treasurer],
        [transferOf(payer, paymentOf(order)), transferOf(treasurer, { to: payer.publicKey.toBase58(), lamports })],
      );
    const wholly = await takingBack(order.lamports);
    const partly = await takingBack(1);
    await finalised();
    await expectRefusal(buyer, order, wholly, 'refunded-inside');
    await expectRefusal(buyer, order, partly, 'refunded-inside');
    await expectNoBadge(buyer, order, 'refund', [{ transactionHash: partly, lamports: 19_999_999 }]);
  });

  test('a failed transaction', async () => {
    const { buyer, order } = await ordered();
    await shop.chain.fault('fail', 1);
    const signature = await shop.pay(order);
    expect((await shop.submit(buyer, order, signature)).status).toBe(202);
    await finalised();
    expect(await shop.look(buyer, order)).toMatchObject({ status: 'pending', transactionHash: null });
    expect((await shop.look(buyer, order)).reason).toContain('The transaction failed on the network');
    await expectRefusal(buyer, order, signature, 'transaction-failed');
    await expectNoBadge(buyer, order, 'pending');
  });

  test('a payment without a reference, or with another order’s reference', async () => {
    const { buyer, order } = await ordered();
    const other = await ordered();
    const { reference: _, ...bare } = paymentOf(order);
    const nameless = await paying(transferOf(payer, bare));
    const elsewhere = await paying(transferOf(payer, { ...paymentOf(order), reference: other.order.reference }));
    // The reference is in the transaction, but on another transfer than the payment.
    const beside = await paying(
      transferOf(payer, bare),
      transferOf(payer, { to: payer.publicKey.toBase58(), lamports: 1, reference: order.reference }),
    );
    await finalised();
    await expectRefusal(buyer, order, nameless, 'wrong-reference');
    await expectRefusal(buyer, order, elsewhere, 'wrong-reference');
    await expectRefusal(buyer, order, beside, 'wrong-treasury');
    await expectNoBadge(buyer, order, 'pending');
  });

  test('a signature that was never sent: the payment is in doubt, then lost, and nothing was charged', async () => {
    const { buyer, order } = await ordered();
    expect((await shop.submit(buyer, order, '5'.repeat(88))).status).toBe(202);
    await shop.pass(MINUTE_MS);
    expect((await shop.look(buyer, order)).status).toBe('unknown');
    await shop.pass(2 * MINUTE_MS);
    const now = await shop.look(buyer, order);
    expect(now).toMatchObject({ status: 'pending', transactionHash: null });
    expect(now.reason).toContain('Nothing was charged');
    await expectNoBadge(buyer, order, 'pending');
  });
});

describe('one badge is given for', () => {
  test('a replayed request, concurrent or later', async () => {
    const { buyer, order } = await ordered();
    const signature = await shop.pay(order);
    await finalised();
    const answers = await Promise.all(Array.from({ length: 8 }, () => shop.submit(buyer, order, signature)));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    await shop.pass(MINUTE_MS);
    expect((await shop.submit(buyer, order, signature)).status).toBe(200);
    expect(shop.badges.filter(({ userId }) => userId === buyer.userId)).toHaveLength(1);
    expect((await shop.look(buyer, order)).refunds).toEqual([]);
  });

  test('two paid orders; the second payment is owed back', async () => {
    const { buyer, order } = await ordered();
    const second = await shop.order(buyer, payer.publicKey.toBase58());
    expect(second.id).not.toBe(order.id);
    await shop.pay(order);
    await finalised();
    await paying(transferOf(payer, paymentOf(second)));
    await shop.pass(MINUTE_MS);
    await shop.pass(MINUTE_MS);
    expect((await shop.look(buyer, order)).status).toBe('confirmed');
    expect(await shop.look(buyer, second)).toMatchObject({ status: 'refund', refunds: [{ reason: 'badge-owned' }] });
    expect(await shop.purchases(buyer)).toHaveLength(1);
    expect(shop.badges.filter(({ userId }) => userId === buyer.userId)).toHaveLength(1);
  });

  test('a request with a forged amount, USD and wallet; the record has the order’s values', async () => {
    const { buyer, order } = await ordered();
    const signature = await shop.pay(order);
    await finalised();
    const forged = await shop.submit(buyer, order, signature, {
      amountSol: 999,
      amountUsd: 0,
      walletAddress: '1'.repeat(44),
    });
    expect(forged.status).toBe(200);
    expect(await shop.purchases(buyer)).toMatchObject([{ amountSol: 0.02, amountUsd: order.usd }]);
    expect((await shop.purchases(buyer))[0]?.walletAddress).not.toBe('1'.repeat(44));
  });
});
