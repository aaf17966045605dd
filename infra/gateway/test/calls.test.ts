import type { RequestListener } from 'node:http';
import { trustedProxies } from '@cord/kit/http/client-address';
import { describe, expect, test } from 'vitest';
import { BARE_POLICY } from '../headers.js';
import { type Call, origin, upstream } from './origin.js';

/** Response headers that would affect the whole origin in a browser, or a proxy's own files. */
const ORDERS = {
  'clear-site-data': '"cookies", "storage"',
  'report-to': '{"group":"all","max_age":31536000,"endpoints":[{"url":"https://elsewhere.example"}]}',
  nel: '{"report_to":"all","max_age":31536000,"success_fraction":1}',
  'access-control-allow-origin': '*',
  'service-worker-allowed': '/',
  'x-accel-redirect': '/internal/',
};
const USER = 'a'.repeat(32);
const post = (body: string, headers: Record<string, string> = {}): Call => ({
  method: 'POST',
  body,
  headers: { 'content-type': 'application/json', ...headers },
});

describe('a call under /api', () => {
  test('reaches the owner of its path with method, query and body', async () => {
    const [mining, auth] = [await upstream(), await upstream()];
    const site = await origin({ upstreams: { mining: [mining.url], auth: [auth.url] } });
    const answer = await site.call(`/api/users/${USER}/mining/start?x=1`, post('{"a":1}'));
    expect(answer.status).toBe(200);
    expect(mining.seen).toMatchObject([
      { method: 'POST', url: `/api/users/${USER}/mining/start?x=1`, body: '{"a":1}' },
    ]);
    await site.call(`/api/users/${USER}`);
    expect(auth.seen).toHaveLength(1);
    expect(mining.seen).toHaveLength(1);
  });

  test('for the card of a shared link goes to notices, and other sites may embed the card', async () => {
    const notices = await upstream();
    const site = await origin({ upstreams: { notices: [notices.url] } });
    const { status, headers } = await site.call('/share/rank/x.png?period=weekly');
    expect(notices.seen.map(({ url }) => url)).toEqual(['/api/share/rank/x.png?period=weekly']);
    expect([status, headers['cross-origin-resource-policy']]).toEqual([200, 'cross-origin']);
    expect((await site.call('/share/a/b/c.png')).status).toBe(404);
  });

  test('for the verifier of proofs goes to mining', async () => {
    const mining = await upstream();
    const site = await origin({ upstreams: { mining: [mining.url] } });
    expect((await site.call('/verify.mjs')).status).toBe(200);
    expect(mining.seen.map(({ url }) => url)).toEqual(['/api/verify.mjs']);
  });

  test('carries the caller’s trace, or a new one that begins at the gateway', async () => {
    const mining = await upstream();
    const site = await origin({ upstreams: { mining: [mining.url] } });
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await site.call(`/api/users/${USER}/mining/start`, post('{}', { traceparent }));
    await site.call(`/api/users/${USER}/mining/start`, post('{}', { traceparent: 'none' }));
    expect(mining.seen.map(({ headers }) => headers.traceparent)).toEqual([
      traceparent,
      expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/),
    ]);
  });

  test('causes no warning of a listener leak', async () => {
    const auth = await upstream();
    const site = await origin({ upstreams: { auth: [auth.url] } });
    const warnings: Error[] = [];
    const note = (warning: Error) => warnings.push(warning);
    process.on('warning', note);
    expect((await site.call('/api/client-errors', post('{"errors":[]}'))).status).toBe(200);
    // A warning is emitted in a later turn of the event loop.
    await new Promise(setImmediate);
    process.off('warning', note);
    expect(warnings).toEqual([]);
  });

  test('gets 404 as problem details if no service owns its path', async () => {
    const site = await origin();
    const answer = await site.call('/api/no/such/call');
    expect(answer.status).toBe(404);
    expect(answer.headers['content-type']).toContain('application/problem+json');
    expect(answer.json()).toMatchObject({ type: 'not-found', status: 404, success: false });
    expect(answer.json().requestId).toBe(answer.headers['x-request-id']);
  });

  test('gets 503 with Retry-After if its service is away', async () => {
    const gone = await upstream();
    await gone.close();
    const site = await origin({ upstreams: { tasks: [gone.url] } });
    const answer = await site.call('/api/tasks', post('{}'));
    expect(answer.status).toBe(503);
    expect(answer.headers['retry-after']).toBe('1');
    expect(answer.json()).toMatchObject({ type: 'unavailable', success: false });
  });

  test('with a body over 64 KiB, declared or chunked, gets 413 and is not forwarded', async () => {
    const tasks = await upstream();
    const site = await origin({ upstreams: { tasks: [tasks.url] } });
    const long = 'x'.repeat(64 * 1024 + 1);
    const declared = await site.call('/api/tasks', post(long, { 'content-length': String(long.length) }));
    const chunked = await site.call('/api/tasks', post(long, { 'transfer-encoding': 'chunked' }));
    expect([declared.status, chunked.status]).toEqual([413, 413]);
    expect(tasks.seen).toHaveLength(0);
    const exact = await site.call('/api/tasks', post('x'.repeat(64 * 1024)));
    expect(exact.status).toBe(200);
  });

  test('keeps the service’s own status, headers and cookies', async () => {
    const auth = await upstream((_incoming, response) => {
      response.writeHead(302, { location: '/?welcome=new', 'set-cookie': ['a=1', 'b=2'], 'cache-control': 'no-store' });
      response.end();
    });
    const site = await origin({ upstreams: { auth: [auth.url] } });
    const answer = await site.call('/api/auth/discord/callback?code=x');
    expect(answer.status).toBe(302);
    expect(answer.headers).toMatchObject({ location: '/?welcome=new', 'set-cookie': ['a=1', 'b=2'] });
  });

  test('gets 502 if the service responds with an invalid status, and the gateway stays up', async () => {
    const odd: RequestListener = (_incoming, response) =>
      void response.socket?.end('HTTP/1.1 099 None\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok');
    const [tasks, notices] = [await upstream(odd), await upstream(odd)];
    const site = await origin({ upstreams: { tasks: [tasks.url], notices: [notices.url] } });
    expect((await site.call('/api/tasks')).status).toBe(502);
    expect((await site.call('/api/events')).status).toBe(502);
  });

  test('to a compromised service runs no script in our pages, sets no cookie and passes on no harmful header', async () => {
    const taken: RequestListener = (_incoming, response) => {
      response.writeHead(200, {
        'content-type': 'text/html',
        'content-security-policy': "script-src 'self' 'unsafe-inline'",
        'x-frame-options': 'ALLOWALL',
        'set-cookie': 'cord=planted; Path=/',
        ...ORDERS,
      });
      response.end('<script>steal()</script>');
    };
    const [tasks, notices] = [await upstream(taken), await upstream(taken)];
    const site = await origin({ upstreams: { tasks: [tasks.url], notices: [notices.url] } });
    for (const path of ['/api/tasks', '/api/events', '/share/rank/x.png']) {
      const { headers, text } = await site.call(path);
      expect([path, text]).toEqual([path, '<script>steal()</script>']);
      expect(headers).toMatchObject({ 'content-security-policy': BARE_POLICY, 'x-frame-options': 'DENY' });
      for (const name of ['set-cookie', ...Object.keys(ORDERS)]) expect(headers).not.toHaveProperty(name);
    }
  });
});

describe('the caller’s address', () => {
  const forwardedFor = async (trusted: readonly string[], sent: string | undefined) => {
    const tasks = await upstream();
    const site = await origin({ upstreams: { tasks: [tasks.url] }, trustedProxies: trustedProxies(trusted) });
    await site.call('/api/tasks', { headers: sent ? { 'x-forwarded-for': sent, 'x-real-ip': '9.9.9.9' } : {} });
    return tasks.seen[0]?.headers;
  };

  test('is that of the peer, whatever it claims, unless the peer is a trusted proxy', async () => {
    const headers = await forwardedFor([], '8.8.8.8');
    expect(headers?.['x-forwarded-for']).toBe('127.0.0.1');
    expect(headers?.['x-real-ip']).toBeUndefined();
  });

  test('is the nearest address that is no trusted proxy', async () => {
    const trusted = ['127.0.0.0/8', '10.0.0.0/8'];
    expect((await forwardedFor(trusted, '6.6.6.6, 203.0.113.7, 10.0.0.2'))?.['x-forwarded-for']).toBe('203.0.113.7');
    expect((await forwardedFor(trusted, 'nonsense'))?.['x-forwarded-for']).toBe('127.0.0.1');
    expect((await forwardedFor(trusted, undefined))?.['x-forwarded-for']).toBe('127.0.0.1');
  });
});

describe('the host name', () => {
  test('of another machine gets 421 in local mode, whatever it resolves to', async () => {
    const auth = await upstream();
    const site = await origin({ local: true, upstreams: { auth: [auth.url], dev: [auth.url] } });
    for (const path of ['/', '/api/auth/me', '/dev/discord/accounts', '/assets/main.1.js']) {
      const answer = await site.call(path, { headers: { host: `evil.example:${site.port}` } });
      expect(answer.status, path).toBe(421);
      expect(answer.json()).toMatchObject({ type: 'wrong-host', success: false });
    }
    expect(auth.seen).toEqual([]);
    expect((await site.call('/', { headers: { host: `127.0.0.1:${site.port}` } })).status).toBe(308);
    expect((await site.call('/healthz', { headers: { host: 'evil.example' } })).status).not.toBe(421);
    const behind = await origin({ local: true, publicOrigin: new URL('https://tunnel.example') });
    expect((await behind.call('/assets/main.1.js')).status).toBe(200);
  });

  test.each(['127.0.0.1', '[::1]', 'cord.localhost'])('%s is redirected to the public origin', async (name) => {
    const site = await origin();
    const answer = await site.call('/?tab=tasks', { headers: { host: `${name}:${site.port}` } });
    expect(answer.status).toBe(308);
    expect(answer.headers.location).toBe(`${site.publicOrigin}/?tab=tasks`);
  });

  test('of another machine is accepted outside local mode', async () => {
    const site = await origin();
    expect((await site.call('/', { headers: { host: 'cord.internal' } })).status).toBe(200);
  });
});

describe('/healthz', () => {
  const names = ['auth', 'mining', 'tasks', 'referrals', 'rewards', 'leaderboard', 'notices'] as const;

  test('responds 200 when every service is ready', async () => {
    const one = await upstream();
    const site = await origin({ upstreams: Object.fromEntries(names.map((name) => [name, [one.url]])) });
    const answer = await site.call('/healthz');
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual({ status: 'ok', services: Object.fromEntries(names.map((name) => [name, 'ok'])) });
  });

  test('responds 503 and names a service that is down', async () => {
    const one = await upstream();
    const gone = await upstream();
    await gone.close();
    const upstreams = Object.fromEntries(names.map((name) => [name, [name === 'mining' ? gone.url : one.url]]));
    const site = await origin({ upstreams });
    const answer = await site.call('/healthz');
    expect(answer.status).toBe(503);
    expect(answer.json().services).toMatchObject({ mining: 'down', auth: 'ok' });
  });
});
