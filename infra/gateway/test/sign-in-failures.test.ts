import { describe, expect, test } from 'vitest';
import { origin, upstream } from './origin.js';

/** Headers of a browser that opens an address, and of a program. */
const BROWSER = { headers: { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' } };
const PROGRAM = { headers: { accept: 'application/json' } };

async function siteWith(answer?: Parameters<typeof upstream>[0]) {
  const auth = await upstream(answer);
  return await origin({ upstreams: { auth: [auth.url] } });
}

async function siteWithout() {
  const gone = await upstream();
  await gone.close();
  return await origin({ upstreams: { auth: [gone.url] } });
}

describe('a browser in a sign-in with Discord', () => {
  test('is redirected to the app with an error key while the sign-in service is away', async () => {
    const site = await siteWithout();
    const start = await site.call('/api/auth/discord?ref=K7M2QX9D', BROWSER);
    expect(start.status).toBe(302);
    expect(start.headers.location).toBe('/?auth_error=start_failed');
    expect(start.headers['cache-control']).toBe('no-store');
    expect(start.headers['retry-after']).toBeUndefined();
    expect(start.text).toBe('');
    const back = await site.call('/api/auth/discord/callback?code=c&state=s', BROWSER);
    expect(back.headers.location).toBe('/?auth_error=database');
  });

  test.each([
    [500, 'database'],
    [503, 'database'],
    [429, 'database'],
    [400, 'code_expired'],
  ])('is redirected after a response with status %i with the error key %s', async (status, key) => {
    const site = await siteWith((_request, response) => {
      response.writeHead(status, { 'content-type': 'application/problem+json' });
      response.write('{"error":');
      response.end('"raw"}');
    });
    const answer = await site.call('/api/auth/discord/callback?code=c&state=s', BROWSER);
    expect(answer).toMatchObject({ status: 302, text: '' });
    expect(answer.headers.location).toBe(`/?auth_error=${key}`);
    expect(answer.headers['content-type']).toBeUndefined();
  });

  test('gets a successful response unchanged', async () => {
    const site = await siteWith((_request, response) => {
      response.writeHead(302, { location: '/?welcome=new', 'set-cookie': ['cord=a', 'cord_oauth=; Max-Age=0'] });
      response.end();
    });
    const answer = await site.call('/api/auth/discord/callback?code=c&state=s', BROWSER);
    expect(answer.status).toBe(302);
    expect(answer.headers.location).toBe('/?welcome=new');
    expect(answer.headers['set-cookie']).toHaveLength(2);
  });

  test('is treated unlike programs and other calls, which keep their problem details', async () => {
    const site = await siteWithout();
    expect((await site.call('/api/auth/discord', PROGRAM)).status).toBe(503);
    expect((await site.call('/api/auth/me', BROWSER)).json()).toMatchObject({ type: 'unavailable' });
    const post = await site.call('/api/auth/discord/callback', { ...BROWSER, method: 'POST', body: '{}' });
    expect(post.status).toBe(503);
  });
});
