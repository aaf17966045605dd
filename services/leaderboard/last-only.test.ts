import { balanceChanged } from '@cord/contracts/events/balance';
import { badgePurchased } from '@cord/contracts/events/rewards';
import { userErased, userRegistered, userUpdated } from '@cord/contracts/events/user';
import { createLogger } from '@cord/kit/log';
import { connectStore } from '@cord/kit/store';
import { restingAccount } from '@cord/kit/testing/account-state';
import { randomId, startTestBackend, type TestBackend } from '@cord/kit/testing/index';
import { deliveriesOf, handsOf, type ToldEvent } from '@cord/kit/testing/last-only';
import { registered } from '@cord/kit/testing/registered';
import type { Connection } from 'mongoose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Board } from './domain/board.js';
import { followStreams, keepProfiles } from './events.js';
import { type LeaderboardStore, openStore } from './store.js';

const NOON_MS = Date.UTC(2026, 10, 21, 12);

let backend: TestBackend;
let connection: Connection;
let store: LeaderboardStore;
beforeAll(async () => {
  backend = await startTestBackend();
  connection = await connectStore(backend.mongodbUri, backend.dbName('leaderboard'), createLogger('test', 'silent'));
  store = await openStore(connection);
});
afterAll(async () => {
  await connection?.close();
  await backend?.stop();
});

const account = (balance: string) => {
  const period = (key: string) => ({ key, micro: balance, miningMicro: balance, reachedAt: 1 });
  const periods = { day: period('2026-11-21'), week: period('2026-W47'), month: period('2026-11') };
  return restingAccount({ balance, ...periods });
};
const profile = registered(NOON_MS, { username: 'first' });
const { referralCode: _code, welcomeMicro: _welcome, ...updated } = profile;
const EVENTS: ToldEvent[] = [
  { kind: userRegistered, seq: 1, state: profile },
  { kind: balanceChanged, seq: 1, state: account('5') },
  { kind: userUpdated, seq: 2, state: { ...updated, username: 'second' } },
  { kind: balanceChanged, seq: 2, state: account('7') },
  { kind: badgePurchased, seq: 1, state: { orderId: 'o', purchasedAt: 1 } },
  { kind: userUpdated, seq: 3, state: { ...updated, username: 'third' } },
  { kind: balanceChanged, seq: 3, state: account('9') },
];

async function outcomeOf(events: readonly ToldEvent[]) {
  const userId = randomId();
  const board = new Board(NOON_MS);
  const deliver = handsOf((nats) => [followStreams(nats, board, 0), keepProfiles(nats, store)]);
  for (const event of events) await deliver(userId, event);
  const profiles = [];
  for await (const kept of store.profiles()) if (kept._id === userId) profiles.push({ ...kept, _id: 'user' });
  return { miners: [...board.miners()].map((miner) => ({ ...miner, userId: 'user' })), profiles };
}

test.each(deliveriesOf(EVENTS))('the board is the same by %s', async (_name, events) => {
  const outcome = await outcomeOf(events);
  expect(outcome).toEqual(await outcomeOf(EVENTS));
  expect(outcome.profiles).toMatchObject([{ username: 'third', badge: true, seq: 3 }]);
  expect(outcome.miners).toMatchObject([{ username: 'third', badge: true, accountSeq: 3 }]);
});

test.each(deliveriesOf([...EVENTS, { kind: userErased, seq: 4, state: {} }]))(
  'who is gone stays gone by %s',
  async (_name, events) => {
    const { miners, profiles } = await outcomeOf(events);
    expect(miners).toEqual([]);
    expect(profiles.map(({ username, erased }) => ({ username, erased }))).toEqual([{ erased: true }]);
  },
);
