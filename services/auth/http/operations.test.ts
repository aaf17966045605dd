import { NOBODY } from '@cord/contracts/events/envelope';
import { STREAMS } from '@cord/contracts/events/streams';
import { operationEndpoints } from '@cord/contracts/http/operations';
import { overviewEndpoints } from '@cord/contracts/http/overview';
import { supportEndpoints } from '@cord/contracts/http/support';
import { auditNoteRpc } from '@cord/contracts/rpc/audit';
import { collection } from '@cord/kit/collection';
import { createLeases } from '@cord/kit/lease';
import { createLedgerClient } from '@cord/kit/ledger-client';
import { createLogger } from '@cord/kit/log';
import { migrate } from '@cord/kit/migration/migrate';
import { createOutbox } from '@cord/kit/outbox';
import type { OutboxCredit } from '@cord/kit/outbox/items';
import { serveParkedCredits } from '@cord/kit/outbox/serve-parked';
import { connectStore } from '@cord/kit/store';
import { call } from '@cord/kit/testing/index';
import { serveTestLedger, type TestLedger } from '@cord/kit/testing/ledger';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { allPages } from '@cord/kit/testing/pages';
import { randomId } from '@cord/kit/testing/signer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, meOf, type Person, startAuth } from '../test/auth.js';
import { hash32, mineAt } from '../test/events.js';

const auth = forAllTests(() => startAuth());
let ledger: TestLedger;
let admin: Person;
let credit: OutboxCredit;
const stops: (() => Promise<void>)[] = [];

/** Tasks in the small: a credit that the ledger refuses, since its key stands there with another amount. */
beforeAll(async () => {
  const { nats, mongodbUri, dbName } = auth.backend;
  const log = createLogger('test', 'silent');
  ledger = serveTestLedger(nats, 'tasks', () => auth.clock.now());
  const store = await connectStore(mongodbUri, dbName('credits'), log);
  await migrate(store, [collection({ name: 'records', outbox: 'credits' })]);
  const outbox = createOutbox({
    store,
    nats,
    collection: 'records',
    ledger: createLedgerClient(nats, 'tasks'),
    clock: auth.clock,
    leases: createLeases(store, auth.clock),
    log,
  });
  const serving = serveParkedCredits(nats, 'tasks', [outbox]);
  stops.push(
    () => serving.stop(),
    () => ledger.stop(),
    () => store.close(),
  );

  const userId = randomId();
  const key = `task:a:${userId}:once`;
  credit = { kind: 'credit', key, userId, source: 'task', amountMicro: 2_500_000n, reason: 'A task' };
  ledger.credits.push({ key, userId, source: 'task', amountMicro: '1', reason: 'A task' });
  await store.collection<{ _id: string }>('records').insertOne({ _id: userId, outbox: [credit], dirtyAt: 1 } as never);
  expect(await outbox.settle(userId, credit)).toBeNull();

  admin = await auth.signUp('operator');
  await auth.makeAdmin(admin);
});
afterAll(async () => {
  for (const stop of stops) await stop();
});

const list = () => call(auth.url, operationEndpoints.parkedCredits, { token: admin.token });
const retry = (key: string) =>
  call(auth.url, operationEndpoints.retryParkedCredit, { token: admin.token, body: { service: 'tasks', key } });

describe('parked credits', () => {
  it('are listed for admins with the ledger’s refusal, and services without a response are named', async () => {
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

  it('are retried by an admin with the same key and amount, and the retry is in the audit log', async () => {
    expect((await retry(credit.key)).body).toEqual({ outcome: 'parked' });
    ledger.credits.length = 0;
    expect((await retry(credit.key)).body).toEqual({ outcome: 'credited' });
    expect(ledger.credits).toMatchObject([{ key: credit.key, amountMicro: '2500000' }]);
    expect((await list()).body.credits).toEqual([]);
    const log = await call(auth.url, supportEndpoints.audit, { token: admin.token, query: { limit: 1 } });
    expect(log.body.entries).toMatchObject([{ action: 'credit.retried', target: credit.key, adminId: admin.id }]);
  });

  it('get 404 for an unknown key and 503 if the service does not respond; the attempt is logged first', async () => {
    expect((await retry('task:nothing')).status).toBe(404);
    const body = { service: 'rewards' as const, key: 'cordclaim:x' };
    expect((await call(auth.url, operationEndpoints.retryParkedCredit, { token: admin.token, body })).status).toBe(503);
    const log = await call(auth.url, supportEndpoints.audit, { token: admin.token, query: { limit: 1 } });
    expect(log.body.entries).toMatchObject([{ action: 'credit.retried', target: 'cordclaim:x' }]);
  });
});

describe('an act of a command line without a store', () => {
  it('is in the audit log once auth has responded', async () => {
    const act = { action: 'dead-letter.retry', target: 'a'.repeat(32), detail: { by: 'ann', place: '7' } } as const;
    expect(await auth.backend.nats.request(auditNoteRpc, act)).toEqual({});
    const log = await call(auth.url, supportEndpoints.audit, { token: admin.token, query: { limit: 1 } });
    expect(log.body.entries).toMatchObject([{ ...act, adminId: NOBODY }]);
  });
});

describe('the other lists of admins', () => {
  it('are read to the end page by page: addresses with the most accounts first, and the audit log', async () => {
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
    expect([nextCursor, missing]).toEqual([null, ['mining', 'tasks', 'referrals', 'rewards']]);
    expect(entries.slice(0, 3).map(({ action }) => action)).toEqual(Array(3).fill('address.shared'));
    const acts = await allPages((query) => log({ ...query, limit: '1' }));
    expect(acts.map((page) => page.entries)).toEqual(entries.map((entry) => [entry]));
  });
});

describe('support cases and their addresses', () => {
  const listed = async (query: object) =>
    (await call(auth.url, supportEndpoints.queue, { token: admin.token, query: query as never })).body.requests;

  it('finds cases by kind and by prefix of the author’s name or of the case number', async () => {
    const [harbour, other] = [await auth.signUp('Harbour_77'), await auth.signUp('renata_')];
    const file = (kind: 'support' | 'refund', { token }: Person) =>
      call(auth.url, supportEndpoints.file, {
        token,
        body: { kind, subject: 'A question', text: 'How does it work?' },
      });
    const [support, refund] = [(await file('support', harbour)).body, (await file('refund', other)).body];
    const ids = async (query: object) => (await listed(query)).map(({ id }) => id);
    expect(await ids({ status: 'open' })).toEqual([support.id, refund.id]);
    expect(await ids({ status: 'open', kind: 'refund' })).toEqual([refund.id]);
    expect(await ids({ search: 'hARb' })).toEqual([support.id]);
    expect(await ids({ search: refund.id.slice(0, 8).toUpperCase() })).toEqual([refund.id]);
    expect(await ids({ search: 'har.*' })).toEqual([]);
    const paged = await allPages(async (query) => {
      const page = { search: 're', ...query, limit: '1' };
      return (await call(auth.url, supportEndpoints.queue, { token: admin.token, query: page as never })).body;
    });
    expect(paged.flatMap(({ requests }) => requests.map(({ id }) => id))).toEqual([refund.id]);
    const one = await call(auth.url, supportEndpoints.oneCase, { token: admin.token, params: { id: support.id } });
    expect(one.body).toMatchObject({ id: support.id, username: 'Harbour_77', taken: null });
  });

  it('assigns a case to one operator at a time for half an hour, and accepts only the first answer', async () => {
    const olek = await auth.signUp('olek');
    await auth.makeAdmin(olek);
    const [request] = await listed({ status: 'open', kind: 'support' });
    const params = { id: request?.id ?? '' };
    const take = ({ token }: { token: string }, taken: boolean) =>
      call(auth.url, supportEndpoints.take, { token, params, body: { taken } });
    const answer = ({ token }: { token: string }) =>
      call(auth.url, supportEndpoints.answer, { token, params, body: { answer: 'So.', close: false } });
    await eventually(async () => (await take(olek, true)).status === 200);
    expect((await take(admin, true)).body).toMatchObject({
      type: 'taken-by-another',
      error: 'olek is already working on this.',
    });
    expect((await answer(admin)).status).toBe(409);
    await take(admin, false);
    expect((await take(olek, true)).body.taken).toMatchObject({ by: olek.id, username: 'olek' });
    await take(olek, false);
    expect((await take(admin, true)).body.taken?.by).toBe(admin.id);
    await auth.clock.advance(30 * 60_000);
    expect((await listed({ kind: 'support' }))[0]?.taken).toBeNull();
    expect((await take(olek, true)).status).toBe(200);
    expect((await answer(olek)).body).toMatchObject({ status: 'answered', answer: 'So.' });
    expect((await take(olek, true)).body).toMatchObject({ type: 'not-open' });
    // The first answer stays: the same once more is no other, and one that another operator was still writing comes too late.
    expect((await answer(olek)).status).toBe(200);
    const late = { token: admin.token, params, body: { answer: 'No, so.', close: true } };
    expect((await call(auth.url, supportEndpoints.answer, late)).body).toMatchObject({ status: 409, type: 'not-open' });
    const stands = await call(auth.url, supportEndpoints.oneCase, { token: admin.token, params });
    expect(stands.body).toMatchObject({ status: 'answered', answer: 'So.' });
    // Of two at one moment, on a request that lies on no desk, one answers.
    const [refund] = await listed({ status: 'open', kind: 'refund' });
    const both = await Promise.all(
      [admin, olek].map(({ token, id }) =>
        call(auth.url, supportEndpoints.answer, {
          ...{ token, params: { id: refund?.id ?? '' } },
          body: { answer: `By ${id}.`, close: true },
        }),
      ),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const answered = both.find(({ status }) => status === 200)?.body.answer;
    expect((await listed({ kind: 'refund' }))[0]).toMatchObject({ status: 'closed', answer: answered });
    const gone = { token: admin.token, params: { id: 'f'.repeat(32) } };
    expect((await call(auth.url, supportEndpoints.take, { ...gone, body: { taken: true } })).status).toBe(404);
  });

  it('lists who counts at an address and for how long, and logs the view', async () => {
    const key = hash32('crowd 1');
    const seen = await call(auth.url, supportEndpoints.address, { token: admin.token, params: { key } });
    expect(seen.body).toMatchObject({ key, users: 2, shared: true });
    const hours = seen.body.accounts.map(({ minedHereMs, minedElsewhereMs }) => [minedHereMs, minedElsewhereMs]);
    expect(hours).toEqual([1, 2].map(() => [61 * 60_000, 0]));
    expect(seen.body.accounts[0]?.firstDay).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(seen.body.accounts.map(({ username }) => username).sort()).toEqual(
      [0, 1].map((n) => `${key.slice(0, 9)} ${n}`),
    );
    const log = await call(auth.url, supportEndpoints.audit, { token: admin.token, query: { limit: 1 } });
    expect(log.body.entries).toMatchObject([{ action: 'address.looked-up', target: key, adminId: admin.id }]);
    const unknown = { token: admin.token, params: { key: '3'.repeat(32) } };
    expect((await call(auth.url, supportEndpoints.address, unknown)).status).toBe(404);
  });
});
