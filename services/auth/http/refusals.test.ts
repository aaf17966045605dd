import type { Endpoint } from '@cord/contracts/endpoint';
import { adminEndpoints } from '@cord/contracts/http/admin';
import { authEndpoints } from '@cord/contracts/http/auth';
import { clientErrorEndpoints } from '@cord/contracts/http/client-errors';
import { operationEndpoints } from '@cord/contracts/http/operations';
import { supportEndpoints } from '@cord/contracts/http/support';
import { type User, userEndpoints } from '@cord/contracts/http/users';
import { SESSION_MS } from '@cord/contracts/rules/timings';
import { type CallOptions, call } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { beforeAll, describe, expect, it } from 'vitest';
import { eventually, type Person, startAuth } from '../test/auth.js';

const all: Endpoint[] = [authEndpoints, userEndpoints, supportEndpoints, adminEndpoints]
  .flatMap((group) => Object.values(group) as Endpoint[])
  .filter(({ service }) => service === 'auth');
const closed = all.filter(({ access }) => access !== 'public');
const writes = all.filter(({ method }) => method !== 'GET');

const auth = forAllTests(() => startAuth());
let user: Person;
let other: Person;
let admin: Person;
let revoked: string;
let expired: string;

beforeAll(async () => {
  expired = (await auth.signUp('early')).token;
  await auth.clock.advance(SESSION_MS);
  [user, other, admin] = [await auth.signUp('user'), await auth.signUp('other'), await auth.signUp('admin')];
  await auth.makeAdmin(admin);
  revoked = (await auth.signUp('gone')).token;
  await call(auth.url, authEndpoints.logout, { token: revoked });
  await eventually(async () => (await call(auth.url, authEndpoints.me, { token: revoked })).status === 401);
  await eventually(async () => (await call(auth.url, supportEndpoints.audit, { token: admin.token })).status === 200);
});

const paramsOf = ({ id }: Person) => ({ id, username: 'user', key: 'a'.repeat(32) });

/** The call refused as problem details, without a look inside. */
async function refused(endpoint: Endpoint, options: CallOptions<Endpoint>, status: number, field?: string) {
  const answer = await call(auth.url, endpoint, { params: paramsOf(user), ...options });
  expect([endpoint.id, answer.status]).toEqual([endpoint.id, status]);
  expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  expect(answer.problem).toMatchObject({ status, success: false, requestId: expect.any(String) });
  expect(answer.text).not.toMatch(/\bat .*\.(ts|js):\d+/);
  if (field) expect(answer.problem.errors?.map(({ path }) => path)).toContain(field);
}

describe('every route decides who may', () => {
  it.each(closed)('$id: no session, an expired, a revoked and a forged session are 401', async (endpoint) => {
    const forged = `${user.token.slice(0, -8)}AAAAAAAA`;
    for (const token of [undefined, expired, revoked, forged]) {
      await refused(endpoint, { body: {}, ...(token ? { token } : {}) }, 401);
    }
  });

  it.each(all.filter(({ access }) => access === 'self'))('$id of another user is 403', async (endpoint) => {
    const body = endpoint.id === 'users.remove' ? { confirm: 'user' } : {};
    await refused(endpoint, { token: other.token, body }, 403);
    await refused(endpoint, { token: admin.token, body }, 403);
  });

  it.each(all.filter(({ access }) => access === 'admin'))('$id is for admins only', async (endpoint) => {
    await refused(endpoint, { token: user.token, body: {} }, 403);
    const asAdmin = await call(auth.url, endpoint, { token: admin.token, params: paramsOf(user), body: {} });
    expect([200, 400, 404]).toContain(asAdmin.status);
  });
});

describe('every write refuses bad input and writes nothing', () => {
  /** An admin's token opens every door but the owner's, who comes as owner. */
  const tokenFor = ({ access }: Endpoint) => (access === 'admin' ? admin.token : user.token);

  it.each(writes)('$id', async (endpoint) => {
    const before = await snapshot();
    const token = tokenFor(endpoint);
    const bodies: [unknown, number][] = [
      [{ surprise: 1 }, endpoint.id === 'users.create' ? 403 : 400],
      [[], 400],
      [nested(40), 400],
      [{ x: 'y'.repeat(70_000) }, 413],
    ];
    for (const [body, status] of bodies) await refused(endpoint, { token, body }, status);
    await raw(endpoint, token, '{"x":', 'application/json', 400);
    await raw(endpoint, token, '"text"', 'application/json', 400);
    await raw(endpoint, token, 'x=1', 'application/x-www-form-urlencoded', 415);
    await raw(endpoint, token, '<x/>', 'application/xml', 415);
    expect(await snapshot()).toEqual(before);
  });

  const fields: [Endpoint, Record<string, unknown>, Record<string, unknown[]>][] = [
    [
      supportEndpoints.file,
      { kind: 'support', subject: 'A subject', text: 'A text of some length' },
      {
        kind: ['x', 1, null, undefined],
        subject: ['', 'ab', 'x'.repeat(121), 5, null, undefined],
        text: ['short', 'x'.repeat(4_001), {}, null, undefined],
      },
    ],
    [
      supportEndpoints.changeUser,
      { reason: 'A good reason' },
      { reason: ['', 'x', 'x'.repeat(501), 1, undefined], cleared: ['yes', 1, null], admin: ['no', 0, []] },
    ],
    [
      supportEndpoints.markAddress,
      { shared: true, reason: 'A good reason' },
      { shared: ['true', 1, null, undefined], reason: ['', 7, undefined] },
    ],
    ...[adminEndpoints.endSessions, adminEndpoints.undo].map((endpoint): (typeof fields)[number] => [
      endpoint,
      {},
      { reason: ['', 'ab', 'x'.repeat(501), 1, null, undefined] },
    ]),
    [supportEndpoints.answer, { answer: 'Yes' }, { answer: ['', 'x'.repeat(4_001), 1, undefined], close: ['x', 1] }],
    [userEndpoints.putSettings, {}, { autoStart: ['x', 1, null, []], notifications: [0, '', {}] }],
    [userEndpoints.update, {}, { theme: ['x', 1, null], locale: ['', 'x', 'english', 5, 'a'.repeat(40)] }],
    [userEndpoints.remove, { confirm: 'user' }, { confirm: ['', 'x'.repeat(65), 1, null, undefined, 'USER'] }],
    [
      authEndpoints.exchange,
      { code: 'x' },
      { code: ['', 1, null, undefined], redirectUri: [1, 'x'], codeVerifier: ['x', 1] },
    ],
  ];

  it.each(fields)('$id names the field', async (endpoint, good, bad) => {
    const before = await snapshot();
    for (const [field, values] of Object.entries(bad)) {
      for (const value of values) {
        await refused(endpoint, { token: tokenFor(endpoint), body: { ...good, [field]: value } }, 400, field);
      }
    }
    expect(await snapshot()).toEqual(before);
  });

  it.each(all.filter(({ path }) => path.includes(':id')))('$id with an id that is none', async (endpoint) => {
    for (const id of ['1', 'x'.repeat(32), `${user.id}0`, 'A'.repeat(32), '$ne', "' or 1=1"]) {
      await refused(endpoint, { token: tokenFor(endpoint), params: { id }, body: {} }, 400, 'id');
    }
    // No plain path: not read.
    for (const id of ['../../etc', '\u0000'])
      await refused(endpoint, { token: tokenFor(endpoint), params: { id }, body: {} }, 400);
  });

  it.each(['0', '-1', '1.5', 'x', '', '1e3', '101'])('limit=%s is 400', async (limit) => {
    await refused(supportEndpoints.audit, { token: admin.token, query: { limit } }, 400, 'limit');
  });

  it('a filter of the trail that is none is 400', async () => {
    const bad = { by: 'me', act: 'a,,b', on: '', from: 'yesterday', to: '2026-11-21' };
    for (const [field, value] of Object.entries(bad)) {
      await refused(supportEndpoints.audit, { token: admin.token, query: { [field]: value } }, 400, field);
    }
  });

  it.each([
    supportEndpoints.queue,
    supportEndpoints.audit,
    supportEndpoints.addresses,
    adminEndpoints.users,
    operationEndpoints.parkedCredits,
    clientErrorEndpoints.list,
  ])('$id with a cursor that is none', async (endpoint) => {
    for (const cursor of ['', 'x', '-', '0'.repeat(32), '1e3-abc', `-1-${'a'.repeat(32)}`, 'NaN-1-a']) {
      await refused(endpoint, { token: admin.token, query: { cursor } }, 400, 'cursor');
    }
  });

  function nested(depth: number): unknown {
    let value: unknown = 1;
    for (let n = 0; n < depth; n += 1) value = { value };
    return value;
  }

  async function raw(endpoint: Endpoint, token: string, body: string, type: string, status: number): Promise<void> {
    const path = endpoint.path.replace(':id', user.id).replace(':key', 'a'.repeat(32));
    const response = await fetch(`${auth.url}/api${path}`, {
      method: endpoint.method,
      body,
      headers: { 'content-type': type, authorization: `Bearer ${token}` },
    });
    expect([endpoint.id, type, response.status]).toEqual([endpoint.id, type, status]);
    expect(await response.text()).not.toMatch(/\bat .*\.(ts|js):\d+/);
  }

  /** What these calls could have written. */
  async function snapshot() {
    const get = async (endpoint: Endpoint, token: string) =>
      (await call(auth.url, endpoint, { token, params: { id: user.id } })).body;
    const { username, locale, theme, isAdmin, last_login_time } = (await get(userEndpoints.get, user.token)) as User;
    return {
      record: { username, locale, theme, isAdmin, last_login_time },
      settings: await get(userEndpoints.getSettings, user.token),
      requests: await get(supportEndpoints.mine, user.token),
      sessions: ((await get(authEndpoints.sessions, user.token)) as unknown[]).length,
      log: await get(supportEndpoints.audit, admin.token),
      addresses: await get(supportEndpoints.addresses, admin.token),
    };
  }
});
