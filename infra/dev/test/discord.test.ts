import { snowflakeToMs } from '@cord/contracts/rules/age';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CLIENT_SECRET, type Console, openConsole, pkce } from './console.js';

let site: Console;
beforeEach(async () => {
  site = await openConsole();
});
afterEach(() => site.close());

const { verifier, challenge } = pkce();
const client = { client_id: 'cord-local', client_secret: CLIENT_SECRET };
const callback = () => `${site.origin}/api/auth/discord/callback`;

function authorizePath(changes: Record<string, string | undefined> = {}): string {
  const query = {
    client_id: 'cord-local',
    response_type: 'code',
    redirect_uri: callback(),
    scope: 'identify',
    state: 'st4te',
    prompt: 'consent',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...changes,
  };
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `/dev/discord/oauth2/authorize?${new URLSearchParams(given)}`;
}

/** Returns the query of the site's callback. */
async function sentBack(path: string): Promise<URLSearchParams> {
  const answer = await site.call(path);
  expect(answer.status).toBe(302);
  const location = new URL(answer.headers.get('location') ?? '');
  expect(`${location.origin}${location.pathname}`).toBe(callback());
  return location.searchParams;
}

async function approvedCode(changes: Record<string, string | undefined> = {}): Promise<string> {
  const account = await site.newAccount();
  return (await sentBack(authorizePath({ ...changes, account }))).get('code') ?? '';
}

const exchange = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
  site.form(
    '/dev/discord/api/oauth2/token',
    { grant_type: 'authorization_code', redirect_uri: callback(), code_verifier: verifier, ...fields },
    headers,
  );

const me = (token: string) =>
  site.call('/dev/discord/api/users/@me', { headers: { authorization: `Bearer ${token}` } });

describe('signing in with the Discord stand-in', () => {
  test('turns an approved account into a code, a token and a Discord user', async () => {
    const account = await site.newAccount({ username: 'ada', globalName: 'Ada L', createdAt: '2017-02-03T00:00:00Z' });
    const back = await sentBack(authorizePath({ account }));
    expect(back.get('state')).toBe('st4te');
    const answer = await exchange({ ...client, code: back.get('code') ?? '' });
    expect(answer.status).toBe(200);
    const token = (await answer.json()) as { access_token: string };
    expect(token).toMatchObject({ token_type: 'Bearer', expires_in: 604_800, scope: 'identify' });
    const user = (await (await me(token.access_token)).json()) as { id: string };
    expect(user).toMatchObject({
      id: account,
      username: 'ada',
      global_name: 'Ada L',
      discriminator: '0',
      avatar: null,
    });
    expect(user).not.toHaveProperty('email');
    expect(new Date(snowflakeToMs(user.id)).toISOString()).toBe('2017-02-03T00:00:00.000Z');
  });

  test('accepts client id and secret as HTTP Basic', async () => {
    const basic = Buffer.from(`cord-local:${CLIENT_SECRET}`).toString('base64');
    expect((await exchange({ code: await approvedCode() }, { authorization: `Basic ${basic}` })).status).toBe(200);
  });

  test('sends a person who declines back with access_denied and the state', async () => {
    const back = await sentBack(authorizePath({ deny: '1' }));
    expect(back.get('error')).toBe('access_denied');
    expect(back.get('error_description')).toBe('The resource owner or authorization server denied the request');
    expect(back.get('state')).toBe('st4te');
    expect(back.has('code')).toBe(false);
  });

  test('approves a new account from the form at once', async () => {
    const answer = await site.form(authorizePath(), {
      username: 'fresh.face',
      globalName: '',
      createdAt: '2020-01-01',
    });
    const code = new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? '';
    const token = (await (await exchange({ ...client, code })).json()) as { access_token: string };
    expect(await (await me(token.access_token)).json()).toMatchObject({ username: 'fresh.face', global_name: null });
  });
});

describe('the token endpoint rejects, with Discord’s texts,', () => {
  const refusal = async (answer: Response) => ({ status: answer.status, ...((await answer.json()) as object) });
  const unsupported = { status: 400, error: 'unsupported_grant_type', error_description: expect.any(String) };
  const denied = { status: 401, error: 'invalid_client' };
  const wrong = (field: string) => ({ status: 400, error: 'invalid_grant', error_description: textOf(field) });
  const textOf = (field: string) => `Invalid "${field}" in request.`;

  test.each<[string, () => Record<string, string>, object]>([
    ['a wrong secret', () => ({ client_secret: 'guess' }), denied],
    ['an unknown client', () => ({ client_id: 'other' }), denied],
    ['another grant type', () => ({ grant_type: 'password' }), unsupported],
    ['an invented code', () => ({ code: 'invented' }), wrong('code')],
    ['another redirect address', () => ({ redirect_uri: `${site.origin}/elsewhere` }), wrong('redirect_uri')],
    ['a verifier of another challenge', () => ({ code_verifier: pkce().verifier }), wrong('code_verifier')],
  ])('%s', async (_what, changed, expected) => {
    const code = await approvedCode();
    expect(await refusal(await exchange({ ...client, code, ...changed() }))).toEqual(expected);
  });

  test('a call without a client, without a code, or with a body that is not a form', async () => {
    expect(await refusal(await exchange({ code: await approvedCode() }))).toEqual(denied);
    const invalid = { status: 400, error: 'invalid_request' };
    expect(await refusal(await exchange(client))).toMatchObject(invalid);
    const answer = await site.json('/dev/discord/api/oauth2/token', { ...client, code: 'x' });
    expect(await refusal(answer)).toMatchObject(invalid);
  });

  test('a used code, even if the first attempt had a wrong verifier', async () => {
    const [used, tried] = [await approvedCode(), await approvedCode()];
    expect((await exchange({ ...client, code: used })).status).toBe(200);
    await exchange({ ...client, code: tried, code_verifier: pkce().verifier });
    for (const code of [used, tried]) expect(await refusal(await exchange({ ...client, code }))).toEqual(wrong('code'));
  });

  test('a code that is ten minutes old by the movable clock', async () => {
    const [young, old] = [await approvedCode(), await approvedCode()];
    await site.json('/dev/clock', { advance: '9m' });
    expect((await exchange({ ...client, code: young })).status).toBe(200);
    await site.json('/dev/clock', { advance: '1m' });
    expect(await refusal(await exchange({ ...client, code: old }))).toEqual(wrong('code'));
  });
});

describe('an access token', () => {
  const tokenOf = async () =>
    ((await (await exchange({ ...client, code: await approvedCode() })).json()) as { access_token: string })
      .access_token;

  test('gets 401 once revoked; revoking an unknown one succeeds', async () => {
    const token = await tokenOf();
    expect((await me(token)).status).toBe(200);
    expect((await site.form('/dev/discord/api/oauth2/token/revoke', { ...client, token })).status).toBe(200);
    const answer = await me(token);
    expect(answer.status).toBe(401);
    expect(await answer.json()).toEqual({ message: '401: Unauthorized', code: 0 });
    expect((await site.form('/dev/discord/api/oauth2/token/revoke', { ...client, token: 'unknown' })).status).toBe(200);
    expect((await site.form('/dev/discord/api/oauth2/token/revoke', { token })).status).toBe(401);
  });

  test('expires after seven days by the movable clock', async () => {
    const token = await tokenOf();
    await site.json('/dev/clock', { advance: '7d' });
    expect((await me(token)).status).toBe(401);
  });
});

describe('the authorize page', () => {
  test('shows accounts of every tier, and allows no script', async () => {
    const answer = await site.call(authorizePath());
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(answer.status).toBe(200);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    expect(policy).not.toContain('script-src');
    const page = await answer.text();
    expect(page).not.toMatch(/<script|<style| style=| onclick=/);
    for (const multiplier of ['1x', '1.2x', '1.5x', '2x', '2.5x', '3.5x', '5x', '7x', '10x']) {
      expect(page).toContain(`>${multiplier}<`);
    }
  });

  test('escapes markup in names', async () => {
    await site.newAccount({ username: '<img src=x>', globalName: '"><script>alert(1)</script>' });
    const page = await (await site.call(authorizePath())).text();
    expect(page).not.toContain('<script>');
    expect(page).not.toContain('<img src=x');
    expect(page).toContain('&lt;img src=x&gt;');
  });

  test.each<[string, Record<string, string | undefined>]>([
    ['another client', { client_id: 'another' }],
    ['an address that is not registered', { redirect_uri: 'https://evil.example/callback' }],
    ['an address that is none', { redirect_uri: 'javascript:alert(1)' }],
    ['another response type', { response_type: 'token' }],
    ['no scope', { scope: undefined }],
    ['an unknown scope', { scope: 'identify guilds' }],
    ['a plain challenge', { code_challenge_method: 'plain' }],
    ['a malformed challenge', { code_challenge: 'short' }],
  ])('redirects no one for %s', async (_what, changes) => {
    const account = await site.newAccount();
    const answer = await site.call(authorizePath({ ...changes, account }));
    expect(answer.status).toBe(400);
    expect(answer.headers.get('location')).toBeNull();
  });

  test('responds with 404 to an account that does not exist', async () => {
    expect((await site.call(authorizePath({ account: '123' }))).status).toBe(404);
  });
});
