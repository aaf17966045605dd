import { balanceChanged } from '@cord/contracts/events/balance';
import { nodePaused, nodeStarted, nodeStopped } from '@cord/contracts/events/node';
import { anticheatAssessed, userRegistered, userUpdated } from '@cord/contracts/events/user';
import { restingAccount } from '@cord/kit/testing/account-state';
import { createTestDelivery, deliveriesOf, type TestEvent } from '@cord/kit/testing/last-only';
import { assessed, minedAt } from '@cord/kit/testing/node-state';
import { registered } from '@cord/kit/testing/registered';
import { expect, test } from 'vitest';
import { createArrivals } from './arrivals.js';
import { newFriend } from './domain/friend.js';
import { listen, takeRegistered } from './events.js';
import { newMember } from './member.js';
import { newWorld, processOf, sumOf } from './test/world.js';

const NOW_MS = Date.UTC(2026, 10, 18, 12);
const HOUR_MS = 3_600_000;
const [REFERRER, FRIEND, SESSION] = ['a'.repeat(32), 'b'.repeat(32), 'c'.repeat(32)];

const node = (line: string, hours: Record<string, number>) =>
  minedAt({ sessionId: SESSION, untilMs: NOW_MS, line, hours });
const account = (mining: string, ranHours: number) =>
  restingAccount({ balance: mining, total: mining, bySource: { mining }, node: { ranMs: ranHours * HOUR_MS } });

const erase = async () => undefined;

const EVENTS: TestEvent[] = [
  { kind: nodeStarted, seq: 2, state: node('home', { home: 0 }) },
  { kind: balanceChanged, seq: 3, state: account('1000', 1) },
  { kind: nodePaused, seq: 4, state: node('home', { home: 1 }) },
  { kind: anticheatAssessed, seq: 1, state: assessed({ addressKey: 'home', hourMined: true }) },
  { kind: anticheatAssessed, seq: 4, state: assessed({ addressKey: 'phone', level: 1, hourMined: true }) },
  { kind: nodeStarted, seq: 6, state: node('phone', { home: 1 }) },
  { kind: balanceChanged, seq: 7, state: account('5000', 2) },
  { kind: nodeStopped, seq: 8, state: node('phone', { home: 1, phone: 3 }) },
  { kind: balanceChanged, seq: 9, state: account('9000', 4) },
];

/** Returns the books after these events, without the counters of writes. */
async function outcomeOf(events: readonly TestEvent[]) {
  const world = newWorld();
  const { books, store, follow } = processOf(world);
  const { disk } = world;
  await store.members.update(REFERRER, (member) => member);
  const friend = newFriend({ accountSeq: 1n, eligibleMicro: 0n, totalMicro: 0n, ranMs: 0 }, 0, false);
  const referredBy = { userId: REFERRER, atMs: 0 };
  await store.members.update(FRIEND, () => ({ ...newMember(FRIEND), referredBy, friend }));
  await books.enter(FRIEND);
  const deliver = createTestDelivery((nats) =>
    listen(nats, { store, books, follow, arrivals: {} as never, erase, requestRegistration: erase }),
  );
  for (const event of events) await deliver(FRIEND, event);
  const { addresses = [], ...mined } = disk.members.get(FRIEND)?.mined ?? {};
  const byKey = addresses.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const { friend: stored, address } = disk.members.get(FRIEND) ?? {};
  return { mined, address, addresses: byKey, friend: stored, sumMicro: sumOf(world, REFERRER) };
}

test.each(deliveriesOf(EVENTS))('the books are the same (delivered: %s)', async (_name, events) => {
  const outcome = await outcomeOf(events);
  expect(outcome.mined).toEqual({ ranMs: 4 * HOUR_MS, seq: 8n, current: null });
  expect(outcome.address).toMatchObject({ key: 'phone', level: 1, hourMined: true });
  expect(outcome.addresses).toMatchObject([
    { key: 'home', ms: HOUR_MS },
    { key: 'phone', ms: 3 * HOUR_MS },
  ]);
  expect(outcome.sumMicro).toBe(9_000n);
  expect(outcome.friend).toEqual((await outcomeOf(EVENTS)).friend);
});

const NAMES: TestEvent[] = [
  { kind: userRegistered, seq: 1, state: registered(NOW_MS, { username: 'nova', avatar: '/nova.png' }) },
  { kind: userUpdated, seq: 4, state: registered(NOW_MS, { username: 'nova_2', avatar: '/nova.png' }) },
  { kind: userUpdated, seq: 6, state: registered(NOW_MS, { username: 'nova_3', avatar: null }) },
];

test.each([...deliveriesOf(NAMES), ['all backwards', NAMES.toReversed()] as const])(
  'the name and the picture are the newest (delivered: %s)',
  async (_name, events) => {
    const { books, store, follow } = processOf(newWorld());
    const arrivals = createArrivals({
      ...{ store, links: {} as never, log: {} as never, outbox: { relayNow: async () => undefined } },
      clock: { now: () => NOW_MS, onAdvance: () => () => undefined },
    });
    const origin = { v: 1 as const, id: 'registered', at: NOW_MS, userId: FRIEND, seq: '6' };
    const requestRegistration = () =>
      takeRegistered(arrivals, { ...origin, ...registered(NOW_MS, { username: 'nova_3' }) } as never);
    const deliver = createTestDelivery((nats) =>
      listen(nats, { store, books, follow, arrivals, erase, requestRegistration }),
    );
    for (const event of events) await deliver(FRIEND, event);
    expect((await store.members.get(FRIEND))?.profile).toMatchObject({ username: 'nova_3', avatar: null });
  },
);
