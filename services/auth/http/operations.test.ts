import { operationEndpoints } from '@cord/contracts/http/operations';
import { supportEndpoints } from '@cord/contracts/http/support';
import { createLeases } from '@cord/kit/lease';
import { createLedgerClient } from '@cord/kit/ledger-client';
import { createLogger } from '@cord/kit/log';
import { createPromisedCredits, ensurePromiseIndexes, type PromisedCredit } from '@cord/kit/promised-credits';
import { serveParkedCredits } from '@cord/kit/promises/serve-parked';
import { connectStore } from '@cord/kit/store';
import { call } from '@cord/kit/testing/index';
import { serveTestLedger, type TestLedger } from '@cord/kit/testing/ledger';
import { randomId } from '@cord/kit/testing/signer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { meOf, startAuth, type TestAuth } from '../test/auth.js';

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
  await ensurePromiseIndexes(store, 'records');
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
    expect(answer.body).toEqual([
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
    ]);
    expect(answer.headers.get('warning')).toBe('199 - "without referrals, rewards"');
  });

  it('are tried again by an admin with the same key and amount, in the audit log before it is done', async () => {
    expect((await retry(credit.key)).body).toEqual({ outcome: 'parked' });
    ledger.credits.length = 0;
    expect((await retry(credit.key)).body).toEqual({ outcome: 'credited' });
    expect(ledger.credits).toMatchObject([{ key: credit.key, amountMicro: '2500000' }]);
    expect((await list()).body).toEqual([]);
    const log = await call(auth.url, supportEndpoints.audit, { token: admin.token, query: { limit: 1 } });
    expect(log.body).toMatchObject([{ action: 'credit.retried', target: credit.key, adminId: admin.id }]);
  });

  it('that are not there, or whose service does not answer, are 404 and 503', async () => {
    expect((await retry('task:nothing')).status).toBe(404);
    const body = { service: 'rewards' as const, key: 'cordclaim:x' };
    expect((await call(auth.url, operationEndpoints.retryParkedCredit, { token: admin.token, body })).status).toBe(503);
  });
});
