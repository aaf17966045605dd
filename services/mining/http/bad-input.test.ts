import type { Endpoint } from '@cord/contracts/endpoint';
import { miningEndpoints as api } from '@cord/contracts/http/mining';
import { randomId } from '@cord/kit/testing/index';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fixture, startFixture, type TestUser } from '../test/fixture.js';

let mining: Fixture;
let user: TestUser;
let sessionId: string;
beforeAll(async () => {
  mining = await startFixture();
  user = await mining.newUser(2);
  sessionId = (await user.start()).id;
  await mining.clock.advance(60_000);
});
afterAll(() => mining?.close());

const all: Endpoint[] = Object.values(api);
const writes = all.filter(({ method }) => method !== 'GET');

/** The call refused, with a problem that names the field; the account untouched. */
async function refused(endpoint: Endpoint, options: Parameters<TestUser['ask']>[1], status: number, field?: string) {
  const before = await mining.models.accounts.findById(user.id).lean();
  const answer = await user.ask(endpoint, { params: { id: user.id, sessionId }, ...options });
  expect(answer.status).toBe(status);
  expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  expect(answer.problem).toMatchObject({
    status,
    success: false,
    error: expect.any(String),
    requestId: expect.any(String),
  });
  expect(answer.text).not.toMatch(/\bat .*\.(ts|js):\d+/);
  if (field) expect(answer.problem.errors?.map(({ path }) => path)).toContain(field);
  expect(await mining.models.accounts.findById(user.id).lean()).toEqual(before);
}

describe('every route of mining refuses', () => {
  for (const endpoint of all) {
    test(`${endpoint.id} without a session, or with a forged one`, async () => {
      await refused(endpoint, { token: '', body: {} }, 401);
      const token = await mining.signer.sign(user.id, { nowMs: mining.clock.now() });
      await refused(endpoint, { token: `${token.slice(0, -4)}AAAA`, body: {} }, 401);
    });

    if (endpoint.path.includes(':id')) {
      test(`${endpoint.id} of another user`, async () => {
        const query = endpoint === api.earnings ? { range: '7d' } : {};
        await refused(endpoint, { params: { id: randomId(), sessionId }, query, body: {} }, 403);
      });
      test(`${endpoint.id} with an id that is none`, async () => {
        for (const id of ['1', 'x'.repeat(32), `${user.id}0`, 'A'.repeat(32), "' or 1=1", '$ne']) {
          await refused(endpoint, { params: { id, sessionId }, body: {} }, 400, 'id');
        }
        // No plain path: nobody reads it.
        await refused(endpoint, { params: { id: '%00', sessionId }, body: {} }, 400);
      });
    }
    if (endpoint.path.includes(':sessionId')) {
      test(`${endpoint.id} with a session id that is none`, async () => {
        for (const bad of ['1', 'x'.repeat(33), '[object Object]', 'null']) {
          await refused(endpoint, { params: { id: user.id, sessionId: bad }, body: {} }, 400, 'sessionId');
        }
      });
    }
  }

  for (const endpoint of writes) {
    test(`${endpoint.id} with an unknown field`, () => refused(endpoint, { body: { balance: 1 } }, 400));
    test(`${endpoint.id} with a body that is no object`, async () => {
      for (const body of [[], 'text', 5, null]) await refused(endpoint, { body }, 400);
    });
    test(`${endpoint.id} nested too deep`, async () => {
      let deep: unknown = 1;
      for (let n = 0; n < 40; n += 1) deep = { deep };
      await refused(endpoint, { body: deep }, 400);
    });
    test(`${endpoint.id} with a body over the limit`, () =>
      refused(endpoint, { body: { earnings: 'x'.repeat(70_000) } }, 413));
    test(`${endpoint.id} that is not JSON`, async () => {
      for (const [type, body, status] of [
        ['application/json', '{"earnings":', 400],
        ['application/json', '{"earnings":NaN}', 400],
        ['text/plain', '{}', 415],
        ['application/x-www-form-urlencoded', 'earnings=1', 415],
      ] as const) {
        const path = endpoint.path.replace(':id', user.id).replace(':sessionId', sessionId);
        const token = await mining.signer.sign(user.id, { nowMs: mining.clock.now() });
        const headers = { Authorization: `Bearer ${token}`, 'Content-Type': type };
        const answer = await fetch(`${mining.replicas[0]?.url}/api${path}`, { method: endpoint.method, headers, body });
        expect(answer.status).toBe(status);
        expect(await answer.json()).toMatchObject({ success: false, status });
      }
    });
  }

  const numbers: [Endpoint, string][] = [
    [api.save, 'earningsToAdd'],
    [api.save, 'miningRate'],
    [api.update, 'earnings'],
    [api.update, 'hashRate'],
    [api.update, 'efficiency'],
    [api.updateB, 'earnings'],
    [api.end, 'finalEarnings'],
  ];
  for (const [endpoint, field] of numbers) {
    test(`${endpoint.id} with a ${field} that is no number`, async () => {
      for (const bad of ['1', true, null, [1], { $gt: 0 }, 'x'.repeat(5_000)]) {
        await refused(endpoint, { body: { [field]: bad } }, 400, field);
      }
    });
  }

  for (const endpoint of [api.history, api.ledger]) {
    test(`${endpoint.id} with a limit that is 0, negative, fractional, too large or text`, async () => {
      for (const limit of ['0', '-1', '1.5', '101', 'ten', '', '1e3', ' 5', '99999999999']) {
        await refused(endpoint, { query: { limit } }, 400, 'limit');
      }
    });
    test(`${endpoint.id} with an unknown part in the query`, () => refused(endpoint, { query: { order: 'asc' } }, 400));
  }
  test('mining.ledger with a cursor that is none', async () => {
    for (const cursor of ['-1', 'abc', '1.5', '9'.repeat(30), '']) {
      await refused(api.ledger, { query: { cursor } }, 400, 'cursor');
    }
  });
});

test('a cookie write from another site is refused, one of the own site is served', async () => {
  const cookie = await mining.signer.sign(user.id, { nowMs: mining.clock.now() });
  const foreign = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' };
  await refused(api.start, { token: '', cookie, headers: foreign }, 403);
  expect((await user.ask(api.start, { token: '', cookie })).status).toBe(200);
});

test('a user whose account is not open yet is asked to try again, by each call', async () => {
  const token = await mining.signer.sign('f'.repeat(32), { nowMs: mining.clock.now() });
  const params = { id: 'f'.repeat(32) };
  for (const endpoint of [api.start, api.rate, api.stats, api.ledger]) {
    const answer = await user.ask(endpoint, { params, token });
    expect([answer.status, answer.problem.type]).toEqual([503, 'ledger-unknown-user']);
  }
});
