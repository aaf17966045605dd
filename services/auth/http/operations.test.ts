import { STREAMS } from '@cord/contracts/events/streams';
import { operationEndpoints } from '@cord/contracts/http/operations';
import { overviewEndpoints } from '@cord/contracts/http/overview';
import { supportEndpoints } from '@cord/contracts/http/support';
import { createLeases } from '@cord/kit/lease';
import { createLedgerClient } from '@cord/kit/ledger-client';
import { createLogger } from '@cord/kit/log';
import { migrate } from '@cord/kit/migration/migrate';
import { PROMISE_INDEXES } from '@cord/kit/migration/plan';
import { createPromisedCredits, type PromisedCredit } from '@cord/kit/promised-credits';
import { serveParkedCredits } from '@cord/kit/promises/serve-parked';
import { connectStore } from '@cord/kit/store';
import { call } from '@cord/kit/testing/index';
import { serveTestLedger, type TestLedger } from '@cord/kit/testing/ledger';
import { allPages } from '@cord/kit/testing/pages';
import { randomId } from '@cord/kit/testing/signer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, meOf, startAuth, type TestAuth } from '../test/auth.js';
import { hash32, mineAt } from '../test/events.js';

let auth: TestAuth;
let ledger: TestLedger;
let admin: { id: string; token: string };
let credit: PromisedCredit;
const stops: (() => Promise<void>)[] = [];

/** Tasks in the small: a promise that the ledger refuses, since its key stands there with another amount. */
beforeAll(async () => {
  auth = await startAuth();
  const { nats, mongodbUri, dbName } = auth.backend;
  const log = createLogger('test', 'silent');
  ledger = serveTestLedger(nats, 'tasks', () => auth.clock.now());
  const store = await connectStore(mongodbUri, dbName('promises'), log);
  await migrate(store, [{ name: 'records', indexes: PROMISE_INDEXES }]);
  const promises = createPromisedCredits({
    store,
    collection: 'records',
    ledger: createLedgerClient(nats, 'tasks'),
    clock: auth.clock,
    leases: createLeases(store, auth.clock),
    log,
  });
  const serving = serveParkedCredits(nats, 'tasks', [promises]);
  stops.push(
    () => serving.stop(),
    () => ledger.stop(),
    () => store.close(),
  );

  const userId = randomId();
  credit = { key: `task:a:${userId}:once`, userId, source: 'task', amountMicro: 2_500_000n, reason: 'A task' };
  ledger.credits.push({ ...credit, amountMicro: '1' });
  await store
    .collection<{ _id: string }>('records')
    .insertOne({ _id: userId, promised: [credit], promisedAt: 1 } as never);
  expect(await promises.settle(userId, credit)).toBeNull();

  const browser = auth.browser();
  await browser.signIn({ account: await auth.discord.account({ username: 'operator', createdAt: '2019-03-01' }) });
  admin = { id: (await meOf(browser)).user.id, token: browser.cookies.get('cord') ?? '' };
  await fetch(`${auth.url}/dev/users/${admin.id}/admin`, { method: 'POST' });
});
afterAll(async () => {
  for (const stop of stops) await stop();
  await auth.stop();
});

const list = () => call(auth.url, operationEndpoints.parkedCredits, { token: admin.token });
const retry = (key: string) =>
  call(auth.url, operationEndpoints.retryParkedCredit, { token: admin.token, body: { service: 'tasks', key } });

describe('parked credits', () => {
  it('are listed for admins with what the ledger said, and the services that did not answer are named', async () => {
    const answer = await list();
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      credits: [
        {
          service: 'tasks',
          key: credit.key,
          userId: credit.userId,
          source: 'task',
          amount: 2.5,
          reason: 'A task',
          refusal: 'key-reused',
          message: 'Another amount under this key',
          parkedAt: expect.any(String),
        },
      ],
      nextCursor: null,
      missing: ['referrals', 'rewards'],
    });
  });

  it('are tried again by an admin with the same key and amount, in the audit log before it is done', async () => {
    expect((await retry(credit.key)).body).toEqual({ outcome: 'parked' });
    ledger.credits.length = 0;
    expect((await retry(credit.key)).body).toEqual({ outcome: 'credited' });
    expect(ledger.credits).toMatchObject([{ key: credit.key, amountMicro: '2500000' }]);
    expect((await list()).body.credits).toEqual([]);
    const log = await call(auth.url, supportEndpoints.audit, { token: admin.token, query: { limit: 1 } });
    expect(log.body.entries).toMatchObject([{ action: 'credit.retried', target: credit.key, adminId: admin.id }]);
  });

  it('that are not there, or whose service does not answer, are 404 and 503', async () => {
    expect((await retry('task:nothing')).status).toBe(404);
    const body = { service: 'rewards' as const, key: 'cordclaim:x' };
    expect((await call(auth.url, operationEndpoints.retryParkedCredit, { token: admin.token, body })).status).toBe(503);
  });
});

describe('the other lists of admins', () => {
  it('are read to their end page by page: crowded addresses, the most crowded first, and the audit log', async () => {
    const { nats } = auth.backend;
    const crowds = [3, 2, 2].map((users, n) => ({ users, addressHash: hash32(`crowd ${n}`) }));
    for (const { users, addressHash } of crowds) {
      for (let n = 0; n < users; n += 1) {
        const browser = auth.browser();
        await browser.signIn({ account: await auth.discord.account({ username: `${addressHash.slice(0, 9)} ${n}` }) });
        const userId = (await meOf(browser)).user.id;
        await mineAt(nats, auth.clock, { userId, addressHash, minutes: 61, seq: 1 });
      }
    }
    const addresses = async (query: Record<string, string> = {}) =>
      (await call(auth.url, supportEndpoints.addresses, { token: admin.token, query })).body;
    const all = await eventually(async () => {
      const listed = await addresses();
      return listed.addresses.map(({ users }) => users).join() === '3,2,2' && listed;
    });
    expect(all.nextCursor).toBeNull();
    expect(all.addresses[0]).toMatchObject({ key: crowds[0]?.addressHash, level: 1, shared: false });
    const paged = await allPages((query) => addresses({ ...query, limit: '1' }));
    expect(paged.map((page) => page.addresses)).toEqual(all.addresses.map((address) => [address]));

    const seen = await call(auth.url, overviewEndpoints.overview, { token: admin.token });
    expect(seen.body).toMatchObject({
      requests: ['appeal', 'refund', 'support'].map((kind) => ({ kind, open: 0, priority: 0, oldestAt: null })),
      crowdedAddresses: 1,
      parkedCredits: { count: 0, more: false, oldestAt: null, missing: ['referrals', 'rewards'] },
      deadLetters: 0,
      clientErrors: [],
      switchesOff: [],
    });
    expect(seen.body.streams.map(({ name }) => name)).toEqual(STREAMS.map(({ name }) => name).sort());

    for (const { addressHash } of crowds) {
      const mark = { params: { key: addressHash }, body: { shared: true, reason: 'A school' } };
      expect((await call(auth.url, supportEndpoints.markAddress, { token: admin.token, ...mark })).status).toBe(200);
    }
    const log = async (query: Record<string, string> = {}) =>
      (await call(auth.url, supportEndpoints.audit, { token: admin.token, query })).body;
    const { entries, nextCursor, missing } = await log();
    expect([nextCursor, missing]).toEqual([null, ['tasks', 'referrals', 'rewards']]);
    expect(entries.slice(0, 3).map(({ action }) => action)).toEqual(Array(3).fill('address.shared'));
    const acts = await allPages((query) => log({ ...query, limit: '1' }));
    expect(acts.map((page) => page.entries)).toEqual(entries.map((entry) => [entry]));
  });
});
