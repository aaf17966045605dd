import type { RequestListener } from 'node:http';
import { serveHttp } from '@cord/kit/testing/http-server';
import { stopAfterTest } from '@cord/kit/testing/lifetimes';
import { describe, expect, it } from 'vitest';
import { accessTokenOf, createDiscordClient } from './discord-client.js';

const clientAt = (apiUrl: string, timeoutMs = 1_000) =>
  createDiscordClient({ apiUrl, clientId: 'id', clientSecret: 'secret' }, timeoutMs);
const clientOf = async (listener: RequestListener, timeoutMs?: number) =>
  clientAt(stopAfterTest(await serveHttp(listener)).url, timeoutMs);

describe('a call to Discord', () => {
  it('fails as unreachable when there is no server', async () => {
    const { url, stop } = await serveHttp();
    await stop();
    const client = clientAt(url);
    await expect(client.me('token')).rejects.toMatchObject({ key: 'unreachable' });
  });

  it('fails as unreachable on timeout', async () => {
    const client = await clientOf(() => undefined, 50);
    await expect(client.me('token')).rejects.toMatchObject({ key: 'unreachable' });
  });

  it('cuts off an endless response', async () => {
    const client = await clientOf((_req, res) => {
      const more = () => res.write('x'.repeat(64 * 1024), more);
      res.on('close', () => res.destroy());
      more();
    });
    await expect(client.me('token')).rejects.toMatchObject({ key: 'network' });
  });

  it('does not follow a redirect with the token', async () => {
    const client = await clientOf((_req, res) => res.writeHead(302, { location: 'http://127.0.0.1:1/' }).end());
    await expect(client.me('token')).rejects.toMatchObject({ key: expect.stringMatching(/network|unreachable/) });
  });

  it.each([
    ['within the bound: once more', '0.05', 2],
    ['later than the bound: no more', '2.1', 1],
    ['without a time: no more', '', 1],
    ['at a time that is none: no more', 'soon', 1],
  ])('handles a rate limit (Retry-After %s)', async (_what, retryAfter, calls) => {
    let called = 0;
    const client = await clientOf((req, res) => {
      called += 1;
      req.resume();
      const body = JSON.stringify({ message: 'You are being rate limited.', retry_after: 0.05 });
      if (called === 1) res.writeHead(429, { 'retry-after': retryAfter }).end(body);
      else res.end('{"access_token":"t"}');
    });
    const exchange = client.exchange({ code: 'c', redirectUri: 'http://localhost/cb', codeVerifier: null });
    if (calls === 2) expect(await exchange).toBe('t');
    else await expect(exchange).rejects.toMatchObject({ key: 'network' });
    expect(called).toBe(calls);
  });

  it('sends the code form-encoded with client id, secret and verifier', async () => {
    let sent = '';
    const client = await clientOf((req, res) => {
      req.on('data', (chunk) => {
        sent += chunk;
      });
      req.on('end', () => res.end('{"access_token":"t"}'));
    });
    const grant = { code: 'c d', redirectUri: 'http://localhost/cb', codeVerifier: 'v' };
    expect(await client.exchange(grant)).toBe('t');
    expect(Object.fromEntries(new URLSearchParams(sent))).toEqual({
      client_id: 'id',
      client_secret: 'secret',
      grant_type: 'authorization_code',
      code: 'c d',
      redirect_uri: 'http://localhost/cb',
      code_verifier: 'v',
    });
  });

  it('rejects a token response without an access token', () => {
    for (const answer of [{}, { access_token: '' }, { access_token: 5 }, null, 'token']) {
      expect(() => accessTokenOf(answer)).toThrow();
    }
    expect(accessTokenOf({ access_token: 'token' })).toBe('token');
  });
});
