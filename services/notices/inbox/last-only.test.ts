import { nodePaused, nodeStarted } from '@cord/contracts/events/node';
import { badgePurchased, badgeRefunded } from '@cord/contracts/events/rewards';
import { checkinPerformed } from '@cord/contracts/events/tasks';
import { sessionOpened } from '@cord/contracts/events/user';
import { randomId } from '@cord/kit/testing/index';
import { deliveriesOf, type TestEvent } from '@cord/kit/testing/last-only';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { expect, test } from 'vitest';
import { checkIn, EVENING, HOUR, openInboxWorld, paused } from '../test/inbox-world.js';

const world = forAllTests(() => openInboxWorld());

const opened = ['Firefox on Linux', 'Chrome on Android'].map((device, n) => {
  return { sessionId: randomId(), device, openedAt: EVENING - (6 - n) * HOUR };
});
const refund = {
  refundId: randomId(),
  lamports: 20_000_000,
  reason: 'order-expired',
  returnTransaction: '5'.repeat(88),
  provenAt: EVENING - 2 * HOUR,
};

const EVENTS: TestEvent[] = [
  { kind: nodeStarted, seq: 2, state: paused(EVENING - HOUR) },
  { kind: checkinPerformed, seq: 1, state: checkIn('2026-11-26', 17) },
  { kind: nodePaused, seq: 4, state: paused(EVENING - HOUR) },
  { kind: checkinPerformed, seq: 2, state: checkIn('2026-11-27', 18) },
  { kind: badgePurchased, seq: 1, state: { orderId: 'o', purchasedAt: EVENING, transaction: '5'.repeat(88) } },
  { kind: badgeRefunded, seq: 1, state: refund },
  { kind: sessionOpened, seq: 3, state: { opened: opened.slice(0, 1) } },
  { kind: sessionOpened, seq: 5, state: { opened } },
];

test.each(deliveriesOf(EVENTS))('the inbox is the same (delivered: %s)', async (_name, events) => {
  const userId = randomId();
  for (const event of events) await world.hand(userId, event);
  expect(await world.titles(userId)).toEqual([
    'Payment confirmed: the Badge of Honor is yours',
    'Your node paused at 20:00 UTC',
    'Refund confirmed: 0.02 SOL',
    'New sign-in: Chrome on Android',
    'New sign-in: Firefox on Linux',
  ]);
  expect(await world.people.docs.get(userId)).toMatchObject({
    streak: { dayKey: '2026-11-27', days: 18 },
    closesOn: '2026-11-28',
  });
});
