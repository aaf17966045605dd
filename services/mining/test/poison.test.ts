import { listDeadLetters } from '@cord/kit/nats/dead-letters';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { describe, expect, test } from 'vitest';
import { eventually, HOUR_MS, MINUTE_MS, startFixture, type TestUser } from './fixture.js';

const mining = forAllTests(() => startFixture());

const deadOf = async (user: TestUser) =>
  (await listDeadLetters(mining.backend.nats)).filter(({ subject }) => subject.endsWith(user.id));

/** Nothing waits in the account any more. */
const drained = (user: TestUser) =>
  eventually(async () => {
    const doc = await mining.stored.accounts.findOne({ _id: user.id });
    expect(doc).toMatchObject({ outbox: [] });
    expect(doc?.dirtyAt).toBeUndefined();
  });

describe('a ledger event that no stream will ever accept', () => {
  test('of a node becomes a dead letter with its reason, and credits to the account continue', async () => {
    const user = await mining.newUser();
    await user.start();
    await drained(user);
    const stopped = await stoppedItem(user);
    await mining.stored.accounts.updateOne(
      { _id: user.id },
      { $push: { outbox: stopped as never }, $set: { dirtyAt: mining.clock.now() } },
    );
    expect(await mining.credit(user.id, 'task', `task:a:${user.id}:once`, 5_000_000n)).toBe(5_000_000n);
    await mining.clock.advance(MINUTE_MS);
    await drained(user);
    expect(await deadOf(user)).toMatchObject([
      { durable: 'mining', stream: 'CORD_NODES', reason: expect.stringContaining('sessionMs') },
    ]);
    expect(await mining.stored.entries.countDocuments({ userId: user.id })).toBeGreaterThan(0);
    await mining.audit();
  });

  test('of a balance becomes a dead letter, and the next state is announced', async () => {
    const user = await mining.newUser();
    await drained(user);
    const spoil = (ranMs: number) =>
      mining.stored.accounts.updateOne({ _id: user.id }, { $set: { 'node.ranMs': ranMs } });
    await spoil(0.5);
    await mining.clock.advance(HOUR_MS);
    await mining.stored.accounts.updateOne(
      { _id: user.id },
      { $set: { announceSeq: 99n, dirtyAt: mining.clock.now(), seq: 99n } },
    );
    await mining.clock.advance(MINUTE_MS);
    await drained(user);
    expect(await deadOf(user)).toMatchObject([{ durable: 'mining', stream: 'CORD_BALANCE', streamSeq: 0 }]);
    await spoil(0);
    await mining.credit(user.id, 'task', `task:b:${user.id}:once`, 7_000_000n);
    await eventually(async () => {
      const subject = `cord.balance.v1.changed.${user.id}`;
      const last = await mining.backend.nats.jsm.streams.getMessage('CORD_BALANCE', { last_by_subj: subject });
      expect(last?.json()).toMatchObject({ balance: '7000000' });
    });
  });
});

/** A node event as an outbox holds it, with a time that is no whole number of ms. */
async function stoppedItem(user: TestUser) {
  const doc = await mining.stored.accounts.findOne({ _id: user.id });
  const atMs = mining.clock.now();
  const session = {
    id: 'ab'.repeat(16),
    userId: user.id,
    status: 'ended',
    startedAtMs: atMs,
    endedAtMs: atMs,
    creditedUntilMs: atMs,
    leaseUntilMs: atMs,
    earnedMicro: 0n,
    sessionMs: 0.5,
    ranMs: 0,
    addressHash: null,
    rateNano: 0n,
    tierHundredths: 100n,
    antiCheatHundredths: 100n,
    badge: false,
    epochHundredths: 100n,
    epochId: null,
    ageTenths: 0,
  };
  const seq = BigInt(doc?.seq ?? 0);
  const day = { dayKey: doc?.totals.day.key ?? '', ms: 0 };
  return { kind: 'node', key: `node:${user.id}:${seq}`, seq, verb: 'stopped', atMs, session, addresses: [], day };
}
