import { aloneWithLeases } from '@cord/kit/testing/alone';
import { createTestClock } from '@cord/kit/testing/index';
import { untilTestEnds } from '@cord/kit/testing/lifetimes';
import { expect, test } from 'vitest';
import { createRefundProofs } from './refund-proofs.js';
import type { Refund, Refunds } from './refunds.js';

const NOON_MS = Date.UTC(2026, 10, 18, 12);

test('the wait for the next look counts from the beginning of a look, however long the network takes to answer', async () => {
  const clock = createTestClock(NOON_MS);
  const refund = { _id: 'r', returnTransaction: 't', returnedAtMs: NOON_MS, payer: 'p', lookAtMs: NOON_MS } as Refund;
  const refunds: Partial<Refunds> = {
    due: async (nowMs, limit, takes) =>
      [refund]
        .filter((r) => (r.lookAtMs ?? 0) <= nowMs && takes(r._id))
        .slice(0, limit)
        .map((r) => r._id),
    get: async () => refund,
    postpone: async (_, lookAtMs) => void Object.assign(refund, { lookAtMs, looks: (refund.looks ?? 0) + 1 }),
  };
  const sighting = async () => {
    clock.pass(60_000);
    return { kind: 'seen' as const };
  };
  const proofs = createRefundProofs({
    ...{ refunds: refunds as Refunds, network: { sighting }, clock, leases: aloneWithLeases() },
    ...{ outbox: { relayNow: async () => undefined }, log: { warn: () => undefined } as never },
  });
  proofs.start();
  untilTestEnds({ stop: () => proofs.stop() });
  await clock.advance(0);
  expect(refund).toMatchObject({ looks: 1, lookAtMs: NOON_MS + 5_000 });
  await clock.advance(0);
  expect(refund).toMatchObject({ looks: 2, lookAtMs: NOON_MS + 70_000 });
});
