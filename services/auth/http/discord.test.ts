import { OAUTH_STATE_MS } from '@cord/contracts/rules/timings';
import { AUTH_ERROR_KEYS } from '@cord/contracts/texts';
import { opsUrlOf } from '@cord/kit/ops-port';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { beforeAll, describe, expect, it } from 'vitest';
import { eventually, meOf, PUBLIC_ORIGIN, startAuth, wholeMeOf } from '../test/auth.js';

const auth = forAllTests(() => startAuth());
let account: string;

beforeAll(async () => {
  account = await auth.discord.account({ username: 'nova', globalName: 'Nova', createdAt: '2019-03-01' });
});

const TOKEN = '/api/oauth2/token';
const ME = '/users/@me';

async function users() {
  return auth.backend.nats.jsm.streams.info('CORD_USERS', { subjects_filter: 'cord.user.v1.registered.>' });
}

describe('the redirect to Discord', () => {
  it('requests only identify, with state, PKCE S256 and consent, and binds the transaction to a cookie', async () => {
    const browser = auth.browser();
    const answer = await browser.get('/api/auth/discord?scope=email&state=x&redirect_uri=https://evil.example');
    expect(answer.status).toBe(302);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const location = new URL(answer.headers.get('location') ?? '');
    expect(location.origin + location.pathname).toBe(auth.discord.settings.authorizeUrl);
    const query = Object.fromEntries(location.searchParams);
    expect(query).toMatchObject({
      client_id: 'cord-local',
      response_type: 'code',
      scope: 'identify',
      prompt: 'consent',
      redirect_uri: `${PUBLIC_ORIGIN}/api/auth/discord/callback`,
      code_challenge_method: 'S256',
    });
    expect(query.state).toMatch(/^[0-9a-f]{64}$/);
    expect(query.code_challenge).toMatch(/^[\w-]{43}$/);
    const [cookie = ''] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^cord-oauth=[^;]+; Path=\/; Max-Age=600; SameSite=Lax; HttpOnly$/);
    expect(cookie).not.toContain(query.state);
  });

  it('accepts a query of six kilobytes and passes none of it on', async () => {
    const answer = await auth.browser().get(`/api/auth/discord?junk=${'x'.repeat(6_000)}`);
    expect(answer.status).toBe(302);
    expect(answer.headers.get('location')).not.toContain('xxxx');
  });

  it('rejects HEAD and POST with 405, and a POST without a code to the callback with 400', async () => {
    for (const method of ['POST', 'HEAD']) {
      expect((await auth.browser().send(method, '/api/auth/discord')).status).toBe(405);
      expect((await auth.browser().send(method, '/api/auth/discord/callback')).status).toBe(
        method === 'HEAD' ? 405 : 400,
      );
    }
  });
});

describe('a sign-in in the browser', () => {
  it('redirects to the app with a session cookie, as a new user first and as a returning user afterwards', async () => {
    const browser = auth.browser();
    expect(await browser.signIn({ account })).toBe('/?welcome=new');
    expect([...browser.cookies.keys()]).toEqual(['cord', 'cord-signed-in']);
    const me = await wholeMeOf(browser);
    expect(me.user).toMatchObject({ username: 'Nova', discriminator: null, hasbadgeofhonor: false, isAdmin: false });
    expect(me.welcome).toMatchObject({ isNewUser: true, pending: false, referralBonus: 0 });
    expect(me.welcome?.credited).toBe(me.user.current_balance);
    expect(me.user.current_balance).toBeGreaterThan(0);

    expect(await auth.browser().signIn({ account })).toBe('/?welcome=back');
    const { ledger } = auth;
    expect(ledger.credits.map(({ key }) => key)).toEqual([`welcome:${me.user.id}`]);
  });

  it('returns to the place in the app where it began, and to no other site', async () => {
    const to = (back: string) => auth.browser().signIn({ account, back });
    expect(await to('?tab=admin&view=users&user=6f1d')).toBe('/?welcome=back&tab=admin&view=users&user=6f1d');
    expect(await to('https://evil.example/?tab=a')).toBe('/?welcome=back');
    const cancelled = await auth.browser().signIn({ deny: true, back: '?tab=leaderboard&miner=6f1d' });
    expect(cancelled).toBe('/?auth_error=denied&tab=leaderboard&miner=6f1d');
  });

  it('revokes the Discord token and includes neither token nor Discord id in a response', async () => {
    const browser = auth.browser();
    await browser.signIn({ account });
    await eventually(async () => auth.discord.calls.some(({ path }) => path.endsWith('/oauth2/token/revoke')));
    const me = await (await browser.get('/api/auth/me')).text();
    expect(me).not.toContain('access_token');
    expect(me).not.toContain(account);
  });

  it('sets a session cookie with HttpOnly and SameSite=Lax that lasts seven days', async () => {
    const callback = await auth.browser().toCallback({ account });
    expect(callback).toContain('/api/auth/discord/callback?');
    const browser = auth.browser();
    const back = await browser.toCallback({ account });
    const answer = await browser.get(back);
    const session = answer.headers.getSetCookie().find((line) => line.startsWith('cord='));
    expect(session).toMatch(/^cord=[\w.-]+; Path=\/; Max-Age=604800; SameSite=Lax; HttpOnly$/);
  });

  it('creates one user from six concurrent first sign-ins', async () => {
    const newcomer = await auth.discord.account({ username: 'twin' });
    const browsers = Array.from({ length: 6 }, () => auth.browser());
    const ends = await Promise.all(browsers.map((browser) => browser.signIn({ account: newcomer })));
    expect(ends.filter((end) => end === '/?welcome=new')).toHaveLength(1);
    expect(ends.filter((end) => end === '/?welcome=back')).toHaveLength(5);
    const ids = await Promise.all(browsers.map(async (browser) => (await meOf(browser)).user.id));
    expect(new Set(ids).size).toBe(1);
  });
});

describe('the callback redirects with auth_error=state', () => {
  const STATE = '/?auth_error=state';

  it('without the cookie', async () => {
    const callback = await auth.browser().toCallback({ account });
    expect(await locationOf(auth.browser().get(callback))).toBe(STATE);
  });

  it('with the cookie of another transaction', async () => {
    const [mine, theirs] = [auth.browser(), auth.browser()];
    await mine.toCallback({ account });
    const callback = await theirs.toCallback({ account });
    expect(await locationOf(mine.get(callback))).toBe(STATE);
  });

  it('with a changed state, or without one', async () => {
    for (const change of [
      (url: URL) => url.searchParams.set('state', '0'.repeat(64)),
      (url: URL) => url.searchParams.delete('state'),
    ]) {
      const browser = auth.browser();
      const url = new URL(await browser.toCallback({ account }), PUBLIC_ORIGIN);
      change(url);
      expect(await locationOf(browser.get(url.pathname + url.search))).toBe(STATE);
    }
  });

  it('with a forged cookie', async () => {
    const browser = auth.browser();
    const callback = await browser.toCallback({ account });
    const [id = ''] = (browser.cookies.get('cord-oauth') ?? '').split('.');
    browser.cookies.set('cord-oauth', `${id}.forged`);
    expect(await locationOf(browser.get(callback))).toBe(STATE);
  });

  it('the second time', async () => {
    const browser = auth.browser();
    const callback = await browser.toCallback({ account });
    const cookie = browser.cookies.get('cord-oauth') ?? '';
    expect(await locationOf(browser.get(callback))).toBe('/?welcome=back');
    browser.cookies.set('cord-oauth', cookie);
    expect(await locationOf(browser.get(callback))).toBe(STATE);
  });

  it('after ten minutes', async () => {
    const browser = auth.browser();
    const callback = await browser.toCallback({ account });
    await auth.clock.advance(OAUTH_STATE_MS);
    expect(await locationOf(browser.get(callback))).toBe(STATE);
    expect(browser.cookies.has('cord')).toBe(false);
  });

  it('for a denial with a wrong state, without the error text from the query', async () => {
    const answer = auth
      .browser()
      .get('/api/auth/discord/callback?error=access_denied&error_description=gotcha&state=x');
    expect(await locationOf(answer)).toBe(STATE);
    expect((await answer).headers.getSetCookie().join()).not.toContain('gotcha');
  });
});

describe('the outcome of a sign-in in the browser', () => {
  const json = (value: unknown) => JSON.stringify(value);

  it.each([
    ['code_expired', { path: TOKEN, status: 400, body: json({ error: 'invalid_grant' }) }],
    ['unauthorized', { path: ME, status: 401, body: json({ message: '401: Unauthorized', code: 0 }) }],
    ['unauthorized', { path: TOKEN, status: 401, body: json({ message: '401: Unauthorized' }) }],
    ['forbidden', { path: ME, status: 403, body: json({ message: 'Missing Access', code: 50001 }) }],
    ['forbidden', { path: TOKEN, status: 403, body: '' }],
    ['redirect_mismatch', { path: TOKEN, status: 400, body: json({ error: 'redirect_uri_mismatch' }) }],
    ['invalid_client', { path: TOKEN, status: 401, body: json({ error: 'invalid_client' }) }],
    ['grant_type', { path: TOKEN, status: 400, body: json({ error: 'unsupported_grant_type' }) }],
    ['code_expired', { path: TOKEN, status: 400, body: '<html>Bad Request</html>', type: 'text/html' }],
    ['code_expired', { path: TOKEN, status: 400, body: '', type: 'text/plain' }],
    ['unauthorized', { path: TOKEN, status: 401, body: 'no', type: 'text/plain' }],
    ['unauthorized', { path: TOKEN, status: 401, body: '', type: 'text/html' }],
    ['unauthorized', { path: ME, status: 401, body: '<html>who?</html>', type: 'text/html' }],
    ['forbidden', { path: TOKEN, status: 403, body: '<html>Cloudflare</html>', type: 'text/html' }],
    ['forbidden', { path: TOKEN, status: 403, body: 'not JSON at all', type: 'application/json' }],
    ['forbidden', { path: ME, status: 403, body: '', type: 'text/plain' }],
    ['network', { path: TOKEN, status: 503, body: '', type: 'text/plain' }],
    ['network', { path: TOKEN, status: 502, body: '<html>bad gateway</html>', type: 'text/html' }],
    ['network', { path: ME, status: 500, body: json({ message: 'oops' }) }],
    ['network', { path: TOKEN, cut: true }],
    ['network', { path: ME, cut: true }],
    ['network', { path: TOKEN, status: 200, body: json({ token_type: 'Bearer' }) }],
    ['invalid_user', { path: ME, status: 200, body: json({ id: '1' }) }],
    ['invalid_user', { path: ME, status: 200, body: json({ username: 'x' }) }],
  ])('is %s after %j', async (key, fault) => {
    auth.discord.faults.push(fault);
    const browser = auth.browser();
    expect(await browser.signIn({ account })).toBe(`/?auth_error=${key}`);
    expect(browser.cookies.size).toBe(0);
    auth.discord.faults.length = 0;
  });

  it.each([
    ['once: it succeeds', 1, '0.05', null],
    ['twice: it fails', 2, '0.05', 'network'],
    ['for longer: it fails', 1, '2.1', 'network'],
  ])('when Discord rate-limits the code exchange %s', async (_what, times, retryAfter, key) => {
    const before = auth.discord.calls.length;
    const fault = { path: TOKEN, status: 429, body: json({ message: 'You are being rate limited.' }), retryAfter };
    for (let n = 0; n < times; n += 1) auth.discord.faults.push(fault);
    const end = await auth.browser().signIn({ account });
    if (key === null) expect(end).toMatch(/^\/\?welcome=/);
    else expect(end).toBe(`/?auth_error=${key}`);
    const exchanges = auth.discord.calls.slice(before).filter(({ path }) => path.endsWith(TOKEN));
    expect(exchanges).toHaveLength(retryAfter === '0.05' ? 2 : 1);
    auth.discord.faults.length = 0;
  });

  it('denied passes on Discord’s own text in a signed cookie that the page can read', async () => {
    const browser = auth.browser();
    expect(await browser.signIn({ deny: true })).toBe('/?auth_error=denied');
    const [text = '', signature] = (browser.cookies.get('cord_auth_error') ?? '').split(/\.(?=[^.]*$)/);
    expect(decodeURIComponent(text)).toBe('The resource owner or authorization server denied the request');
    expect(signature).toMatch(/^[\w-]{43}$/);
  });

  it('is counted by key, with every counter starting at 0', async () => {
    const count = async (outcome: string) => {
      const text = await (await fetch(`${opsUrlOf(auth.direct)}/metrics`)).text();
      return Number(new RegExp(`^cord_sign_ins_total{outcome="${outcome}"[^}]*} (\\d+)`, 'm').exec(text)?.[1]);
    };
    for (const key of AUTH_ERROR_KEYS) expect(await count(key)).not.toBeNaN();
    const [ok, denied] = [await count('ok'), await count('denied')];
    await auth.browser().signIn({ account });
    await auth.browser().signIn({ deny: true });
    expect([await count('ok'), await count('denied')]).toEqual([ok + 1, denied + 1]);
  });

  it('creates no user if it failed', async () => {
    const before = (await users()).state.messages;
    const stranger = await auth.discord.account({ username: 'stranger' });
    auth.discord.faults.push({ path: ME, status: 403 });
    await auth.browser().signIn({ account: stranger });
    expect((await users()).state.messages).toBe(before);
  });
});

async function locationOf(answer: Promise<Response>): Promise<string | null> {
  return (await answer).headers.get('location');
}
