import { callerReader } from '@cord/kit/caller';
import { callerKeyOf } from '@cord/kit/caller-key';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { createSessionSigner, TEST_GATEWAY_KEY } from '@cord/kit/testing/signer';
import { describe, expect, test, vi } from 'vitest';
import { origin, type Seen, upstream } from './origin.js';
import { startSessions } from './sessions.js';

const USER = 'a'.repeat(32);
const sessions = forAllTests(startSessions);

/** Starts a gateway in front of auth and tasks. */
async function house(more: { publicOrigin?: URL; rateLimitScale?: number } = {}) {
  const [auth, tasks] = [await upstream(), await upstream()];
  const upstreams = { auth: [auth.url], tasks: [tasks.url] };
  const site = await origin({ upstreams, ...sessions.given, ...more });
  return { auth, tasks, site };
}

/** Returns the caller that a service sees in the last call. */
async function callerSeen(service: 'auth' | 'tasks', { seen }: { seen: Seen[] }) {
  const token = /^Bearer (.+)$/.exec(seen.at(-1)?.headers.authorization ?? '')?.[1] ?? '';
  return callerReader(service, [callerKeyOf(TEST_GATEWAY_KEY, service)])(token);
}

describe('a call with a session', () => {
  test('reaches its service with user, key and kind of credentials, but without session token and session cookie', async () => {
    const { auth, tasks, site } = await house();
    const token = await sessions.tokenOf(USER);
    const cookie = `theme=dark; cord=${token}; cord-oauth=signed`;
    for (const headers of [
      { authorization: `Bearer ${token}` },
      { cookie },
      { cookie, authorization: `Bearer ${token}` },
    ]) {
      expect((await site.call('/api/tasks', { headers: headers as Record<string, string> })).status).toBe(200);
      expect(await callerSeen('tasks', tasks)).toMatchObject({
        user: { id: USER, isAdmin: false, keyId: sessions.kid },
        by: 'authorization' in headers ? 'bearer' : 'cookie',
        isStale: false,
      });
      expect(tasks.seen.at(-1)?.headers.cookie).toBeUndefined();
      expect(JSON.stringify(tasks.seen.at(-1))).not.toContain(token.split('.')[2]);
    }
    // Auth continues a sign-in in progress, and gets no session either.
    await site.call('/api/auth/me', { headers: { cookie } });
    expect(auth.seen.at(-1)?.headers.cookie).toBe('theme=dark; cord-oauth=signed');
    expect(JSON.stringify(auth.seen.at(-1))).not.toContain(token.split('.')[2]);
  });

  test('has a caller token that no other service accepts', async () => {
    const { tasks, site } = await house();
    await site.call('/api/tasks', { headers: { authorization: `Bearer ${await sessions.tokenOf(USER)}` } });
    expect(await callerSeen('auth', tasks)).toBeNull();
  });

  test('uses the rate limit of its address if its token is invalid, and each call beyond the limit is counted', async () => {
    const { tasks, site } = await house({ rateLimitScale: 0.001 });
    const counted = async () =>
      /^cord_rate_limited_total\{class="badToken".*\} (\d+)$/m.exec(await site.figures())?.[1];
    const callWith = async (token: string) => {
      await site.call('/api/tasks', { headers: { authorization: `Bearer ${token}` } });
      return (await callerSeen('tasks', tasks))?.unchecked?.status;
    };
    expect([await callWith('no-token'), await counted()]).toEqual([undefined, '0']);
    expect([await callWith('no-token'), await callWith('other'), await counted()]).toEqual([429, 429, '2']);
  });

  test('has the current role of the user within a second', async () => {
    const { tasks, site } = await house();
    const headers = { authorization: `Bearer ${await sessions.tokenOf(USER)}` };
    const isAdmin = async () => {
      await site.call('/api/tasks', { headers });
      return (await callerSeen('tasks', tasks))?.user?.isAdmin;
    };
    expect(await isAdmin()).toBe(false);
    await sessions.state.setRoles(USER, ['admin']);
    await expect.poll(isAdmin, { timeout: 1_000 }).toBe(true);
    await sessions.state.setRoles(USER, []);
    await expect.poll(isAdmin, { timeout: 1_000 }).toBe(false);
  });
});

test('a write by cookie gets 403 unless it comes from our own pages', async () => {
  const { tasks, site } = await house();
  const cookie = `cord=${await sessions.tokenOf(USER)}`;
  const write = async (headers: Record<string, string>) => {
    const { status, text } = await site.call('/api/tasks', { method: 'POST', headers: { cookie, ...headers } });
    return status === 403 ? JSON.parse(text).type : status;
  };
  expect(await write({ origin: site.publicOrigin })).toBe(200);
  expect(await write({ 'sec-fetch-site': 'same-origin' })).toBe(200);
  const taken = tasks.seen.length;
  for (const headers of [{}, { origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }])
    expect(await write(headers as Record<string, string>)).toBe('cross-origin');
  expect(tasks.seen).toHaveLength(taken);
});

test('a caller token that the client made itself is ignored', async () => {
  const { tasks, site } = await house();
  const key = callerKeyOf(TEST_GATEWAY_KEY, 'tasks');
  for (const authorization of [`Bearer ${key}`, `Bearer ${tasks.seen.at(-1)?.headers.authorization ?? 'a.b.c'}`]) {
    await site.call('/api/tasks', { headers: { authorization } });
    expect((await callerSeen('tasks', tasks))?.user).toBeNull();
  }
});

test('a client cannot remove the gateway’s headers by naming them in Connection', async () => {
  const { tasks, site } = await house();
  const authorization = `Bearer ${await sessions.tokenOf(USER)}`;
  await site.call('/api/tasks', { headers: { authorization, connection: 'authorization, x-forwarded-for' } });
  expect((await callerSeen('tasks', tasks))?.user?.id).toBe(USER);
  expect(tasks.seen.at(-1)?.headers['x-forwarded-for']).toBe('127.0.0.1');
});

test('a change that a call makes in auth applies to the next call', async () => {
  const signer = await createSessionSigner(sessions.connection);
  const sessionId = 'c'.repeat(32);
  const auth = await upstream(async (_, response) => {
    await sessions.state.revokeSession(sessionId, Date.now());
    response.end('{}');
  });
  const tasks = await upstream();
  const site = await origin({ upstreams: { auth: [auth.url], tasks: [tasks.url] }, ...sessions.given });
  const headers = { authorization: `Bearer ${await signer.sign(USER, { nowMs: Date.now(), sessionId })}` };
  expect((await site.call('/api/auth/logout', { method: 'POST', headers })).status).toBe(200);
  await site.call('/api/tasks', { headers });
  expect((await callerSeen('tasks', tasks))?.user).toBeNull();
});

test('before keys and ended sessions are known nobody is signed in, and services get the reason', async () => {
  const tasks = await upstream();
  const site = await origin({ upstreams: { tasks: [tasks.url] } });
  await site.call('/api/tasks', { headers: { authorization: `Bearer ${await sessions.tokenOf(USER)}` } });
  expect(await callerSeen('tasks', tasks)).toMatchObject({ user: null, isStale: true, unchecked: { status: 503 } });
  await site.call('/api/tasks');
  expect(await callerSeen('tasks', tasks)).toMatchObject({ user: null, unchecked: null });
});

test('after 30 s without data from auth, services see that the state of sessions is stale', async () => {
  const { tasks, site } = await house();
  const headers = { authorization: `Bearer ${await sessions.tokenOf(USER)}` };
  const real = performance.now.bind(performance);
  const time = vi.spyOn(performance, 'now').mockImplementation(() => real() + 31_000);
  await site.call('/api/tasks', { headers });
  time.mockRestore();
  expect(await callerSeen('tasks', tasks)).toMatchObject({ user: { id: USER }, isStale: true });
});
