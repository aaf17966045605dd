import { badgePurchased } from '@cord/contracts/events/rewards';
import { miningEndpoints as api } from '@cord/contracts/http/mining';
import { collectLive } from '@cord/kit/testing/index';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually, type Fixture, MINUTE_MS, startFixture, type TestUser } from './fixture.js';

let mining: Fixture;
beforeAll(async () => {
  mining = await startFixture();
});
afterAll(() => mining?.close());

const listening = (user: TestUser) => collectLive(mining.backend.nats, user.id);

test('a credit tells the balance as its answer does; a burst of them tells few times, and the last state in the end', async () => {
  const user = await mining.newUser();
  const told = await listening(user);
  for (let n = 1; n <= 40; n += 1) await mining.credit(user.id, 'task', `task:t${n}:${user.id}:once`, 1_000_000n);
  await eventually(() => expect(told.balance.at(-1)?.newBalance).toBe(40));
  expect(told.balance.length).toBeLessThan(40);
  const last = told.balance.at(-1);
  const seqs = told.balance.map(({ seq }) => Number(seq));
  expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b));
  expect(last).toMatchObject({ balanceSeq: last?.seq, updatedUser: { current_balance: 40, balanceSeq: last?.seq } });
  expect([told.node, told.rate]).toEqual([[], []]);
});

test('a start, a stop and a pause tell the node; what every screen works out by itself is told each half minute', async () => {
  const user = await mining.newUser();
  const told = await listening(user);
  const session = await user.start();
  await eventually(() => expect(told.node).toHaveLength(1));
  expect(told.node[0]?.session).toMatchObject({ id: session.id, status: 'active', earnings: 0, newBalance: 0 });
  for (let n = 0; n < 9; n += 1) {
    await mining.clock.advance(10_000);
    await user.save(session.id);
  }
  await eventually(() => expect(told.node.at(-1)?.session?.earnings).toBe(0.75));
  expect(told.node.length).toBeLessThanOrEqual(4);
  await mining.clock.advance(MINUTE_MS);
  await user.ask(api.deactivate);
  await eventually(() => expect(told.node.at(-1)?.session).toBeNull());
  expect(Date.parse(told.node.at(-1)?.serverTime ?? '')).toBe(mining.clock.now());
  await user.start();
  await mining.clock.advance(9 * 60 * MINUTE_MS);
  await eventually(() => expect(told.node.at(-1)?.session?.status).toBe('paused'));
  expect(told.balance.at(-1)?.updatedUser.is_node_active).toBe(false);
});

test('a badge tells the rate that it brings', async () => {
  const user = await mining.newUser();
  const told = await listening(user);
  await mining.publish(badgePurchased, user.id, 1, { orderId: 'o', purchasedAt: mining.clock.now() });
  await eventually(() => expect(told.rate).toHaveLength(1));
  expect(told.rate[0]).toMatchObject({ rate: 0.525, rateNano: '525000000', factors: { badge: true } });
});
