import { createTestClock } from '@cord/kit/testing/index';
import { forAllTests, stopAfterTest } from '@cord/kit/testing/lifetimes';
import { singleReplicaLeases } from '@cord/kit/testing/single-replica-leases';
import { expect, test } from 'vitest';
import { NetworkAway, type Sighting, Unreadable } from '../chain/wallet-network.js';
import { fakeNetwork, openDesks } from '../test/desks.js';
import { createRefundProofs } from './refund-proofs.js';
import type { Refund, Refunds } from './refunds.js';

const desks = forAllTests(() => openDesks());

const NOON_MS = Date.UTC(2026, 10, 18, 12);
const DAY_MS = 86_400_000;

/** Sets up a refund noted at noon, and the lookup of its transaction. */
function noted(sighting: (clock: ReturnType<typeof createTestClock>) => Promise<Sighting>) {
  const clock = createTestClock(NOON_MS);
  const refund = { _id: 'r', returnTransaction: 't', returnedAtMs: NOON_MS, payer: 'p', lookAtMs: NOON_MS } as Refund;
  const refunds: Partial<Refunds> = {
    due: async (nowMs, limit, takes) =>
      [refund]
        .filter((r) => (r.lookAtMs ?? Number.POSITIVE_INFINITY) <= nowMs && takes(r._id))
        .slice(0, limit)
        .map((r) => r._id),
    get: async () => refund,
    postpone: async (_, lookAtMs) => void Object.assign(refund, { lookAtMs, looks: (refund.looks ?? 0) + 1 }),
    async disproved() {
      Object.assign(refund, { returnTransaction: null });
      delete refund.lookAtMs;
      return true;
    },
  };
  const quiet = { warn: () => undefined, error: () => undefined } as never;
  const proofs = createRefundProofs({
    ...{
      refunds: refunds as Refunds,
      treasury: 'treasury',
      network: { sighting: () => sighting(clock) },
      clock,
      leases: singleReplicaLeases(),
    },
    ...{ outbox: { relayNow: async () => undefined }, log: quiet },
  });
  proofs.start();
  stopAfterTest({ stop: () => proofs.stop() });
  return { clock, refund };
}

test('the next query of a refund is scheduled from the start of the previous one, however slow the network', async () => {
  const { clock, refund } = noted(async (passing) => {
    passing.pass(60_000);
    return { kind: 'seen' };
  });
  await clock.advance(0);
  expect(refund).toMatchObject({ looks: 1, lookAtMs: NOON_MS + 5_000 });
  await clock.advance(0);
  expect(refund).toMatchObject({ looks: 2, lookAtMs: NOON_MS + 70_000 });
});

test('a noted return stays noted while the network is away, and is reopened by its first response', async () => {
  let isAway = true;
  const { clock, refund } = noted(async () => {
    if (isAway) throw new NetworkAway('down');
    return { kind: 'unseen' };
  });
  for (let days = 0; days < 10; days += 1) await clock.advance(DAY_MS);
  expect(refund.returnTransaction).toBe('t');
  expect(refund.lookAtMs).toBeGreaterThan(clock.now());
  isAway = false;
  await clock.advance(DAY_MS);
  expect(refund.returnTransaction).toBeNull();
});

test.each<[string, () => Sighting]>([
  ['is not final', () => ({ kind: 'seen' })],
  [
    'cannot be read',
    () => {
      throw new Unreadable('version 9');
    },
  ],
])('a noted return whose transaction %s is reopened after a week, not before', async (_, answer) => {
  const { clock, refund } = noted(async () => answer());
  for (let days = 0; days < 7; days += 1) await clock.advance(DAY_MS);
  expect(refund.returnTransaction).toBe('t');
  await clock.advance(DAY_MS);
  expect(refund.returnTransaction).toBeNull();
});

test.each([
  ['since the payment, before it was found and recorded, is proven', NOON_MS - DAY_MS + 1, true],
  ['before the payment is opened again', NOON_MS - DAY_MS - 120_000, false],
])('a return made %s', async (_, blockTimeMs, isProven) => {
  await desks.newRound();
  const clock = createTestClock(NOON_MS - 2 * DAY_MS);
  const network = fakeNetwork();
  const rewards = await desks.process(network, clock);
  const order = await rewards.creating.create('u', null);
  network.land(order, 'late', { blockTimeMs: NOON_MS - DAY_MS });
  await clock.advance(2 * DAY_MS);
  await rewards.reconciler.sweepOnce();
  const [owed] = await rewards.refunds.ofUser('u');
  if (!owed) throw new Error('nothing is owed');
  expect(owed.atMs).toBe(NOON_MS);
  const lamports = BigInt(owed.lamports);
  const transfers = [{ from: 'treasury', to: 'payer', lamports, keys: [] }];
  network.land(order, 'back', { blockTimeMs, transfers, changes: new Map([['payer', lamports]]) });
  await rewards.refunds.note(owed._id, { returnTransaction: 'back', returnedAtMs: clock.now(), note: null });
  const proofs = createRefundProofs({
    ...{ refunds: rewards.refunds, treasury: 'treasury', network, clock, leases: singleReplicaLeases() },
    ...{ outbox: { relayNow: async () => undefined }, log: { warn() {}, error() {} } as never },
  });
  proofs.start();
  stopAfterTest({ stop: () => proofs.stop() });
  await clock.advance(0);
  expect((await rewards.refunds.get(owed._id))?.status).toBe(isProven ? 'returned' : 'open');
});

test('a refund noted by a clock ahead is queried at once', async () => {
  await desks.newRound();
  const { refunds } = await desks.process(fakeNetwork(), createTestClock(NOON_MS));
  const paid = {
    orderId: 'o',
    userId: 'u',
    payer: 'p',
    treasury: 't',
    lamports: 20_000_000,
    reason: 'order-expired' as const,
  };
  for (const signature of ['one', 'other']) {
    await refunds.record({ ...paid, signature, atMs: NOON_MS, part: [] });
  }
  const [one, other] = await refunds.list({ status: 'open', after: null, limit: 2 });
  if (!one || !other) throw new Error('nothing is owed');
  const notedAt = (returnedAtMs: number) => ({ returnTransaction: 't', returnedAtMs, note: null });
  await refunds.note(one._id, notedAt(NOON_MS + 6 * 3_600_000));
  await refunds.note(other._id, notedAt(NOON_MS + DAY_MS));
  expect(await refunds.due(NOON_MS, 8, () => true)).toEqual([other._id]);
});

test('a disproved return no longer counts for its transaction, even if a slow replica proved it', async () => {
  desks.newRound();
  const { refunds } = await desks.process(fakeNetwork(), createTestClock(NOON_MS));
  const paid = {
    orderId: 'o',
    userId: 'u',
    payer: 'wallet',
    treasury: 't',
    reason: 'order-expired',
    atMs: NOON_MS,
  } as const;
  for (const lamports of [5, 7]) await refunds.record({ ...paid, signature: `paid ${lamports}`, lamports, part: [] });
  const all = await refunds.list({ status: 'open', after: null, limit: 10 });
  const note = (of: number) => {
    const { _id = '' } = all.find(({ lamports }) => lamports === of) ?? {};
    return refunds.note(_id, { returnTransaction: 'back', returnedAtMs: NOON_MS, note: null }) as Promise<Refund>;
  };
  const read = await note(5);
  await refunds.disproved(read, NOON_MS);
  await refunds.proven(read, NOON_MS);
  await note(7);
  expect(await refunds.owedBy('back', 'wallet')).toBe(7n);
  await note(5);
  expect(await refunds.owedBy('back', 'wallet')).toBe(12n);
});
