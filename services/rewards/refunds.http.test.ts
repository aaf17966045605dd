import { subjectOf } from '@cord/contracts/events/envelope';
import { badgeRefunded } from '@cord/contracts/events/rewards';
import { adminEndpoints } from '@cord/contracts/http/admin';
import { rewardEndpoints } from '@cord/contracts/http/rewards';
import { auditRpc } from '@cord/contracts/rpc/audit';
import { exportRpc } from '@cord/contracts/rpc/export';
import { opsUrlOf } from '@cord/kit/ops-port';
import { call, collectLive, randomId } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { allPages } from '@cord/kit/testing/pages';
import { PATIENCE_MS } from '@cord/kit/testing/patience';
import { storedState } from '@cord/kit/testing/stored';
import type { Keypair } from '@solana/web3.js';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { send, transferOf, wallet } from './test/chain.js';
import { type Buyer, FINAL_MS, openShop, paymentOf } from './test/shop.js';

const MINUTE_MS = 60_000;

const shop = forAllTests(async () => {
  const opened = await openShop();
  // The sender of a return pays the fee.
  await opened.chain.airdrop(opened.chain.treasurer.publicKey);
  return opened;
});
afterEach(() => shop.chain.fault('clear'));

/** @param from the paying wallet; default a new one */
async function late(from?: Keypair): Promise<{ buyer: Buyer; orderId: string; signature: string }> {
  const buyer = await shop.buyer();
  const order = await shop.order(buyer);
  await shop.pass(16 * MINUTE_MS);
  const payer = from ?? (await wallet(shop.chain));
  const signature = await send(shop.chain, [payer], [transferOf(payer, paymentOf(order))]);
  await shop.submit(buyer, order, signature);
  await shop.pass(FINAL_MS);
  return { buyer, orderId: order.id, signature };
}
const pageOf = async ({ token }: Buyer, query: Record<string, string>) =>
  (await call(shop.url, rewardEndpoints.refunds, { query, token })).body;
const listOf = async (boss: Buyer, query: Record<string, string> = {}) => (await pageOf(boss, query)).refunds;

/** Returns the stored data of an order. */
async function orderLines(id: string): Promise<string[]> {
  const stored = await storedState(shop.alone.backend, 'rewards');
  return stored.filter((line) => line.startsWith('orders ') && line.includes(id));
}

/** Ends the watch of all earlier orders. */
async function pastAllWatching(): Promise<void> {
  for (let days = 0; days < 9; days += 1) await shop.pass(24 * 60 * MINUTE_MS);
}

async function disprovals(): Promise<number> {
  const text = await (await fetch(`${opsUrlOf(shop.url)}/metrics`)).text();
  return Number(/^cord_refunds_disproved_total\S* (\d+)/m.exec(text)?.[1] ?? 0);
}

describe('a payment that arrived too late', () => {
  test('stays on the admins’ list until one returns it, once; the return is logged and shown to the buyer', async () => {
    const { buyer, orderId, signature } = await late();
    const boss = await shop.admin();
    const refund = (await listOf(boss, { status: 'open' })).find((each) => each.orderId === orderId);
    expect(refund).toMatchObject({
      userId: buyer.userId,
      transactionHash: signature,
      lamports: 20_000_000,
      reason: 'order-expired',
    });
    const shown = await shop.look(buyer, { id: orderId });
    expect(shown).toMatchObject({ status: 'refund', refunds: [{ status: 'open', lamports: 20_000_000 }] });
    expect(shown.reason).toContain('will be returned');

    const live = await collectLive(shop.alone.backend.nats, buyer.userId);
    const { treasurer } = shop.chain;
    const to = refund?.walletAddress ?? '';
    const sent = await send(shop.chain, [treasurer], [transferOf(treasurer, { to, lamports: 20_000_000 })]);
    const back = { params: { id: refund?.id ?? '' }, body: { returnTransaction: sent, note: 'By hand' } };
    const note = () => call(shop.url, rewardEndpoints.returnRefund, { ...back, token: boss.token });
    const [returned, atOnce] = await Promise.all([note(), note()]);
    expect(atOnce.body).toEqual(returned.body);
    const noted = { proof: 'noted', returnTransaction: sent, note: 'By hand' };
    expect(returned.body).toMatchObject({ status: 'open', ...noted });
    const lines = async () =>
      (await storedState(shop.alone.backend, 'rewards')).filter((line) => line.includes(back.params.id));
    const again = (returnTransaction = sent) =>
      call(shop.url, rewardEndpoints.returnRefund, { ...back, body: { returnTransaction }, token: boss.token });
    const before = await lines();
    // Like a client that lost the response.
    expect((await again()).body).toEqual(returned.body);
    expect((await again(signature)).problem.type).toBe('refund-noted');
    expect(await lines()).toEqual(before);
    const openOne = (await listOf(boss, { status: 'open' })).find((each) => each.orderId === orderId);
    expect(openOne).toMatchObject(noted);
    // The buyer sees it once the chain has it, and is notified then.
    expect((await shop.look(buyer, { id: orderId })).refunds).toMatchObject([
      { status: 'open', returnTransaction: null, returnedAt: null },
    ]);
    await shop.pass(MINUTE_MS);
    await vi.waitFor(
      async () =>
        expect((await shop.look(buyer, { id: orderId })).refunds).toMatchObject([
          { status: 'returned', returnTransaction: sent },
        ]),
      PATIENCE_MS,
    );
    expect((await again()).body).toMatchObject({ status: 'returned', ...noted, proof: 'proven' });
    expect((await again(signature)).problem.type).toBe('refund-returned');
    expect((await listOf(boss, { status: 'open' })).some((each) => each.orderId === orderId)).toBe(false);
    expect((await listOf(boss)).find((each) => each.orderId === orderId)).toMatchObject({ ...noted, proof: 'proven' });
    await vi.waitFor(() => expect(live.orders).toHaveLength(1), PATIENCE_MS);
    const audit = (await storedState(shop.alone.backend, 'rewards')).join('\n');
    // The erasure also removes what an operator wrote about the buyer.
    expect(audit).toMatch(new RegExp(`"refund.returned","target":"${refund?.id}".*"about":"${buyer.userId}"`));
  });

  test('is listed for admins only', async () => {
    const { buyer } = await late();
    expect((await call(shop.url, rewardEndpoints.refunds, { token: buyer.token })).status).toBe(403);
  });
});

/** Notes a transaction as the return. @returns the id of the refund */
async function returns(boss: Buyer, orderId: string, returnTransaction: string): Promise<string> {
  const { id = '' } = (await listOf(boss, { status: 'open' })).find((each) => each.orderId === orderId) ?? {};
  // Hours may have passed, and the act requires a recent sign-in.
  const token = await shop.alone.tokenOf(boss.userId);
  const noted = { params: { id }, body: { returnTransaction }, token };
  expect((await call(shop.url, rewardEndpoints.returnRefund, noted)).status).toBe(200);
  return id;
}

/** Transfers the price of a badge from the treasury to a wallet. */
async function sendBack(to: Keypair): Promise<string> {
  const { treasurer } = shop.chain;
  return send(shop.chain, [treasurer], [transferOf(treasurer, { to: to.publicKey.toBase58(), lamports: 20_000_000 })]);
}

describe('a payment that an admin noted as returned', () => {
  const publishedRefund = async ({ userId }: Buyer, refundId: string) => {
    const last = await shop.alone.backend.nats.jsm.streams.getMessage('CORD_REWARDS', {
      last_by_subj: subjectOf(badgeRefunded, userId, refundId),
    });
    return last?.json<object>() ?? null;
  };

  test('is published as proven once its transaction is final and returns the amount, never before', async () => {
    const [one, other, boss] = [await late(), await late(), await shop.admin()];
    const { walletAddress: payer } = (await listOf(boss)).find(({ orderId }) => orderId === one.orderId) ?? {};
    const { treasurer } = shop.chain;
    const sent = (to: string, lamports: number) =>
      send(shop.chain, [treasurer], [transferOf(treasurer, { to, lamports })]);
    const wrong = await returns(boss, other.orderId, await sent(payer ?? '', 19_999_999));
    const back = await sent(payer ?? '', 20_000_000);
    const right = await returns(boss, one.orderId, back);
    await shop.pass(MINUTE_MS);
    await vi.waitFor(
      async () =>
        expect(await publishedRefund(one.buyer, right)).toMatchObject({
          refundId: right,
          lamports: 20_000_000,
          reason: 'order-expired',
          returnTransaction: back,
        }),
      PATIENCE_MS,
    );
    expect(await publishedRefund(other.buyer, wrong)).toBeNull();
  });

  test('is reopened and counted if the transaction returns too little or is unknown, and can be noted again', async () => {
    const [{ buyer, orderId }, boss] = [await late(), await shop.admin()];
    const one = async () => (await listOf(boss, { status: 'open' })).find((each) => each.orderId === orderId);
    const payer = (await one())?.walletAddress ?? '';
    const { treasurer } = shop.chain;
    const pays = (lamports: number) => send(shop.chain, [treasurer], [transferOf(treasurer, { to: payer, lamports })]);
    // A valid signature that no node has seen; after an hour it never will be.
    const wrongs: [string, number][] = [
      [await pays(19_995_000), MINUTE_MS],
      ['5'.repeat(88), 65 * MINUTE_MS],
    ];
    for (const [wrong, passes] of wrongs) {
      const before = await disprovals();
      const id = await returns(boss, orderId, wrong);
      expect(await one()).toMatchObject({ proof: 'noted', returnTransaction: wrong });
      for (let passed = 0; passed < passes; passed += MINUTE_MS) await shop.pass(MINUTE_MS);
      await vi.waitFor(async () => expect(await one()).toMatchObject({ id, proof: 'open' }), PATIENCE_MS);
      expect(await one()).toMatchObject({
        ...{ status: 'open', returnTransaction: null, returnedAt: null, note: null },
        disproved: { transaction: wrong },
      });
      expect((await shop.look(buyer, { id: orderId })).refunds).toMatchObject([{ status: 'open' }]);
      expect(await disprovals()).toBe(before + 1);
    }
    const right = await pays(20_000_000);
    const id = await returns(boss, orderId, right);
    await shop.pass(MINUTE_MS);
    await vi.waitFor(
      async () => expect(await publishedRefund(buyer, id)).toMatchObject({ returnTransaction: right }),
      PATIENCE_MS,
    );
    const proven = (await listOf(boss)).find((each) => each.id === id);
    expect(proven).toMatchObject({ status: 'returned', proof: 'proven', disproved: null });
  });
});

test('a transfer to the buyer from a wallet other than the treasury does not return a payment', async () => {
  const [payer, other, boss] = [await wallet(shop.chain), await wallet(shop.chain), await shop.admin()];
  const { buyer, orderId } = await late(payer);
  const sold = { to: payer.publicKey.toBase58(), lamports: 20_000_000 };
  const fromAnother = await send(shop.chain, [other], [transferOf(other, sold)]);
  const id = await returns(boss, orderId, fromAnother);
  await shop.pass(MINUTE_MS);
  await vi.waitFor(
    async () =>
      expect((await listOf(boss)).find((each) => each.id === id)).toMatchObject({
        ...{ status: 'open', proof: 'open', disproved: { transaction: fromAnother } },
      }),
    PATIENCE_MS,
  );
  expect((await shop.look(buyer, { id: orderId })).refunds).toMatchObject([{ status: 'open' }]);
});

test('a transfer to the buyer from before the payment does not return it', async () => {
  const [payer, boss] = [await wallet(shop.chain), await shop.admin()];
  const before = await sendBack(payer);
  const { buyer, orderId } = await late(payer);
  const id = await returns(boss, orderId, before);
  await shop.pass(MINUTE_MS);
  await vi.waitFor(
    async () =>
      expect((await listOf(boss)).find((each) => each.id === id)).toMatchObject({
        ...{ status: 'open', proof: 'open', disproved: { transaction: before } },
      }),
    PATIENCE_MS,
  );
  expect((await shop.look(buyer, { id: orderId })).refunds).toMatchObject([{ status: 'open' }]);
});

describe('an erased account', () => {
  test('deletes its returned refund, and the transaction that returned it counts for no other payment', async () => {
    const [payer, boss] = [await wallet(shop.chain), await shop.admin()];
    const [one, other] = [await late(payer), await late(payer)];
    const back = await sendBack(payer);
    await returns(boss, one.orderId, back);
    await shop.pass(MINUTE_MS);
    const listed = async ({ orderId }: { orderId: string }) =>
      (await listOf(boss)).find((each) => each.orderId === orderId);
    await vi.waitFor(async () => expect(await listed(one)).toMatchObject({ status: 'returned' }), PATIENCE_MS);
    await shop.erase(one.buyer);
    await vi.waitFor(async () => expect(await listed(one)).toBeUndefined(), PATIENCE_MS);
    await returns(boss, other.orderId, back);
    await shop.pass(MINUTE_MS);
    const open = { status: 'open', proof: 'open', disproved: { transaction: back } };
    await vi.waitFor(async () => expect(await listed(other)).toMatchObject(open), PATIENCE_MS);
    // A separate transaction returns it.
    await returns(boss, other.orderId, await sendBack(payer));
    await shop.pass(MINUTE_MS);
    await vi.waitFor(async () => expect(await listed(other)).toMatchObject({ status: 'returned' }), PATIENCE_MS);
  });

  test('leaves no order and no badge; an owed refund stays without a user, and the signature stays used', async () => {
    const { buyer, orderId, signature } = await late();
    const bought = await shop.buyer();
    const order = await shop.order(bought);
    await shop.submit(bought, order, await shop.pay(order));
    await shop.pass(FINAL_MS);
    expect(await shop.purchases(bought)).toHaveLength(1);
    await shop.erase(buyer);
    await shop.erase(bought);
    await vi.waitFor(async () => {
      expect(await shop.purchases(bought)).toEqual([]);
      expect((await call(shop.url, rewardEndpoints.orders, { token: buyer.token })).body).toEqual([]);
    }, PATIENCE_MS);
    const boss = await shop.admin();
    await vi.waitFor(async () => {
      const left = (await listOf(boss)).find((each) => each.orderId === orderId);
      expect(left).toMatchObject({ userId: null, transactionHash: signature, status: 'open' });
    }, PATIENCE_MS);
    const stored = await storedState(shop.alone.backend, 'rewards');
    const naming = stored.filter((line) => line.includes(bought.userId) || line.includes(buyer.userId));
    expect(new Set(naming.map((line) => line.split(' ')[0]))).toEqual(new Set(['holders']));
    expect(stored.filter((line) => line.startsWith('signatures') && line.includes(order.id))).toHaveLength(1);
    const claim = { body: { userId: bought.userId }, token: bought.token };
    expect((await call(shop.url, rewardEndpoints.cordClaim, claim)).status).toBe(422);
  });

  test('is still owed a second payment, and a noted return that is not proven', async () => {
    const bought = await shop.buyer();
    const order = await shop.order(bought);
    await shop.submit(bought, order, await shop.pay(order));
    await shop.pass(FINAL_MS);
    expect(await shop.purchases(bought)).toHaveLength(1);
    const noted = await late();
    const boss = await shop.admin();
    const mine = (await listOf(boss, { status: 'open' })).find((each) => each.orderId === noted.orderId);
    const params = { id: mine?.id ?? '' };
    const body = { returnTransaction: '6'.repeat(88) };
    await call(shop.url, rewardEndpoints.returnRefund, { params, body, token: boss.token });
    await shop.erase(bought);
    await shop.erase(noted.buyer);
    await vi.waitFor(async () => expect(await shop.purchases(bought)).toEqual([]), PATIENCE_MS);
    const second = await shop.pay(order);
    for (let passed = 0; passed < 30; passed += 1) await shop.pass(MINUTE_MS);
    const open = async () => (await listOf(boss, { status: 'open' })).filter(({ userId }) => userId === null);
    await vi.waitFor(async () => {
      const found = await open();
      expect(found.find((each) => each.orderId === order.id)).toMatchObject({
        ...{ transactionHash: second, lamports: 20_000_000, reason: 'order-expired' },
      });
      expect(found.filter((each) => each.orderId === order.id)).toHaveLength(1);
      expect(found.find((each) => each.id === params.id)).toMatchObject({ lamports: 20_000_000 });
    }, PATIENCE_MS);
    // A week later nothing of the proven order is stored.
    await pastAllWatching();
    await vi.waitFor(async () => expect(await orderLines(order.id)).toEqual([]), PATIENCE_MS);
  });

  test('deletes its orders that are no longer watched, whatever their state', async () => {
    const owed = await late();
    const { id: unpaid } = await shop.order(owed.buyer);
    await pastAllWatching();
    await vi.waitFor(async () => {
      const lines = [...(await orderLines(owed.orderId)), ...(await orderLines(unpaid))];
      expect(lines.filter((line) => line.includes('"lookAtMs":null'))).toHaveLength(2);
    }, PATIENCE_MS);
    await shop.erase(owed.buyer);
    await vi.waitFor(async () => {
      expect([...(await orderLines(owed.orderId)), ...(await orderLines(unpaid))]).toEqual([]);
    }, PATIENCE_MS);
    const boss = await shop.admin();
    expect((await listOf(boss, { status: 'open' })).find((each) => each.orderId === owed.orderId)?.userId).toBeNull();
  });

  test('could export its orders and refunds before', async () => {
    const { buyer, orderId, signature } = await late();
    const data = await shop.alone.backend.nats.request(exportRpc('rewards'), { userId: buyer.userId });
    expect(data).toMatchObject({
      badgeOrders: [{ _id: orderId, status: 'refund' }],
      badgeRefunds: [{ signature, lamports: 20_000_000 }],
    });
  });
});

test('the admins’ list is read page by page to the end, open refunds first, and rejects an invalid cursor', async () => {
  const boss = await shop.admin();
  for (let made = 0; made < 2; made += 1) await late();
  const paged = await allPages((query) => pageOf(boss, { ...query, limit: '1' }));
  expect(paged.map(({ refunds }) => refunds.map(({ id }) => id))).toEqual((await listOf(boss)).map(({ id }) => [id]));
  for (const cursor of ['x', '0'.repeat(32), `lost-1-${'0'.repeat(32)}`]) {
    const refused = await call(shop.url, rewardEndpoints.refunds, { query: { cursor }, token: boss.token });
    expect([refused.status, refused.problem.errors?.[0]?.path]).toEqual([400, 'cursor']);
  }
  const statuses = (await listOf(boss)).map(({ status }) => status);
  expect(statuses).toEqual([...statuses].sort());
  expect(statuses.length).toBeGreaterThan(2);
});

test('an operator sees an account’s orders and one-time claims, and the views are in the audit log', async () => {
  const [boss, buyer] = [await shop.admin(), await shop.buyer()];
  await shop.register(buyer);
  const wanted = { params: { id: buyer.userId }, token: boss.token };
  const claims = async () => (await call(shop.url, adminEndpoints.claims, wanted)).body;
  await vi.waitFor(async () => expect((await claims()).claims[0]).toMatchObject({ refusal: null }), PATIENCE_MS);
  const { ledger } = shop.alone;
  ledger.down = true;
  await call(shop.url, rewardEndpoints.compensation, { body: { userId: buyer.userId }, token: buyer.token });
  const [made, badge] = (await claims()).claims;
  expect(made).toMatchObject({ kind: 'compensation', amount: 5000, pending: true, refusal: 'already-claimed' });
  expect(badge).toEqual({ kind: 'cordclaim', amount: 10_000, claimedAt: null, pending: false, refusal: 'no-badge' });
  ledger.down = false;
  await shop.pass(6_000);
  await vi.waitFor(async () => expect((await claims()).claims[0]?.pending).toBe(false), PATIENCE_MS);

  // Recorded at the same time, so they must be on one page: the next page begins below that time.
  const wallets = ['5', '6', '7'].map((digit) => digit.repeat(43));
  for (const wallet of wallets) await shop.order(buyer, wallet);
  await shop.pass(MINUTE_MS);
  const last = await shop.order(buyer, '8'.repeat(43));
  const pages = await allPages(async (query) => {
    const page = await call(shop.url, adminEndpoints.orders, { ...wanted, query: { ...query, limit: '2' } });
    return page.body;
  });
  const [first] = pages;
  expect(first?.orders[0]?.id).toBe(last.id);
  expect(pages.flatMap(({ orders }) => orders.map(({ walletAddress }) => walletAddress)).sort()).toEqual(
    [...wallets, '8'.repeat(43)].sort(),
  );
  const unknown = await call(shop.url, adminEndpoints.orders, { ...wanted, params: { id: randomId() } });
  expect(unknown.status).toBe(404);
  const mine = { ...wanted, token: buyer.token };
  expect((await call(shop.url, adminEndpoints.claims, mine)).status).toBe(403);
  const { entries } = await shop.alone.backend.nats.request(auditRpc('rewards'), { limit: 100 });
  const looks = entries.filter(({ target }) => target === buyer.userId).map(({ detail }) => detail.at);
  expect([looks.filter((at) => at === 'orders').length, new Set(looks)]).toEqual([1, new Set(['orders', 'claims'])]);
});
