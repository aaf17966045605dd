import { subjectOf } from '@cord/contracts/events/envelope';
import { nodeStarted, nodeStopped } from '@cord/contracts/events/node';
import { userErased } from '@cord/contracts/events/user';
import { miningEndpoints as api } from '@cord/contracts/http/mining';
import { createAddressHash } from '@cord/kit/address';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { expect, test } from 'vitest';
import type { AccountDoc } from '../store/collections.js';
import { DAY_MS, eventually, HOUR_MS, MINUTE_MS, startFixture, type TestUser } from '../test/fixture.js';

const KEY = 'the address hash key of these tests, long enough';
const [VPN, LINE, PHONE] = ['203.0.113.1', '198.51.100.7', '192.0.2.33'] as const;
const hashOf = (address: string) => createAddressHash(KEY)(address);

const mining = forAllTests(() => startFixture({ replicas: 2, env: { ADDRESS_HASH_KEY: KEY, RATE_LIMIT_SCALE: '0' } }));

const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } });

async function start(user: TestUser, address: string): Promise<string> {
  return (await user.call(api.start, from(address))).body.id;
}

async function save(user: TestUser, sessionId: string, address: string, replica = 0): Promise<void> {
  const params = { id: user.id, sessionId };
  const { status } = await user.call(api.save, { params, body: {}, replica, ...from(address) });
  expect(status).toBe(200);
}

const stored = async (user: TestUser) => (await mining.stored.accounts.findOne({ _id: user.id })) as AccountDoc;

/** Saves every ten minutes from one address. */
async function saveFor(user: TestUser, sessionId: string, address: string, hours: number): Promise<void> {
  for (let n = 0; n < hours * 6; n += 1) {
    await mining.clock.advance(10 * MINUTE_MS);
    await save(user, sessionId, address);
  }
}

/** The last event of that kind once its addresses are those. */
async function publishedTimes(kind: typeof nodeStarted, user: TestUser, times: Record<string, number>): Promise<void> {
  await eventually(async () => {
    const message = await mining.backend.nats.jsm.streams.getMessage('CORD_NODES', {
      last_by_subj: subjectOf(kind, user.id),
    });
    const { addresses = [] } = kind.schema.parse(message?.json());
    const due = Object.entries(times).map(([address, ms]) => [hashOf(address), ms]);
    expect(Object.fromEntries(addresses.map(({ hash, ms }) => [hash, ms]))).toEqual(Object.fromEntries(due));
  });
}

test('node time counts for the address of the last contact, not of the start, even while the node runs', async () => {
  const user = await mining.newUser();
  const sessionId = await start(user, VPN);
  await mining.clock.advance(10_000);
  await save(user, sessionId, LINE);
  await saveFor(user, sessionId, LINE, 3);
  await publishedTimes(nodeStarted, user, { [VPN]: 10_000, [LINE]: (2 * 60 + 10) * MINUTE_MS });
  await mining.clock.advance(MINUTE_MS);
  await user.call(api.current, from(PHONE));
  await mining.clock.advance(MINUTE_MS);
  await user.call(api.deactivate, from(VPN));
  await publishedTimes(nodeStopped, user, { [VPN]: 10_000, [LINE]: 3 * HOUR_MS + MINUTE_MS, [PHONE]: MINUTE_MS });
  await mining.audit();
});

test('the totals continue in the next session, and starting a running node is a contact like any other', async () => {
  const user = await mining.newUser();
  await start(user, LINE);
  await mining.clock.advance(HOUR_MS);
  await user.call(api.deactivate, from(LINE));
  await start(user, VPN);
  await start(user, LINE);
  await mining.clock.advance(HOUR_MS);
  await user.call(api.deactivate, from(VPN));
  await publishedTimes(nodeStopped, user, { [LINE]: 2 * HOUR_MS });
});

test('time at an address that never counts is neither counted nor published', async () => {
  const user = await mining.newUser();
  const sessionId = await start(user, LINE);
  await mining.clock.advance(MINUTE_MS);
  await save(user, sessionId, '10.0.0.7');
  await mining.clock.advance(HOUR_MS);
  await user.call(api.deactivate, from(LINE));
  await publishedTimes(nodeStopped, user, { [LINE]: MINUTE_MS });
});

test('a running node publishes again after ten minutes even when no address counts, as a referrer’s bonus needs it', async () => {
  const user = await mining.newUser();
  const sessionId = await start(user, '127.0.0.1');
  const startsPublished = async () => {
    const { jsm } = mining.backend.nats;
    const last = await jsm.streams.getMessage('CORD_NODES', { last_by_subj: subjectOf(nodeStarted, user.id) });
    const { ranMs, addresses, sessionId: ofSession } = nodeStarted.schema.parse(last?.json());
    return { ranMs, addresses, sessionId: ofSession };
  };
  for (const minutes of [9, 1, 5, 90]) {
    await mining.clock.advance(minutes * MINUTE_MS);
    await save(user, sessionId, '127.0.0.1');
  }
  await eventually(async () =>
    expect(await startsPublished()).toEqual({ ranMs: 10 * MINUTE_MS, addresses: [], sessionId }),
  );
});

test('address changes are published at most every ten minutes, with all time at each of twenty addresses', async () => {
  const user = await mining.newUser();
  const published = new Set<string | undefined>();
  const counts = new Map<string, number>();
  mining.backend.nats.nc.subscribe(subjectOf(nodeStarted, user.id), {
    callback: (_err, msg) => {
      published.add(msg.headers?.get('Nats-Msg-Id'));
      note(nodeStarted.schema.parse(msg.json()));
    },
  });
  const note = ({
    addresses = [],
  }: {
    addresses?: { hash: string; ms: number; fromRanMs?: number | undefined }[] | undefined;
  }) => {
    for (const { hash, ms, fromRanMs } of addresses) counts.set(`${hash}@${fromRanMs}`, ms);
  };
  const sessionId = await start(user, LINE);
  for (let n = 0; n < 40; n += 1) {
    await mining.clock.advance(MINUTE_MS);
    await save(user, sessionId, `203.0.113.${100 + (n % 20)}`);
  }
  await user.call(api.deactivate);
  const kept = await eventually(async () => {
    const message = await mining.backend.nats.jsm.streams.getMessage('CORD_NODES', {
      last_by_subj: subjectOf(nodeStopped, user.id),
    });
    return nodeStopped.schema.parse(message?.json());
  });
  await eventually(async () => expect(published.size).toBe(5));
  note(kept);
  expect([...counts.values()].reduce((sum, ms) => sum + ms, 0)).toBe(40 * MINUTE_MS);
  const there = (address: string) => [...counts].filter(([count]) => count.startsWith(hashOf(address) ?? '-'));
  expect(there('203.0.113.105').map(([, ms]) => ms)).toEqual([MINUTE_MS, MINUTE_MS]);
});

test('a node idle for 30 days loses its addresses, also in the stream; a running node keeps them', async () => {
  const [idle, running] = [await mining.newUser(), await mining.newUser()];
  await start(idle, LINE);
  await mining.clock.advance(HOUR_MS);
  await idle.call(api.deactivate, from(LINE));
  await publishedTimes(nodeStopped, idle, { [LINE]: HOUR_MS });
  expect((await stored(idle)).forgetAtMs).toBe((await stored(idle)).node.lastAtMs + 30 * DAY_MS);
  const record = await eventually(async () => {
    const found = await mining.stored.sessions.findOne({ userId: idle.id });
    expect(found).not.toBeNull();
    return found;
  });
  expect(record).not.toHaveProperty('addressHash');
  const balanceMicro = await mining.balanceMicro(idle.id);

  await mining.clock.advance(30 * DAY_MS - 2 * HOUR_MS);
  expect((await stored(idle)).node.addresses).toHaveLength(1);
  await start(running, PHONE);
  await mining.clock.advance(3 * HOUR_MS);
  await eventually(async () => {
    const { node, forgetAtMs } = await stored(idle);
    expect({ ...node, forgetAtMs }).toMatchObject({ addressHash: null, addresses: [], forgetAtMs: undefined });
  });
  await publishedTimes(nodeStopped, idle, {});
  const { jsm } = mining.backend.nats;
  const filter = `cord.node.*.*.${idle.id}`;
  const { state } = await jsm.streams.info('CORD_NODES', { subjects_filter: filter });
  expect(Object.keys(state.subjects ?? {})).toEqual([subjectOf(nodeStopped, idle.id)]);
  expect((await stored(running)).node.addressHash).toBe(hashOf(PHONE));
  expect(await mining.balanceMicro(idle.id)).toBe(balanceMicro);
  await mining.audit();
});

test('an erased user’s account keeps no address, not even in an event that waits in its outbox', async () => {
  const user = await mining.newUser();
  await start(user, LINE);
  const doc = async () =>
    JSON.stringify(await stored(user), (_, value) => (typeof value === 'bigint' ? `${value}` : value));
  expect(await doc()).toContain(hashOf(LINE));
  await mining.publish(userErased, user.id, 9, {});
  await eventually(async () => expect((await stored(user)).erasedAtMs).not.toBeNull());
  // An event of before that waited in the outbox goes with it, unsent.
  await eventually(async () => expect((await stored(user)).outbox).toEqual([]));
  expect(await doc()).not.toContain(hashOf(LINE));
});

test('no collection and no event of mining keeps an address of an erased user', async () => {
  const user = await mining.newUser();
  const address = '203.0.113.77';
  await start(user, address);
  await mining.clock.advance(HOUR_MS);
  await user.call(api.deactivate, from(address));
  await publishedTimes(nodeStopped, user, { [address]: HOUR_MS });
  await start(user, address);
  const keeping = async () => {
    const text = (doc: object) => JSON.stringify(doc, (_, value) => (typeof value === 'bigint' ? `${value}` : value));
    const found: string[] = [];
    for (const { name } of await mining.store.listCollections()) {
      const docs = await mining.store.collection(name).find().toArray();
      if (docs.some((doc) => text(doc).includes(hashOf(address) ?? '-'))) found.push(name);
    }
    const { state } = await mining.backend.nats.jsm.streams.info('CORD_NODES', {
      subjects_filter: `cord.node.*.*.${user.id}`,
    });
    return [...found, ...Object.keys(state.subjects ?? {})];
  };
  expect(await keeping()).toEqual(expect.arrayContaining(['accounts', subjectOf(nodeStopped, user.id)]));
  await mining.publish(userErased, user.id, 9, {});
  await eventually(async () => expect(await keeping()).toEqual([]));
});
