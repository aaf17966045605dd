import { describe, expect, test } from 'vitest';
import { origin, upstream } from './origin.js';

async function localSite() {
  const [auth, dev] = [await upstream(), await upstream()];
  const site = await origin({ local: true, upstreams: { auth: [auth.url], dev: [dev.url] } });
  const fault = (body: object) =>
    site.call('/dev/faults', {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
  return { auth, dev, site, fault };
}

describe('/dev/faults', () => {
  test('makes the next matching calls fail as set, as often as set', async () => {
    const { site, auth, fault } = await localSite();
    await fault({ path: '/api/auth/me', method: 'get', status: 500, body: { error: 'broken' }, times: 2 });
    const answers = [];
    for (let n = 0; n < 3; n++) answers.push(await site.call('/api/auth/me'));
    expect(answers.map(({ status }) => status)).toEqual([500, 500, 200]);
    expect(answers[0]?.json()).toEqual({ error: 'broken' });
    expect(auth.seen).toHaveLength(1);
  });

  test('does not affect other methods and paths', async () => {
    const { site, fault } = await localSite();
    await fault({ path: '/api/users/:id/export', method: 'POST', status: 500, times: 5 });
    expect((await site.call(`/api/users/${'a'.repeat(32)}/export`)).status).toBe(200);
    expect((await site.call('/api/auth/me')).status).toBe(200);
  });

  test('matches :name and * in a path', async () => {
    const { site, fault } = await localSite();
    await fault({ path: '/api/users/:id/export', status: 502, times: 1 });
    await fault({ path: '/assets/*', status: 503, times: 1 });
    expect((await site.call(`/api/users/${'a'.repeat(32)}/export`)).status).toBe(502);
    expect((await site.call('/assets/main.1.js')).status).toBe(503);
  });

  test('affects the Discord mock, but no other helper', async () => {
    const { site, dev, fault } = await localSite();
    await fault({ path: '*'.padStart(2, '/'), status: 500, times: 100 });
    expect((await site.call('/dev/discord/api/users/@me')).status).toBe(500);
    expect((await site.call('/dev/clock')).status).toBe(200);
    expect(dev.seen.map(({ url }) => url)).toEqual(['/dev/clock']);
  });

  test('delays a call and lets it continue, or drops its connection', async () => {
    const { site, fault } = await localSite();
    await fault({ path: '/api/auth/me', delayMs: 120, times: 1 });
    const startedMs = performance.now();
    expect((await site.call('/api/auth/me')).status).toBe(200);
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(115);
    await fault({ path: '/api/auth/me', status: 0, times: 1 });
    await expect(site.call('/api/auth/me')).rejects.toThrow();
  });

  test('is cleared by DELETE', async () => {
    const { site, fault } = await localSite();
    await fault({ path: '/api/auth/me', status: 500, times: 9 });
    expect((await site.call('/dev/faults', { method: 'DELETE' })).status).toBe(204);
    expect((await site.call('/api/auth/me')).status).toBe(200);
  });

  test.each([
    [{}, 'path'],
    [{ path: '/x' }, 'times'],
    [{ path: '/x', times: 0 }, 'times'],
    [{ path: 'x', times: 1 }, 'path'],
    [{ path: '/x', times: 1, status: 99 }, 'status'],
    [{ path: '/x', times: 1, delayMs: -1 }, 'delayMs'],
  ])('rejects %j and names the field', async (body, field) => {
    const { fault } = await localSite();
    const answer = await fault(body);
    expect(answer.status).toBe(400);
    expect(answer.json().error).toContain(field);
  });
});

describe('a write under /dev', () => {
  test('gets 403 from a page of another site', async () => {
    const { site, dev } = await localSite();
    for (const path of ['/dev/clock', '/dev/faults', '/dev/users/x/admin', '/dev/discord/accounts']) {
      for (const from of ['http://evil.example', 'null']) {
        expect((await site.call(path, { method: 'POST', body: '{}', headers: { origin: from } })).status).toBe(403);
      }
    }
    expect(dev.seen).toHaveLength(0);
  });

  test('is accepted from our own page and from a program', async () => {
    const { site, dev } = await localSite();
    await site.call('/dev/clock', { method: 'POST', body: '{}', headers: { origin: site.publicOrigin } });
    await site.call('/dev/clock', { method: 'POST', body: '{}' });
    expect(dev.seen).toHaveLength(2);
  });
});

test('outside local mode everything under /dev gets 404, even if a console is running', async () => {
  const dev = await upstream();
  const site = await origin({ local: false, upstreams: { dev: [dev.url] } });
  for (const path of ['/dev', '/dev/', '/dev/clock', '/dev/faults', '/dev/discord/oauth2/authorize', '/dev/solana']) {
    for (const method of ['GET', 'POST', 'DELETE']) expect((await site.call(path, { method })).status).toBe(404);
  }
  expect(dev.seen).toHaveLength(0);
});

describe('the development wallet', () => {
  test('is registered by the page in local mode, under the page’s nonce', async () => {
    const { site } = await localSite();
    const { text, headers } = await site.call('/');
    const nonce = /nonce="([^"]+)" src="\/dev\/wallet\/register.js"/.exec(text)?.[1];
    expect(String(headers['content-security-policy'])).toContain(`'nonce-${nonce}'`);
  });

  test('is not in the page outside local mode', async () => {
    const site = await origin();
    expect((await site.call('/')).text).not.toContain('/dev/');
    expect((await site.call('/dev/wallet/register.js')).status).toBe(404);
  });
});
