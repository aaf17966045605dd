import { userErased } from '@cord/contracts/events/user';
import { miningEndpoints as api } from '@cord/contracts/http/mining';
import { accrueCommissionRpc } from '@cord/contracts/rpc/ledger';
import { ownerOf, partitionOf } from '@cord/contracts/rules/affinity';
import { LEASE_MS } from '@cord/contracts/rules/timings';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { describe, expect, test } from 'vitest';
import { eventually, startFixture, type TestUser } from './fixture.js';

const mining = forAllTests(() => startFixture({ replicas: 2, own: true }));

const stored = async (id: string) => {
  const doc = await mining.stored.accounts.findOne({ _id: id });
  if (!doc) throw new Error('no account');
  return doc;
};
/** The fixture's replicas are numbers 0 and 1. */
const ownerOfUser = ({ id }: TestUser) => ownerOf(partitionOf(id), [0, 1]) ?? 0;

/** A running node, the replica that owns its user, and a save that just wrote. */
async function running() {
  const user = await mining.newUser();
  const owner = ownerOfUser(user);
  const { id: sessionId } = (await user.call(api.start, { replica: owner })).body;
  const save = async (replica = owner) =>
    (await user.call(api.save, { params: { id: user.id, sessionId }, body: {}, replica })).body;
  await mining.clock.advance(31_000);
  await save();
  return { user, owner, sessionId, save };
}

describe('a save that changes only time', () => {
  test('is written half a minute after the last write without another call, and the lease runs from the contact', async () => {
    const { user, save } = await running();
    await mining.clock.advance(20_000);
    await save();
    const contactMs = mining.clock.now();
    expect((await stored(user.id)).node.leaseUntilMs).toBe(contactMs - 20_000 + LEASE_MS);
    await mining.clock.advance(11_000);
    await eventually(async () => expect((await stored(user.id)).node.leaseUntilMs).toBe(contactMs + LEASE_MS));
  });

  test('is included in the next change of the account', async () => {
    const { user, save } = await running();
    await mining.clock.advance(10_000);
    await save();
    const contactMs = mining.clock.now();
    await mining.clock.advance(5_000);
    await mining.credit(user.id, 'task', `task:t1:${user.id}:once`, 1_000_000n);
    await eventually(async () => expect((await stored(user.id)).node.leaseUntilMs).toBe(contactMs + LEASE_MS));
    await mining.audit();
  });

  test('makes a replica that does not own the user read first, and a stop there reaches the owner’s responses', async () => {
    const { user, owner, sessionId, save } = await running();
    await mining.clock.advance(5_000);
    expect((await save(1 - owner)).session?.status).toBe('active');
    expect((await save()).session?.status).toBe('active');
    await user.call(api.end, { params: { id: user.id, sessionId }, body: {}, replica: 1 - owner });
    await eventually(async () => expect((await save()).session?.status).toBe('ended'));
  });
});

describe('a deferrable report of commission', () => {
  const report = async (userId: string, totalMicro: bigint) =>
    mining.backend.nats.request(
      accrueCommissionRpc,
      { userId, totalMicro: String(totalMicro), mayWait: true },
      { userId, timeoutMs: 15_000 },
    );
  const commissionOf = async ({ id }: TestUser) => (await stored(id)).totals.bySource.commission ?? 0n;

  test('is written with the next save that is written, and is not part of what that save credits', async () => {
    const { user, save } = await running();
    await mining.clock.advance(9_000);
    const { seq } = await stored(user.id);
    expect((await report(user.id, 3_000_000n)).totalMicro).toBe('0');
    await mining.clock.advance(10_000);
    expect((await save()).newBalance).toBeCloseTo(0.416_666, 5);
    expect((await stored(user.id)).seq).toBe(seq);
    await mining.clock.advance(10_500);
    const answer = await save();
    expect(answer.credited).toBeCloseTo(0.0875, 5);
    expect(answer.newBalance).toBeCloseTo(3.504_166, 5);
    expect(await commissionOf(user)).toBe(3_000_000n);
    await mining.audit();
  });

  test('is written half a minute after the last write without another call, with the largest of several totals', async () => {
    const { user } = await running();
    for (const totalMicro of [2_000_000n, 5_000_000n, 4_000_000n]) await report(user.id, totalMicro);
    expect(await commissionOf(user)).toBe(0n);
    await mining.clock.advance(31_000);
    await eventually(async () => expect(await commissionOf(user)).toBe(5_000_000n));
    await mining.audit();
  });

  test('is included in the next credit and in a stop', async () => {
    const { user, owner, sessionId } = await running();
    await report(user.id, 2_000_000n);
    await mining.credit(user.id, 'task', `task:t3:${user.id}:once`, 1_000_000n);
    expect(await commissionOf(user)).toBe(2_000_000n);
    await report(user.id, 3_000_000n);
    await user.call(api.end, { params: { id: user.id, sessionId }, body: {}, replica: owner });
    expect(await commissionOf(user)).toBe(3_000_000n);
    await mining.audit();
  });

  test('is written at once when no node runs', async () => {
    const { user, owner, sessionId } = await running();
    await user.call(api.end, { params: { id: user.id, sessionId }, body: {}, replica: owner });
    expect((await report(user.id, 2_000_000n)).totalMicro).toBe('2000000');
    await mining.audit();
  });

  test('is dropped when the user is erased meanwhile', async () => {
    const { user } = await running();
    await report(user.id, 2_000_000n);
    await mining.publish(userErased, user.id, 2, {});
    await eventually(async () => expect((await stored(user.id)).erasedAtMs).not.toBeNull());
    await mining.clock.advance(31_000);
    expect(await commissionOf(user)).toBe(0n);
    await mining.audit();
  });
});

test('a stopping service writes the contacts to which it has responded', async () => {
  const alone = await startFixture({ own: true });
  const user = await alone.newUser();
  const { id: sessionId } = await user.start();
  await alone.clock.advance(31_000);
  await user.save(sessionId);
  await alone.clock.advance(10_000);
  await user.save(sessionId);
  const contactMs = alone.clock.now();
  await alone.replicas[0]?.close();
  const account = await alone.stored.accounts.findOne({ _id: user.id });
  expect(account?.node.leaseUntilMs).toBe(contactMs + LEASE_MS);
  alone.replicas.length = 0;
  await alone.stop();
});
