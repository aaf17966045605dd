import { createTestClock, randomId } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { Keypair } from '@solana/web3.js';
import { beforeEach, expect, test } from 'vitest';
import { ORDER_MS } from '../domain/orders.js';
import { openStore } from '../store.js';
import { fakeNetwork, openDesks } from '../test/desks.js';
import { createOrders } from './orders.js';

const NOON = Date.UTC(2026, 10, 18, 12);
const HOUR_MS = 3_600_000;

const desks = forAllTests(() => openDesks());
beforeEach(() => desks.newRound());

const wallet = () => Keypair.generate().publicKey.toBase58();

async function buying() {
  const clock = createTestClock(NOON);
  const rewards = await desks.process(fakeNetwork(), clock);
  const userId = randomId();
  return { clock, rewards, userId, create: (address = wallet()) => rewards.creating.create(userId, address) };
}

test('a user has at most ten open orders, even when two processes create twenty concurrently', async () => {
  const { clock, rewards, userId, create } = await buying();
  const { connection, orders, price } = rewards;
  const store = openStore(connection);
  const other = createOrders({ orders, store, price, clock, treasury: 'treasury', lamports: 20_000_000 });
  const calls = Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? create() : other.create(userId, wallet())));
  const refusals = (await Promise.allSettled(calls)).flatMap((call) =>
    call.status === 'rejected' ? [call.reason] : [],
  );
  expect(refusals.map(({ status, type }) => `${status} ${type}`)).toEqual(Array(10).fill('422 too-many-orders'));
  expect(await orders.ofUser(userId)).toHaveLength(10);
});

test('a user can create twenty orders in 24 hours; returning an existing order does not count', async () => {
  const { clock, rewards, userId, create } = await buying();
  for (let n = 0; n < 20; n += 1) {
    await create();
    await clock.advance(ORDER_MS);
  }
  await clock.advance(HOUR_MS);
  const refusal = { status: 429, type: 'too-many-orders-today', headers: { 'Retry-After': String(18 * 3_600) } };
  await expect(create()).rejects.toMatchObject(refusal);
  expect(await rewards.orders.ofUser(userId)).toHaveLength(20);
  await clock.advance(18 * HOUR_MS);
  const address = wallet();
  const made = await create(address);
  expect((await create(address))._id).toBe(made._id);
  await expect(create()).rejects.toMatchObject({ status: 429 });
  await clock.advance(ORDER_MS);
  await create();
});
