import { rewardEndpoints } from '@cord/contracts/http/rewards';
import { call } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { PATIENCE_MS } from '@cord/kit/testing/patience';
import { storedState } from '@cord/kit/testing/stored';
import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { afterEach, expect, test, vi } from 'vitest';
import { send, transferOf, wallet } from './test/chain.js';
import { type Buyer, FINAL_MS, openShop } from './test/shop.js';

const MINUTE_MS = 60_000;
const PRICE = 20_000_000;
const NEVER_SENT = bs58.encode(Buffer.alloc(64, 7));

const shop = forAllTests(async () => {
  const opened = await openShop();
  await opened.chain.airdrop(opened.chain.treasurer.publicKey);
  return opened;
});
afterEach(() => shop.chain.fault('clear'));

const toTreasury = (lamports = PRICE) => ({ to: shop.chain.treasury.toBase58(), lamports });

/** Sends a payment without a reference, like an exchange, until it is final. */
async function paid(lamports = PRICE): Promise<{ payer: Keypair; signature: string }> {
  const payer = await wallet(shop.chain);
  const signature = await send(shop.chain, [payer], [transferOf(payer, toTreasury(lamports))]);
  await shop.pass(FINAL_MS);
  return { payer, signature };
}

async function record({ userId }: Pick<Buyer, 'userId'>, transactionHash: string, boss?: Buyer, at = shop.url) {
  const { token } = boss ?? (await shop.admin());
  const body = { userId, transactionHash, note: 'Paid from an exchange, case 4f2a' };
  return call(at, rewardEndpoints.recordRefund, { body, token });
}

/** The stored data, except what is read or checked again automatically. */
async function refundsStored(): Promise<string[]> {
  return (await storedState(shop.alone.backend, 'rewards')).filter((line) => /^(refunds|signatures|audit) /.test(line));
}

test('a payment without an order is recorded once for its reporter, shown, returned to its wallet and proven', async () => {
  const buyer = await shop.buyer();
  await shop.order(buyer);
  await shop.pass(MINUTE_MS);
  const order = await shop.order(buyer, (await wallet(shop.chain)).publicKey.toBase58());
  const { payer, signature } = await paid();
  await shop.pass(MINUTE_MS);
  await shop.order(buyer, (await wallet(shop.chain)).publicKey.toBase58());
  const boss = await shop.admin();

  const { status, body } = await record(buyer, signature, boss);
  const owed = {
    ...{ userId: buyer.userId, orderId: order.id, transactionHash: signature, lamports: PRICE },
    ...{ walletAddress: payer.publicKey.toBase58(), reason: 'wrong-reference', proof: 'open' },
  };
  expect([status, body]).toMatchObject([200, owed]);
  const stored = await refundsStored();
  expect((await record(buyer, signature, boss)).body).toEqual(body);
  expect((await refundsStored()).filter((line) => !line.startsWith('audit '))).toEqual(
    stored.filter((line) => !line.startsWith('audit ')),
  );
  const shown = await shop.look(buyer, order);
  expect(shown).toMatchObject({ status: 'refund', why: 'returned.wrong-reference' });
  expect(shown.refunds).toMatchObject([{ id: body.id, status: 'open' }]);

  const { treasurer } = shop.chain;
  const back = transferOf(treasurer, { to: payer.publicKey.toBase58(), lamports: PRICE });
  const returnTransaction = await send(shop.chain, [treasurer], [back]);
  const noted = { params: { id: body.id }, body: { returnTransaction }, token: boss.token };
  expect((await call(shop.url, rewardEndpoints.returnRefund, noted)).status).toBe(200);
  await shop.pass(MINUTE_MS);
  await vi.waitFor(
    async () =>
      expect((await shop.look(buyer, order)).refunds).toMatchObject([{ status: 'returned', returnTransaction }]),
    PATIENCE_MS,
  );
});

test('a report is rejected, with nothing written, for every payment that is not the account’s to claim', async () => {
  const buyer = await shop.buyer();
  const early = await paid();
  await shop.pass(2 * MINUTE_MS);
  const order = await shop.order(buyer);
  const other = await shop.buyer();
  await shop.order(other);
  const named = await shop.pay(order);
  const { signature: taken } = await paid();
  const { signature: small } = await paid(99_999);
  const payer = await wallet(shop.chain);
  const elsewhere = await send(
    shop.chain,
    [payer],
    [transferOf(payer, { to: Keypair.generate().publicKey.toBase58(), lamports: PRICE })],
  );
  await shop.pass(FINAL_MS);
  expect((await record(other, taken)).status).toBe(200);
  const fresh = await send(shop.chain, [payer], [transferOf(payer, toTreasury())]);
  const before = await refundsStored();

  const refusals = [named, early.signature, taken, small, elsewhere, fresh, NEVER_SENT].map(async (signature) => {
    const { status, problem } = await record(buyer, signature);
    return [status, problem.type];
  });
  expect(await Promise.all(refusals)).toEqual([
    [409, 'payment-of-order'],
    [404, 'payment-without-order'],
    [422, 'signature-used'],
    [422, 'amount-too-small'],
    [422, 'wrong-treasury'],
    [404, 'payment-not-final'],
    [404, 'payment-not-final'],
  ]);
  shop.chain.fault('rpc-down');
  const away = await record(buyer, early.signature);
  expect([away.status, away.problem.type]).toEqual([503, 'wallet-network-away']);
  const after = await refundsStored();
  const whose = (lines: readonly string[]) => lines.filter((line) => !line.startsWith('signatures '));
  expect(whose(after)).toEqual(whose(before));
});

test('a payment must reach the treasury of its order, even after the treasury changed', async () => {
  const buyer = await shop.buyer();
  await shop.order(buyer);
  const { signature } = await paid();
  const elsewhere = Keypair.generate().publicKey.toBase58();
  const moved = await shop.alone.replica({ env: { SOLANA_RPC_URL: shop.chain.url, SOLANA_TREASURY: elsewhere } });
  const { status, body } = await record(buyer, signature, await shop.admin(), moved.url);
  expect([status, body.lamports]).toEqual([200, PRICE]);
  await moved.close();
});

test('only operators record a payment, and an erasure removes what was written about the buyer', async () => {
  const buyer = await shop.buyer();
  await shop.register(buyer);
  await shop.order(buyer);
  const { signature } = await paid();
  expect((await record(buyer, signature, buyer)).status).toBe(403);
  const { body } = await record(buyer, signature);
  await shop.erase(buyer);
  await vi.waitFor(async () => {
    const lines = (await refundsStored()).filter((line) => line.includes(body.id));
    expect(lines.find((line) => line.startsWith('refunds '))).toContain('"userId":"erased"');
    const [written] = lines.filter((line) => line.startsWith('audit '));
    expect(written).toContain('payment.recorded');
    expect(written).not.toContain(signature);
    expect(written).not.toContain('exchange');
  }, PATIENCE_MS);
});
