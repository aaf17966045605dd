import { nodePaused, nodeStarted, nodeStopped } from '@cord/contracts/events/node';
import { referralLinked } from '@cord/contracts/events/referral';
import { userRegistered, userUpdated } from '@cord/contracts/events/user';
import { eraseUser } from '@cord/kit/erase';
import { randomId, startTestStore } from '@cord/kit/testing/index';
import { createTestDelivery, deliveriesOf, type TestEvent } from '@cord/kit/testing/last-only';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { registered } from '@cord/kit/testing/registered';
import { beforeAll, expect, test } from 'vitest';
import { data } from './data.js';
import { nodeTimeTodayMs } from './domain/node-time.js';
import { listen } from './events.js';
import { openStore, type TaskStore, toRecord } from './store.js';
import { HOUR, NOON, session } from './test/people.js';

const backend = forAllTests(() => startTestStore({ data }));
let store: TaskStore;
beforeAll(() => {
  store = openStore(backend.store);
});

const node = (sessionId: string, startedAt: number, creditedUntil: number, ms: number) => ({
  ...session(startedAt, creditedUntil),
  ...{ sessionId, ranMs: ms, day: { dayKey: '2026-11-18', ms } },
});
const [ONE, TWO] = [randomId(), randomId()];
const profile = registered(NOON, { discordCreatedAt: 7 });
const { referralCode: _code, welcomeMicro: _welcome, ...updated } = profile;
const friends = (totalReferrals: number) => ({
  referralCode: 'K7M2QX9D',
  referredBy: null,
  totalReferrals,
  earningsMicro: '0',
});

const EVENTS: TestEvent[] = [
  { kind: userRegistered, seq: 1, state: profile },
  { kind: nodeStarted, seq: 2, state: node(ONE, NOON - 5 * HOUR, NOON - 5 * HOUR, 0) },
  { kind: referralLinked, seq: 1, state: friends(1) },
  { kind: nodePaused, seq: 4, state: node(ONE, NOON - 5 * HOUR, NOON - 4 * HOUR, HOUR) },
  { kind: nodeStarted, seq: 6, state: node(TWO, NOON - 3 * HOUR, NOON - 3 * HOUR, HOUR) },
  { kind: nodeStopped, seq: 8, state: node(TWO, NOON - 3 * HOUR, NOON - HOUR, 3 * HOUR) },
  { kind: referralLinked, seq: 2, state: friends(3) },
  { kind: userUpdated, seq: 2, state: updated },
];

test.each(deliveriesOf(EVENTS))('progress is the same (delivered: %s)', async (_name, events) => {
  const userId = randomId();
  const deliver = createTestDelivery((nats) =>
    listen(nats, store, (userId) => eraseUser({ store: backend.store, nats }, data, userId)),
  );
  for (const event of events) await deliver(userId, event);
  const found = await store.records.get(userId);
  const record = found && toRecord(found);
  expect(record).toMatchObject({
    discordCreatedAtMs: 7,
    joinedAtMs: NOON,
    friends: 3,
    nodeSeq: 8n,
  });
  expect(record && nodeTimeTodayMs(record, NOON)).toBe(3 * HOUR);
});
