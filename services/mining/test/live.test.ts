import { badgePurchased } from '@cord/contracts/events/rewards';
import { miningEndpoints as api } from '@cord/contracts/http/mining';
import { collectLive } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { expect, test } from 'vitest';
import { eventually, MINUTE_MS, startFixture, type TestUser } from './fixture.js';

const mining = forAllTests(() => startFixture());

const listening = (user: TestUser) => collectLive(mining.backend.nats, user.id);

test('a credit sends the balance of its response; a burst sends fewer messages and ends with the last state', async () => {
  const user = await mining.newUser();
  const live = await listening(user);
  for (let n = 1; n <= 40; n += 1) await mining.credit(user.id, 'task', `task:t${n}:${user.id}:once`, 1_000_000n);
  await eventually(() => expect(live.balance.at(-1)?.newBalance).toBe(40));
  expect(live.balance.length).toBeLessThan(40);
  const last = live.balance.at(-1);
  const seqs = live.balance.map(({ seq }) => Number(seq));
  expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b));
  expect(last).toMatchObject({ balanceSeq: last?.seq, updatedUser: { current_balance: 40, balanceSeq: last?.seq } });
  expect([live.node, live.rate]).toEqual([[], []]);
});

test('a start, a stop and a pause send the node; saves send it at most every half minute', async () => {
  const user = await mining.newUser();
  const live = await listening(user);
  const session = await user.start();
  await eventually(() => expect(live.node).toHaveLength(1));
  expect(live.node[0]?.session).toMatchObject({ id: session.id, status: 'active', earnings: 0, newBalance: 0 });
  for (let n = 0; n < 9; n += 1) {
    await mining.clock.advance(10_000);
    await user.save(session.id);
  }
  await eventually(() => expect(live.node.at(-1)?.session?.earnings).toBe(0.75));
  expect(live.node.length).toBeLessThanOrEqual(4);
  await mining.clock.advance(MINUTE_MS);
  await user.call(api.deactivate);
  await eventually(() => expect(live.node.at(-1)?.session).toBeNull());
  expect(Date.parse(live.node.at(-1)?.serverTime ?? '')).toBe(mining.clock.now());
  await user.start();
  await mining.clock.advance(9 * 60 * MINUTE_MS);
  await eventually(() => expect(live.node.at(-1)?.session?.status).toBe('paused'));
  expect(live.balance.at(-1)?.updatedUser.is_node_active).toBe(false);
});

test('a badge sends the new rate', async () => {
  const user = await mining.newUser();
  const live = await listening(user);
  await mining.publish(badgePurchased, user.id, 1, { orderId: 'o', purchasedAt: mining.clock.now(), transaction: 't' });
  await eventually(() => expect(live.rate).toHaveLength(1));
  expect(live.rate[0]).toMatchObject({ rate: 0.525, rateNano: '525000000', factors: { badge: true } });
});
