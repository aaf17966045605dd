import { balanceChanged } from '@cord/contracts/events/balance';
import { badgePurchased } from '@cord/contracts/events/rewards';
import { userErased, userRegistered, userUpdated } from '@cord/contracts/events/user';
import { FIRST_BOOK } from '@cord/contracts/rules/rule-book';
import { randomId } from '@cord/kit/testing/index';
import { createTestDelivery, deliveriesOf, type TestEvent } from '@cord/kit/testing/last-only';
import { registered } from '@cord/kit/testing/registered';
import { expect, test } from 'vitest';
import { Board } from './domain/board.js';
import { followStreams } from './events.js';
import { earnedAt } from './test/account.js';

const NOON_MS = Date.UTC(2026, 10, 21, 12);

const profile = registered(NOON_MS, { username: 'first' });
const { referralCode: _code, welcomeMicro: _welcome, ...updated } = profile;
const EVENTS: TestEvent[] = [
  { kind: userRegistered, seq: 1, state: profile },
  { kind: balanceChanged, seq: 1, state: earnedAt(NOON_MS, '5') },
  { kind: userUpdated, seq: 2, state: { ...updated, username: 'second' } },
  { kind: balanceChanged, seq: 2, state: earnedAt(NOON_MS, '7') },
  { kind: badgePurchased, seq: 1, state: { orderId: 'o', purchasedAt: 1, transaction: 't' } },
  { kind: userUpdated, seq: 3, state: { ...updated, username: 'third' } },
  { kind: balanceChanged, seq: 3, state: earnedAt(NOON_MS, '9') },
];

async function outcomeOf(events: readonly TestEvent[]) {
  const userId = randomId();
  const board = new Board(NOON_MS, () => FIRST_BOOK);
  const deliver = createTestDelivery((nats) => followStreams(nats, board, null));
  for (const event of events) await deliver(userId, event);
  return [...board.miners()].map((miner) => ({ ...miner, userId: 'user' }));
}

test.each(deliveriesOf(EVENTS))('the board is the same for each delivery: %s', async (_name, events) => {
  const outcome = await outcomeOf(events);
  expect(outcome).toEqual(await outcomeOf(EVENTS));
  expect(outcome).toMatchObject([{ username: 'third', badge: true, accountSeq: 3 }]);
});

test.each(deliveriesOf([...EVENTS, { kind: userErased, seq: 4, state: {} }]))(
  'an erased user stays gone for each delivery: %s',
  async (_name, events) => expect(await outcomeOf(events)).toEqual([]),
);
