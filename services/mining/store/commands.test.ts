import { balanceChanged } from '@cord/contracts/events/balance';
import { subjectOf } from '@cord/contracts/events/envelope';
import { badgePurchased } from '@cord/contracts/events/rewards';
import { STREAMS } from '@cord/contracts/events/streams';
import { userErased } from '@cord/contracts/events/user';
import { miningEndpoints as api } from '@cord/contracts/http/mining';
import { exportRpc } from '@cord/contracts/rpc/export';
import { ownerOf, partitionOf } from '@cord/contracts/rules/affinity';
import { monitorCommands, monitoredUri } from '@cord/kit/testing/command-monitor';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS, eventually, HOUR_MS, MINUTE_MS, startFixture, type TestUser } from '../test/fixture.js';

const OWN_STREAMS = STREAMS.filter(({ owner }) => owner === 'mining').length;

const monitor = monitorCommands();
const mining = forAllTests(() => startFixture({ replicas: 2, storeUri: monitoredUri }));
/** Commands of the start: by migration and republishing, which go through everything in batches. */
let looksOfStart: number;
beforeAll(async () => {
  const marks = mining.store.collection('streams');
  await eventually(async () => expect(await marks.countDocuments({ servers: { $exists: true } })).toBe(OWN_STREAMS));
  looksOfStart = monitor.looks().length;
  await doEverything();
});
afterAll(() => monitor.stop());

/** What was sent, beside the sums for operators and the look at the epochs of each replica every few seconds, however many save. */
const sent = () => monitor.sent().filter((command) => !/ (issued|epochs)$/.test(command));

/** Everything that mining does to its store: routes, events, requests, sweeps, conflicts. */
async function doEverything(): Promise<void> {
  const user = await mining.newUser(3);
  const { id } = await user.start();
  for (let n = 0; n < 8; n += 1) {
    await mining.clock.advance(MINUTE_MS);
    await Promise.all(Array.from({ length: 6 }, (_, replica) => user.save(id, replica)));
  }
  await mining.credit(user.id, 'task', `task:t:${user.id}:once`, 5n);
  await mining.credit(user.id, 'task', `task:t:${user.id}:once`, 5n);
  for (const endpoint of [api.current, api.history, api.ledger, api.stats] as const)
    await user.call(endpoint as typeof api.stats);
  await user.call(api.ledger, { query: { cursor: '5', limit: 1 } });
  await user.call(api.earnings, { query: { range: '7d' } });
  await mining.publish(badgePurchased, user.id, 1, { orderId: 'o', purchasedAt: mining.clock.now(), transaction: 't' });
  expect(await mining.handEpochs(1, [])).toBe('stored');
  await mining.clock.advance(9 * HOUR_MS);
  await user.call(api.stopB);
  await user.call(api.activate);
  // Over midnight: a day that is over becomes a document of its own.
  await mining.clock.advance(DAY_MS - (mining.clock.now() % DAY_MS) + HOUR_MS);
  await user.call(api.deactivate);
  await user.save(id);
  await mining.backend.nats.request(exportRpc('mining'), { userId: user.id });
  await mining.publish(userErased, user.id, 2, {});
  await eventually(async () => expect(await mining.stored.sessions.countDocuments({ userId: user.id })).toBe(0));
  // The last that an erasure writes.
  await eventually(() => expect(monitor.looks().map(({ what }) => what)).toContain('update entries'));
}

test('every command of a call, a credit, an event or the relay names its user, so mining can be sharded by user', () => {
  /** What looks for documents of everybody: the sweeps, by an index of their own, and what is one document for all. */
  const ofNobody = ['dirtyAt', 'leaseHintMs', 'drawnAt', 'forgetAtMs', 'commissionSinceMs'];
  const own = /^\w+ (accounts|entries|sessions|days)$/;
  const looks = monitor
    .looks()
    .slice(looksOfStart)
    .filter(({ what }) => own.test(what));
  /** The first field that a look names, within its ranges where it is one of several. */
  const firstOf = (fields: Record<string, unknown>): string => {
    const [name = ''] = Object.keys(fields);
    const [range] = name === '$or' ? (fields.$or as Record<string, unknown>[]) : [];
    return range ? firstOf(range) : name;
  };
  const calls = looks.filter(({ fields }) => !ofNobody.includes(firstOf(fields)));
  const nameless = calls.filter(
    ({ what, fields }) => typeof fields[what.endsWith(' accounts') ? '_id' : 'userId'] !== 'string',
  );
  expect(nameless).toEqual([]);
  expect([...new Set(calls.map(({ what }) => what))].sort()).toEqual([
    'delete sessions',
    'find accounts',
    'find days',
    'find entries',
    'find sessions',
    'insert accounts',
    'insert entries',
    'insert sessions',
    'update accounts',
    'update days',
    'update entries',
  ]);
});

test('a save is one compare-and-set on the account, and writes nothing while it changes only time', async () => {
  const user = await mining.newUser();
  const replica = ownerOf(partitionOf(user.id), [0, 1]) ?? 0;
  const { id } = (await user.call(api.start, { replica })).body;
  // The sweepers' own looks may fall into one save's time, never into each one's.
  await eventually(async () => {
    await mining.clock.advance(31_000);
    const before = sent().length;
    await user.save(id, replica);
    expect(sent().slice(before)).toEqual(['update accounts']);
    const after = sent().length;
    await mining.clock.advance(1_000);
    await user.save(id, replica);
    expect(sent().slice(after)).not.toContain('update accounts');
  });
});

test('a running node costs two writes a minute, each state is announced, and a sweep empties the last slot', async () => {
  const user = await mining.newUser();
  const replica = ownerOf(partitionOf(user.id), [0, 1]) ?? 0;
  const { id } = (await user.call(api.start, { replica })).body;
  const account = () => mining.stored.accounts.findOne({ _id: user.id });
  // Nor does anybody else's node wait to be swept.
  await eventually(async () => {
    await mining.clock.advance(MINUTE_MS);
    expect(await mining.stored.accounts.countDocuments({ dirtyAt: { $gt: 0 } })).toBe(0);
  });
  /** Until the state that was requested stands in the stream, whether its slot is empty or not. */
  const hasGoneOut = async () => {
    const announceSeq = (await account())?.announceSeq ?? 0n;
    const subject = subjectOf(balanceChanged, user.id);
    const last = await mining.backend.nats.jsm.streams.getMessage('CORD_BALANCE', { last_by_subj: subject });
    expect(BigInt(last?.json<{ seq: string }>().seq ?? 0)).toBeGreaterThanOrEqual(announceSeq);
  };
  const before = sent().length;
  const minutes = 5;
  for (let saves = 0; saves < 6 * minutes; saves += 1) {
    await mining.clock.advance(10_000);
    await user.save(id, replica);
    await eventually(hasGoneOut);
  }
  // What the service notes of itself does not grow with nodes: leases, marks of its streams, and that notes of what was published are old.
  const writes = sent()
    .slice(before)
    .filter((command) => /^(update|insert|delete|findAndModify) (?!streams|leases)/.test(command))
    .filter((command) => command !== 'delete recently_published');
  expect(writes).toEqual(Array(2 * minutes).fill('update accounts'));
  // No save comes any more: the sweep empties the slot that the next announcement would have taken.
  await eventually(async () => {
    await mining.clock.advance(MINUTE_MS);
    expect(await account()).not.toHaveProperty('announceSeq');
    expect(await account()).not.toHaveProperty('dirtyAt');
  });
});

describe('when each call reaches the replica that owns its user', () => {
  /** The fixture's replicas are numbers 0 and 1. */
  const ownerOfUser = (id: string) => ownerOf(partitionOf(id), [0, 1]) ?? 0;
  const commandsSince = (before: number) =>
    sent()
      .slice(before)
      .filter((command) => command === 'update accounts' || command === 'find accounts by id');

  test('a save that changes only time needs no command, and each replica reads once after a misrouted write', async () => {
    const users: TestUser[] = [];
    for (const replica of [0, 1]) {
      while (users.filter(({ id }) => ownerOfUser(id) === replica).length < 4) users.push(await mining.newUser());
    }
    const running = await Promise.all(
      users.map(async (user) => {
        const replica = ownerOfUser(user.id);
        return { user, replica, sessionId: (await user.call(api.start, { replica })).body.id };
      }),
    );
    // Both replicas have found each other once a credit leaves its user's owner nothing to read.
    let credits = 0;
    const creditThenSave = async ({ user, replica, sessionId }: (typeof running)[number]) => {
      credits += 1;
      await mining.credit(user.id, 'task', `task:t${credits}:${user.id}:once`, 5n);
      const before = sent().length;
      await mining.clock.advance(1_000);
      await user.save(sessionId, replica);
      return commandsSince(before).filter((sent) => sent === 'find accounts by id').length;
    };
    for (const each of running) await eventually(async () => expect(await creditThenSave(each)).toBe(0));

    // On a busy machine a replica may be thought to be away for a while, and then each save reads once: what is promised holds while both are there.
    const rounds = 10;
    await eventually(async () => {
      let commands = 0;
      for (let round = 0; round < rounds; round += 1) {
        await mining.clock.advance(1_000);
        const before = sent().length;
        for (const { user, replica, sessionId } of running) await user.save(sessionId, replica);
        commands += commandsSince(before).length;
      }
      // Ten seconds of saves change nothing but time; what goes out once in thirty seconds is the one command more.
      expect(commands / (rounds * users.length)).toBeLessThanOrEqual(0.2);
    });

    const [first] = running;
    if (!first) throw new Error('no node runs');
    await eventually(async () => {
      await mining.clock.advance(31_000);
      const before = sent().length;
      await first.user.save(first.sessionId, 1 - first.replica);
      await mining.clock.advance(1_000);
      await first.user.save(first.sessionId, first.replica);
      expect(commandsSince(before).filter((sent) => sent === 'find accounts by id')).toHaveLength(2);
    });
    await mining.audit();
  });
});
