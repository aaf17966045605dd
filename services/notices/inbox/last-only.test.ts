import { nodePaused, nodeStarted } from '@cord/contracts/events/node';
import { badgePurchased } from '@cord/contracts/events/rewards';
import { checkinPerformed } from '@cord/contracts/events/tasks';
import { randomId } from '@cord/kit/testing/index';
import { deliveriesOf, type ToldEvent } from '@cord/kit/testing/last-only';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkIn, EVENING, HOUR, type InboxWorld, openInboxWorld, paused } from '../test/inbox-world.js';

let world: InboxWorld;
beforeAll(async () => {
  world = await openInboxWorld();
});
afterAll(() => world?.stop());

const EVENTS: ToldEvent[] = [
  { kind: nodeStarted, seq: 2, state: paused(EVENING - HOUR) },
  { kind: checkinPerformed, seq: 1, state: checkIn('2026-11-26', 17) },
  { kind: nodePaused, seq: 4, state: paused(EVENING - HOUR) },
  { kind: checkinPerformed, seq: 2, state: checkIn('2026-11-27', 18) },
  { kind: badgePurchased, seq: 1, state: { orderId: 'o', purchasedAt: EVENING } },
];

test.each(deliveriesOf(EVENTS))('the inbox is the same by %s', async (_name, events) => {
  const userId = randomId();
  for (const event of events) await world.hand(userId, event);
  expect(await world.titles(userId)).toEqual([
    'Payment proven: the Badge of Honor is yours',
    'Your node paused at 20:00 UTC',
  ]);
  expect(await world.people.docs.get(userId)).toMatchObject({
    streak: { dayKey: '2026-11-27', days: 18 },
    closesOn: '2026-11-28',
  });
});
