import { rewardEndpoints } from '@cord/contracts/http/rewards';
import { call } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { PATIENCE_MS } from '@cord/kit/testing/patience';
import { type NewerDocuments, storedAt, writeAsNewer, writeNewerSchema } from '@cord/kit/testing/unknown-fields';
import { expect, test, vi } from 'vitest';
import { send, transferOf } from './test/chain.js';
import { type Buyer, FINAL_MS, openShop } from './test/shop.js';

const MINUTE_MS = 60_000;

const shop = forAllTests(() => openShop());

const written = (): Promise<NewerDocuments> =>
  writeAsNewer(shop.alone.backend, 'rewards', {
    pass: () => shop.pass(6_000),
    final: ['signatures'],
    except: { audit: 'never changed', streams: 'where publishing is' },
  });
const ok = async (answer: Promise<{ status: number }>) => expect([200, 202]).toContain((await answer).status);
/** Retries until auth's event has arrived. */
const eventually = (answer: () => Promise<{ status: number }>) => vi.waitFor(() => ok(answer()), PATIENCE_MS);

async function editEpochs({ token }: Buyer, name: string): Promise<void> {
  const last = { params: { id: 'omega' }, body: { name }, token };
  await ok(call(shop.url, rewardEndpoints.updateEpoch, last));
}

test('unknown fields of a newer release survive every update of their document', async () => {
  const [buyer, late] = [await shop.buyer(), await shop.buyer()];
  await shop.register(buyer);
  await eventually(() =>
    call(shop.url, rewardEndpoints.compensation, { body: { userId: buyer.userId }, token: buyer.token }),
  );
  const [order, second] = [await shop.order(buyer), await shop.order(late)];
  await editEpochs(await shop.admin(), 'Last');
  const newer = await written();
  expect(newer.collections).toEqual(['epochs', 'holders', 'orders']);

  // Covers a look at the chain, a seen payment, one handed in, and its proof.
  await shop.pass(MINUTE_MS);
  const signature = await shop.pay(order);
  await ok(shop.submit(buyer, order, signature));
  await shop.pass(FINAL_MS);
  expect((await shop.look(buyer, order)).status).toBe('confirmed');
  await eventually(() =>
    call(shop.url, rewardEndpoints.cordClaim, { body: { userId: buyer.userId }, token: buyer.token }),
  );
  await editEpochs(await shop.admin(), 'The last');
  // A payment that arrived too late is returned.
  await shop.pass(16 * MINUTE_MS);
  await shop.submit(late, second, await shop.pay(second));
  await shop.pass(FINAL_MS);
  expect(await newer.lost()).toEqual([]);
  expect(await newer.changed()).toEqual(newer.collections);

  const paid = await written();
  expect(paid.collections).toEqual(['epochs', 'holders', 'orders', 'refunds', 'signatures']);
  const boss = await shop.admin();
  const look = () => call(shop.url, rewardEndpoints.refunds, { query: {}, token: boss.token });
  const { refunds } = (await look()).body;
  const back = { params: { id: refunds[0]?.id ?? '' }, body: { returnTransaction: '5'.repeat(88), note: 'By hand' } };
  await ok(call(shop.url, rewardEndpoints.returnRefund, { ...back, token: boss.token }));
  await shop.pass(MINUTE_MS);
  await shop.erase(buyer);
  await shop.erase(late);
  const holder = () => storedAt(shop.alone.backend, placeOf('holders', buyer.userId));
  await vi.waitFor(async () => expect((await holder())?.erased).toBe(true), PATIENCE_MS);
  expect(await paid.lost()).toEqual([]);
});

test('an order with a newer schema gets 503 naming the schema, is not changed and blocks no other order', async () => {
  const buyer = await shop.buyer();
  const order = await shop.order(buyer);
  const { backend } = shop.alone;
  const newer = await writeNewerSchema(backend, placeOf('orders', order.id));
  const refused = await call(shop.url, rewardEndpoints.order, { params: { id: order.id }, token: buyer.token });
  expect([refused.status, refused.problem.error]).toEqual([503, expect.stringContaining('order is of schema 2')]);
  expect((await shop.submit(buyer, order, '5'.repeat(88))).status).toBe(503);
  // Other orders are looked up on the chain as before.
  const other = await shop.buyer();
  const paid = await shop.order(other);
  await shop.pay(paid);
  await shop.pass(MINUTE_MS);
  expect((await shop.look(other, paid)).status).toBe('confirmed');
  // Unchanged except its queue time, so that it does not block others.
  expect({ ...(await storedAt(backend, placeOf('orders', order.id))), lookAtMs: 0 }).toEqual({
    ...newer,
    lookAtMs: 0,
  });
});

test('a refund with a newer schema does not block the proof of another refund', async () => {
  const { backend } = shop.alone;
  const [boss, sent] = [await shop.admin(), new Map<string, string>()];
  const late = async () => {
    const buyer = await shop.buyer();
    const order = await shop.order(buyer);
    await shop.pass(16 * MINUTE_MS);
    await shop.submit(buyer, order, await shop.pay(order));
    await shop.pass(FINAL_MS);
    return order.id;
  };
  // A third one covers the fees of the return.
  const [orders] = [[await late(), await late()], await late()];
  const { treasurer } = shop.chain;
  // Hours may have passed, and the act requires a recent sign-in.
  const token = await shop.alone.tokenOf(boss.userId);
  const { refunds } = (await call(shop.url, rewardEndpoints.refunds, { token })).body;
  for (const { id, orderId, walletAddress, lamports } of refunds.filter((one) => orders.includes(one.orderId))) {
    const back = transferOf(treasurer, { to: walletAddress, lamports });
    const returnTransaction = await send(shop.chain, [treasurer], [back]);
    const noted = { params: { id }, body: { returnTransaction }, token };
    expect((await call(shop.url, rewardEndpoints.returnRefund, noted)).status).toBe(200);
    sent.set(orderId, id);
  }
  const [newer, other] = orders.map((orderId) => placeOf('refunds', sent.get(orderId) ?? ''));
  await writeNewerSchema(backend, newer as never);
  await shop.pass(MINUTE_MS);
  await vi.waitFor(
    async () => expect(await storedAt(backend, other as never)).toMatchObject({ status: 'returned' }),
    PATIENCE_MS,
  );
  expect(await storedAt(backend, newer as never)).toMatchObject({ status: 'open' });
});

const placeOf = (collection: string, id: string) => ({ service: 'rewards', collection, id });
