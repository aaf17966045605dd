import type { Endpoint } from '@cord/contracts/endpoint';
import { ENDPOINTS } from '@cord/contracts/http/index';
import { beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { type Caller, call, makeAdmin, type Signed, signInByBearer } from './client.js';
import { EXAMPLES } from './examples.js';

const origin = inject('origin');
let owner: Signed;
let other: Signed;
let admin: Signed;
let revoked: Signed;
let forged: Caller;

beforeAll(async () => {
  [owner, other, admin, revoked] = (await Promise.all(Array.from({ length: 4 }, () => signInByBearer(origin)))) as [
    Signed,
    Signed,
    Signed,
    Signed,
  ];
  await makeAdmin(admin);
  await call(revoked, { method: 'POST', path: '/auth/logout' }, { body: {} });
  await vi.waitFor(
    async () => expect((await call(revoked, { method: 'GET', path: '/mining/stats' })).status).toBe(401),
    5_000,
  );
  const [head, payload] = owner.token.split('.');
  forged = { origin, token: `${head}.${payload}.${Buffer.alloc(64, 7).toString('base64url')}` };
});

/** Calls that end their session; tested with throw-away users elsewhere. */
const ENDS = new Set(['auth.logout', 'auth.endSessions']);
/** Calls for signed-in users that refuse the example call with 403 by a rule of their own: `sign-in-only`, `admin-only` without a range. */
const OWN_REFUSALS = new Set(['users.create', 'epochs.list']);
const statusOf = async (caller: Caller, endpoint: Endpoint): Promise<number> => {
  const { status, body } = await call(caller, endpoint, EXAMPLES[endpoint.id]?.(owner));
  expect(status, `${endpoint.id} must not fault: ${JSON.stringify(body)}`).not.toBe(500);
  return status;
};
const closed = ENDPOINTS.filter((endpoint) => endpoint.access !== 'public');

describe('access rights', () => {
  test('have an example call for every endpoint', () => {
    expect(ENDPOINTS.filter((endpoint) => !EXAMPLES[endpoint.id]).map((endpoint) => endpoint.id)).toEqual([]);
  });

  test.each(closed.map((endpoint) => [endpoint.id, endpoint] as const))(
    'of %s reject a missing, a revoked and a forged token with 401',
    async (_, endpoint) => {
      expect(await statusOf({ origin }, endpoint)).toBe(401);
      expect(await statusOf(revoked, endpoint)).toBe(401);
      expect(await statusOf(forged, endpoint)).toBe(401);
    },
  );

  test.each(closed.filter((each) => each.access === 'self').map((endpoint) => [endpoint.id, endpoint] as const))(
    'of %s admit its owner, and reject other users and admins with 403',
    async (_, endpoint) => {
      expect(await statusOf(other, endpoint)).toBe(403);
      expect(await statusOf(admin, endpoint)).toBe(403);
      expect([401, 403]).not.toContain(await statusOf(owner, endpoint));
    },
  );

  test.each(closed.filter((each) => each.access === 'admin').map((endpoint) => [endpoint.id, endpoint] as const))(
    'of %s admit only admins',
    async (_, endpoint) => {
      expect(await statusOf(owner, endpoint)).toBe(403);
      expect([401, 403]).not.toContain(await statusOf(admin, endpoint));
    },
  );

  test.each(ENDPOINTS.filter((each) => each.access === 'public').map((endpoint) => [endpoint.id, endpoint] as const))(
    'of %s require no sign-in',
    async (_, endpoint) => {
      expect([401, 403]).not.toContain(await statusOf({ origin }, endpoint));
    },
  );

  test.each(
    closed
      .filter((each) => each.access === 'user' && !ENDS.has(each.id))
      .map((endpoint) => [endpoint.id, endpoint] as const),
  )('of %s accept the token of any signed-in user', async (_, endpoint) => {
    const status = await statusOf(owner, endpoint);
    expect(status).not.toBe(401);
    expect(status === 403, `${status}`).toBe(OWN_REFUSALS.has(endpoint.id));
  });
});
