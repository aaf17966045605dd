import { referralLinked } from '@cord/contracts/events/referral';
import { badgePurchased, claimMade } from '@cord/contracts/events/rewards';
import { checkinPerformed, taskCompleted } from '@cord/contracts/events/tasks';
import { randomId, startTestStore } from '@cord/kit/testing/index';
import { createTestDelivery, deliveriesOf, type TestEvent } from '@cord/kit/testing/last-only';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { expect, it } from 'vitest';
import { consumeEvents } from './events.js';
import { createFactStore } from './store/facts.js';
import { createSupportStore } from './store/support.js';

const backend = forAllTests(() => startTestStore());

const task = (taskId: string, completed: number) => ({ taskId, rewardMicro: '1', claimedAt: completed, completed });
const checkIn = (totalCheckIns: number) => ({
  dayKey: `2026-11-2${totalCheckIns}`,
  streak: totalCheckIns,
  longestStreak: totalCheckIns,
  totalCheckIns,
  rewardMicro: '5',
  bonusMicro: '0',
});
const place = (totalReferrals: number) => ({
  referralCode: 'ABCDEFGH',
  referredBy: null,
  totalReferrals,
  earningsMicro: '0',
});
const compensation = { amountMicro: '5000', claimedAt: 1 };
const cordclaim = { amountMicro: '7000', claimedAt: 2 };

const EVENTS: TestEvent[] = [
  {
    kind: claimMade,
    seq: 1,
    state: { kind: 'compensation', ...compensation, claims: { compensation, cordclaim: null } },
  },
  { kind: badgePurchased, seq: 2, state: { orderId: 'o', purchasedAt: 1, transaction: 't' } },
  { kind: claimMade, seq: 3, state: { kind: 'cordclaim', ...cordclaim, claims: { compensation, cordclaim } } },
  { kind: taskCompleted, seq: 1, state: task('a', 1) },
  { kind: checkinPerformed, seq: 1, state: checkIn(1) },
  { kind: taskCompleted, seq: 2, state: task('b', 2) },
  { kind: checkinPerformed, seq: 2, state: checkIn(2) },
  { kind: referralLinked, seq: 1, state: place(1) },
  { kind: referralLinked, seq: 4, state: place(2) },
];

it.each(deliveriesOf(EVENTS))('the user record is the same (delivered: %s)', async (_name, events) => {
  const userId = randomId();
  const [facts, support] = [createFactStore(backend.store), createSupportStore(backend.store)];
  await facts.open(userId);
  const deliver = createTestDelivery((nats) =>
    consumeEvents({ nats, facts, support, send: () => undefined, now: Date.now }),
  );
  for (const event of events) await deliver(userId, event);

  expect(await facts.of(userId)).toMatchObject({
    badge: { seq: '2' },
    referral: { totalReferrals: 2 },
    checkin: { dayKey: '2026-11-22' },
    task: { completed: 2 },
    compensation,
    cordclaim,
  });
});
