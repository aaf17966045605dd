import { NATS_PAYLOAD_BYTES_MAX } from '@cord/kit/bounds';
import { createTestClock, randomId } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { expect, test } from 'vitest';
import { exportOf } from './export.js';
import { fakeNetwork, openDesks } from './test/desks.js';

const NOON_MS = Date.UTC(2026, 10, 18, 12);

const desks = forAllTests(() => openDesks());

/** Exports a user with this many orders and refunds. @returns the exported ones, newest first, and the size of the export */
async function exported({ many, judged, note }: { many: number; judged: string[]; note: string | null }) {
  await desks.newRound();
  const rewards = await desks.process(fakeNetwork(), createTestClock(NOON_MS));
  const userId = randomId();
  const made = await rewards.creating.create(userId, null);
  const paid = {
    orderId: made._id,
    userId,
    payer: 'p'.repeat(44),
    treasury: 't'.repeat(44),
    lamports: 20_000_000,
    reason: 'paid-twice' as const,
  };
  for (let n = 1; n <= many; n += 1) {
    const own = { _id: randomId(), reference: `reference-${n}`, createdAtMs: NOON_MS + n };
    await rewards.orders.insert({ ...made, ...own, judged });
    await rewards.refunds.record({ ...paid, part: [], signature: `signature-${n}`, atMs: NOON_MS + n });
  }
  await rewards.connection.collection('refunds').updateMany({ userId }, { $set: { note } });
  const whole = await exportOf(rewards, userId);
  const { badgeOrders, badgeRefunds } = whole as {
    badgeOrders: { createdAtMs: number }[];
    badgeRefunds: { atMs: number }[];
  };
  return {
    bytes: Buffer.byteLength(JSON.stringify(whole)),
    orders: badgeOrders.map(({ createdAtMs }) => createdAtMs - NOON_MS),
    refunds: badgeRefunds.map(({ atMs }) => atMs - NOON_MS),
  };
}
/** Returns the numbers from `from` down to `to`. */
const down = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, n) => from - n);

test('an export contains all orders and refunds of a user, beyond one page', async () => {
  const { orders, refunds } = await exported({ many: 120, judged: [], note: null });
  expect([orders, refunds]).toEqual([down(120, 0), down(120, 1)]);
});

test('an export that exceeds one message contains the newest orders and refunds', async () => {
  const judged = Array.from({ length: 200 }, (_, n) => `${n}`.padStart(88, '5'));
  const { orders, refunds, bytes } = await exported({ many: 220, judged, note: '–'.repeat(500) });
  expect([orders, refunds]).toEqual([down(220, 221 - orders.length), down(220, 221 - refunds.length)]);
  expect([orders.length, refunds.length].map((length) => length > 20 && length < 220)).toEqual([true, true]);
  expect(bytes).toBeLessThan(NATS_PAYLOAD_BYTES_MAX);
});
