import { authEndpoints } from '@cord/contracts/http/auth';
import { SESSION_MS } from '@cord/contracts/rules/timings';
import { createSessionCheck } from '@cord/kit/edge/session-check';
import { createLogger } from '@cord/kit/log';
import { call } from '@cord/kit/testing/index';
import { forAllTests, stopAfterTest } from '@cord/kit/testing/lifetimes';
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { PUBLISHED_AHEAD_MS, SIGNS_FOR_MS } from '../domain/signing-keys.js';
import { eventually, meOf, sessionsOf, startAuth } from '../test/auth.js';
import type { Browser } from '../test/browser.js';

const auth = forAllTests(() => startAuth());
let account: string;

beforeAll(async () => {
  account = await auth.discord.account({ username: 'marlow', createdAt: '2020-01-01' });
});

async function signedIn(): Promise<{ browser: Browser; token: string }> {
  const browser = auth.browser();
  await browser.signIn({ account });
  return { browser, token: browser.cookies.get('cord') ?? '' };
}

const isIn = async (browser: Browser) => (await browser.get('/api/auth/me')).status === 200;

describe('sign-in sessions', () => {
  it('have an EdDSA token with sub, jti, iat and exp in seven days, verified by the published keys', async () => {
    const { token } = await signedIn();
    const jwks = await call(auth.url, authEndpoints.jwks, {});
    // Of a key with an issuer no token without issuer is valid (kit, session-token).
    expect(jwks.body.keys).toEqual([expect.objectContaining({ iss: 'cord-auth' })]);
    const keys = createLocalJWKSet(jwks.body as unknown as JSONWebKeySet);
    const { payload, protectedHeader } = await jwtVerify(token, keys);
    expect(protectedHeader).toMatchObject({ alg: 'EdDSA' });
    expect(payload.sub).toMatch(/^[0-9a-f]{32}$/);
    expect(payload.jti).toMatch(/^[0-9a-f]{32}$/);
    expect(Number(payload.exp) - Number(payload.iat)).toBeCloseTo(SESSION_MS / 1000, 3);
    expect(jwks.text).not.toContain('"d"');
  });

  it('are listed newest first with their device, and the current one is marked', async () => {
    const { browser } = await signedIn();
    const firefox = auth.browser();
    await firefox.signIn({
      account,
      headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0' },
    });
    const list = await sessionsOf(browser);
    expect(list[0]?.device).toBe('Firefox on Linux');
    expect(list.filter((session) => session.current)).toHaveLength(1);
    const times = list.map((session) => session.createdAt);
    expect(times).toEqual([...times].sort().reverse());
  });

  it('end everywhere within a second at logout, which also deletes the cookie', async () => {
    const { browser, token } = await signedIn();
    const elsewhere = stopAfterTest(
      createSessionCheck({ clock: auth.clock, log: createLogger('elsewhere', 'silent') }),
    );
    await elsewhere.start(auth.backend.nats);
    expect(await elsewhere.verify(token)).not.toBeNull();
    expect((await browser.send('POST', '/api/auth/logout')).status).toBe(204);
    expect(browser.cookies.has('cord')).toBe(false);
    await eventually(async () => (await elsewhere.verify(token)) === null);
    await eventually(async () => (await call(auth.url, authEndpoints.me, { token })).status === 401);
  });

  it('can be ended one by one, or all except the current one', async () => {
    const [mine, other, third] = [await signedIn(), await signedIn(), await signedIn()];
    const list = await sessionsOf(other.browser);
    const current = list.find((session) => session.current);
    expect((await mine.browser.send('DELETE', `/api/auth/sessions/${current?.id}`)).status).toBe(204);
    await eventually(async () => !(await isIn(other.browser)));
    expect(await isIn(third.browser)).toBe(true);
    expect((await mine.browser.send('DELETE', '/api/auth/sessions')).status).toBe(204);
    await eventually(async () => !(await isIn(third.browser)));
    expect(await isIn(mine.browser)).toBe(true);
    expect(await sessionsOf(mine.browser)).toHaveLength(1);
  });

  it('replace the previous session of the same browser, and no other', async () => {
    const [here, elsewhere] = [await signedIn(), await signedIn()];
    await here.browser.signIn({ account });
    expect(here.browser.cookies.get('cord')).not.toBe(here.token);
    await eventually(async () => (await call(auth.url, authEndpoints.me, { token: here.token })).status === 401);
    expect(await isIn(here.browser)).toBe(true);
    expect(await isIn(elsewhere.browser)).toBe(true);
    // Another person in the same browser, and a cookie that is none, are no hindrance.
    const other = await auth.discord.account({ username: 'guest at the same desk' });
    expect(await elsewhere.browser.signIn({ account: other })).toBe('/?welcome=new');
    await eventually(async () => (await call(auth.url, authEndpoints.me, { token: elsewhere.token })).status === 401);
    elsewhere.browser.cookies.set('cord', 'nonsense');
    expect(await elsewhere.browser.signIn({ account: other })).toBe('/?welcome=back');
  });

  it('of another user cannot be ended', async () => {
    const { browser } = await signedIn();
    const stranger = auth.browser();
    await stranger.signIn({ account: await auth.discord.account({ username: 'stranger' }) });
    const [session] = await sessionsOf(browser);
    expect((await stranger.send('DELETE', `/api/auth/sessions/${session?.id}`)).status).toBe(404);
    expect(await isIn(browser)).toBe(true);
  });

  it('stay revoked after a restart of auth', async () => {
    const { browser, token } = await signedIn();
    await browser.send('POST', '/api/auth/logout');
    await auth.restart();
    expect((await call(auth.url, authEndpoints.me, { token })).status).toBe(401);
  });
});

describe('signing keys', () => {
  it('are published ten minutes before they sign, and a change of key ends no session', async () => {
    const kidsOf = async () => (await call(auth.url, authEndpoints.jwks, {})).body.keys.map((key) => key.kid);
    const [first] = await kidsOf();
    await auth.clock.advance(SIGNS_FOR_MS - PUBLISHED_AHEAD_MS + 1_000);
    const both = await kidsOf();
    expect(both).toHaveLength(2);
    const before = await signedIn();
    expect(decodeProtectedHeader(before.token).kid).toBe(first);
    await auth.clock.advance(PUBLISHED_AHEAD_MS);
    const after = await signedIn();
    expect(both).toContain(decodeProtectedHeader(after.token).kid);
    expect(decodeProtectedHeader(after.token).kid).not.toBe(first);
    expect(await isIn(before.browser)).toBe(true);
    expect(await isIn(after.browser)).toBe(true);
    await auth.clock.advance(SESSION_MS);
    expect(await kidsOf()).not.toContain(first);
  });

  it('are sealed in the store and unchanged after a restart', async () => {
    const kids = JSON.stringify((await call(auth.url, authEndpoints.jwks, {})).body);
    await auth.restart();
    expect(JSON.stringify((await call(auth.url, authEndpoints.jwks, {})).body)).toBe(kids);
  });
});

describe('the welcome', () => {
  it('is returned until it is acknowledged', async () => {
    const { browser } = await signedIn();
    expect((await meOf(browser)).welcome).toMatchObject({ isNewUser: true });
    expect((await browser.send('POST', '/api/auth/me/welcome')).status).toBe(204);
    expect((await meOf(browser)).welcome).toBeUndefined();
    expect((await browser.send('POST', '/api/auth/me/welcome')).status).toBe(204);
    const back = await signedIn();
    expect((await meOf(back.browser)).welcome).toMatchObject({ isNewUser: false, credited: 0 });
  });

  it('appears only in the browser that signed in, and another browser cannot acknowledge it', async () => {
    const { browser: elsewhere } = await signedIn();
    await elsewhere.send('POST', '/api/auth/me/welcome');
    const { browser: here } = await signedIn();
    expect((await meOf(elsewhere)).welcome).toBeUndefined();
    expect((await elsewhere.send('POST', '/api/auth/me/welcome')).status).toBe(204);
    expect((await meOf(here)).welcome).toMatchObject({ isNewUser: false });
  });
});
