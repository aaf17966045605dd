import { authEndpoints } from '@cord/contracts/http/auth';
import { AUTH_ERROR_TEXTS } from '@cord/contracts/texts';
import { IDEMPOTENCY_KEYS } from '@cord/kit/idempotency';
import { call } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { beforeAll, describe, expect, it } from 'vitest';
import { PUBLIC_ORIGIN, startAuth } from '../test/auth.js';

const auth = forAllTests(() => startAuth());
let account: string;

beforeAll(async () => {
  account = await auth.discord.account({ username: 'nova', globalName: 'Nova', createdAt: '2019-03-01' });
});

const TOKEN = '/api/oauth2/token';

describe('client B exchanges a code for a bearer token', () => {
  async function codeFor(redirectUri: string): Promise<{ code: string }> {
    const url = new URL(auth.discord.settings.authorizeUrl);
    const query = {
      client_id: 'cord-local',
      response_type: 'code',
      scope: 'identify',
      redirect_uri: redirectUri,
      account,
    };
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const approved = await fetch(url, { redirect: 'manual' });
    return { code: new URL(approved.headers.get('location') ?? '').searchParams.get('code') ?? '' };
  }
  const site = `${PUBLIC_ORIGIN}/api/auth/discord/callback`;

  it('returns a valid token and the user, and sets no cookie', async () => {
    const answer = await call(auth.url, authEndpoints.exchange, { body: await codeFor(site) });
    expect(answer.status).toBe(200);
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(answer.body.isNewUser).toBe(true);
    const me = await call(auth.url, authEndpoints.me, { token: answer.body.token });
    expect(me.body.user.id).toBe(answer.body.user.id);
  });

  it('stores no response under an Idempotency-Key, because it would contain the token', async () => {
    const { body } = await call(auth.url, authEndpoints.exchange, { body: await codeFor(site) });
    const again = { token: body.token, body: await codeFor(site), headers: { 'idempotency-key': 'once' } };
    expect((await call(auth.url, authEndpoints.exchange, again)).status).toBe(200);
    // The code was good for one call.
    expect((await call(auth.url, authEndpoints.exchange, again)).status).toBe(400);
    expect(
      await IDEMPOTENCY_KEYS.in(await auth.backend.storeOf('auth'))
        .find()
        .toArray(),
    ).toEqual([]);
  });

  it('rejects a wrong or used code with 400 and its error text', async () => {
    const body = await codeFor(site);
    await call(auth.url, authEndpoints.exchange, { body });
    for (const code of [body.code, 'made up']) {
      const { status, problem } = await call(auth.url, authEndpoints.exchange, { body: { code } });
      expect(status).toBe(400);
      expect(problem).toMatchObject({ error: AUTH_ERROR_TEXTS.code_expired, success: false });
    }
  });

  it('rejects another redirectUri with 400 before Discord is called', async () => {
    const calls = auth.discord.calls.length;
    const body = { code: 'any', redirectUri: 'https://evil.example/callback' };
    const { status, problem } = await call(auth.url, authEndpoints.exchange, { body });
    expect(status).toBe(400);
    expect(problem.errors?.[0]?.path).toBe('redirectUri');
    expect(auth.discord.calls).toHaveLength(calls);
  });

  it.each([
    [401, 'unauthorized'],
    [403, 'forbidden'],
  ] as const)('maps a bare %s from Discord to its own status and error text', async (status, key) => {
    auth.discord.faults.push({ path: TOKEN, status, body: '', type: 'text/html' });
    const answer = await call(auth.url, authEndpoints.exchange, { body: { code: 'x' } });
    expect([answer.status, answer.problem.error]).toEqual([status, AUTH_ERROR_TEXTS[key]]);
  });

  it('responds 503 with the network error text while Discord responds 503', async () => {
    auth.discord.faults.push({ path: TOKEN, status: 503 });
    const { status, problem, headers } = await call(auth.url, authEndpoints.exchange, { body: { code: 'x' } });
    expect(status).toBe(503);
    expect(problem.error).toBe(AUTH_ERROR_TEXTS.network);
    expect(headers.get('retry-after')).toBeTruthy();
  });
});
