import { nodePaused, nodeStarted, nodeStopped } from '@cord/contracts/events/node';
import { referralLinked } from '@cord/contracts/events/referral';
import { badgePurchased, claimMade } from '@cord/contracts/events/rewards';
import { checkinPerformed, taskCompleted } from '@cord/contracts/events/tasks';
import { createLogger } from '@cord/kit/log';
import { connectStore } from '@cord/kit/store';
import { randomId, startTestBackend, type TestBackend } from '@cord/kit/testing/index';
import { deliveriesOf, handsOf, type ToldEvent } from '@cord/kit/testing/last-only';
import type { Connection } from 'mongoose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAntiCheat } from './anticheat.js';
import { consumeEvents } from './events.js';
import { createAddressStore } from './store/addresses.js';
import { createAssessmentStore } from './store/assessments.js';
import { createFactStore } from './store/facts.js';
import { createMinedStore } from './store/mined.js';
import { createSupportStore } from './store/support.js';
import type { UserStore } from './store/users.js';
import { hash32 } from './test/events.js';

const NOON_MS = Date.UTC(2026, 10, 21, 12);
const HOUR_MS = 3_600_000;

let backend: TestBackend;
let connection: Connection;
beforeAll(async () => {
  backend = await startTestBackend();
  connection = await connectStore(backend.mongodbUri, backend.dbName('auth'), createLogger('test', 'silent'));
});
afterAll(async () => {
  await connection?.close();
  await backend?.stop();
});

const session = randomId();
const node = (line: string, hours: Record<string, number>) => ({
  sessionId: session,
  startedAt: NOON_MS - 9 * HOUR_MS,
  creditedUntil: NOON_MS,
  leaseUntil: NOON_MS,
  earnings: '0',
  sessionMs: 0,
  ranMs: Object.values(hours).reduce((sum, each) => sum + each, 0) * HOUR_MS,
  addressHash: line,
  addresses: Object.entries(hours).map(([hash, each]) => ({ hash, ms: each * HOUR_MS })),
});
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

const eventsAt = (home: string, phone: string): ToldEvent[] => [
  { kind: nodeStarted, seq: 1, state: node(home, { [home]: 0 }) },
  {
    kind: claimMade,
    seq: 1,
    state: { kind: 'compensation', ...compensation, claims: { compensation, cordclaim: null } },
  },
  { kind: badgePurchased, seq: 2, state: { orderId: 'o', purchasedAt: 1 } },
  { kind: nodePaused, seq: 3, state: node(home, { [home]: 1 }) },
  { kind: claimMade, seq: 3, state: { kind: 'cordclaim', ...cordclaim, claims: { compensation, cordclaim } } },
  { kind: taskCompleted, seq: 1, state: task('a', 1) },
  { kind: checkinPerformed, seq: 1, state: checkIn(1) },
  { kind: taskCompleted, seq: 2, state: task('b', 2) },
  { kind: checkinPerformed, seq: 2, state: checkIn(2) },
  { kind: nodeStarted, seq: 5, state: node(phone, { [home]: 2, [phone]: 0 }) },
  { kind: nodeStopped, seq: 7, state: node(phone, { [home]: 2, [phone]: 3 }) },
  { kind: referralLinked, seq: 1, state: place(1) },
  { kind: referralLinked, seq: 4, state: place(2) },
];

it.each(deliveriesOf(eventsAt('home', 'phone')))(
  'the record and the network check are the same by %s',
  async (name) => {
    const [home, phone] = [hash32(`home ${name}`), hash32(`phone ${name}`)];
    const events = new Map(deliveriesOf(eventsAt(home, phone))).get(name) ?? [];
    const userId = randomId();
    const [facts, mined] = [createFactStore(connection), createMinedStore(connection)];
    const assessments = createAssessmentStore(connection);
    const antiCheat = createAntiCheat({
      mined,
      assessments,
      addresses: createAddressStore(connection),
      relay: () => undefined,
      now: () => NOON_MS,
    });
    const users = { byId: async () => ({ _id: userId }) } as unknown as UserStore;
    const support = createSupportStore(connection);
    await facts.open(userId);
    const deliver = handsOf((nats) => consumeEvents({ nats, users, facts, support, mined, antiCheat }));
    for (const event of events) await deliver(userId, event);

    expect(await facts.of(userId)).toMatchObject({
      badge: { orderId: 'o' },
      referral: { totalReferrals: 2 },
      checkin: { totalCheckIns: 2 },
      task: { completed: 2 },
      compensation,
      cordclaim,
    });
    const at = new Map((await mined.ofUser(userId, 0)).map(({ addressHash, minedMs }) => [addressHash, minedMs]));
    expect(at).toEqual(
      new Map([
        [home, 2 * HOUR_MS],
        [phone, 3 * HOUR_MS],
      ]),
    );
    expect(await assessments.of(userId)).toMatchObject({ addressHash: phone, hourMined: true });
  },
);

it('a claim that the release before told of is kept beside a later one', async () => {
  const userId = randomId();
  const facts = createFactStore(connection);
  await facts.open(userId);
  const unused = {} as never;
  const deliver = handsOf((nats) =>
    consumeEvents({ nats, facts, users: unused, support: unused, mined: unused, antiCheat: unused }),
  );
  await deliver(userId, { kind: claimMade, seq: 1, state: { kind: 'compensation', ...compensation } });
  await deliver(userId, { kind: claimMade, seq: 2, state: { kind: 'cordclaim', ...cordclaim } });
  expect(await facts.of(userId)).toMatchObject({ compensation, cordclaim });
});

it('the copy of the balance that the release before kept is not read, and goes with the next event', async () => {
  const userId = randomId();
  const facts = createFactStore(connection);
  await facts.open(userId);
  const docs = connection.collection<{ _id: string }>('facts');
  await docs.updateOne({ _id: userId }, { $set: { 'parts.balance': { seq: 5n, state: { balance: '5' } } } });
  expect(await facts.of(userId)).not.toHaveProperty('balance');
  await facts.keep(userId, 'badge', 1n, { orderId: 'o' });
  expect(await facts.of(userId)).toMatchObject({ badge: { orderId: 'o' } });
  expect((await docs.findOne({ _id: userId })) as object).not.toHaveProperty('parts.balance');
});
