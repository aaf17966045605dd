import { isPlainTarget } from '@cord/kit/http/request-target';
import { hostileTargets, requestRaw } from '@cord/kit/testing/hostile-targets';
import { serveHttp } from '@cord/kit/testing/http-server';
import { stopAfterTest } from '@cord/kit/testing/lifetimes';
import { afterEach, describe, expect, test } from 'vitest';
import { hasNginx, ingress } from './ingress.js';
import { origin, upstream } from './origin.js';

let reached = 0;
afterEach(() => {
  reached = 0;
});

/** Starts another server, which nothing may reach. */
const elsewhere = async () =>
  stopAfterTest(
    await serveHttp((_, response) => {
      reached += 1;
      response.end('INSIDE');
    }),
  );

/** Starts another server, and a gateway over one service whose operations port responds with `figures`. */
async function site() {
  const { port } = await elsewhere();
  const service = await upstream((_, response) => response.end('figures'));
  const upstreams = { leaderboard: [service.url], notices: [service.url] };
  return {
    service,
    gateway: await origin({ upstreams }),
    targets: hostileTargets('/metrics', `127.0.0.1:${port}`),
  };
}

test('the gateway responds 400 to every hostile target, calls no other host, and stays up', async () => {
  const { gateway, targets } = await site();
  const { host } = new URL(gateway.publicOrigin);
  for (const target of targets)
    for (const method of ['GET', 'POST', 'HEAD']) {
      const { status, text } = await requestRaw(`http://127.0.0.1:${gateway.port}`, target, { host, method, body: '' });
      expect([method, target, status]).toEqual([method, target, 400]);
      expect(text).not.toMatch(/INSIDE|figures/);
    }
  expect(reached).toBe(0);
  expect((await gateway.call('/api/leaderboard')).text).toBe('figures');
});

test('a call is forwarded with its exact path and query', async () => {
  const service = await upstream();
  const gateway = await origin({ upstreams: { leaderboard: [service.url] } });
  const path = '/api/leaderboard?x=http://h/&y=%2e%2e&z=a//b';
  expect((await gateway.call(path)).status).toBe(200);
  expect(service.seen.map(({ url }) => url)).toEqual([path]);
});

describe.skipIf(!hasNginx)('the gateway behind nginx as an ingress with TLS', () => {
  const ABSOLUTE = /^https?:/i;

  test('gets a hostile target as a plain path or responds 400, and no other host is called', async () => {
    const { port } = await elsewhere();
    const service = await upstream();
    const upstreams = { leaderboard: [service.url], notices: [service.url] };
    const gateway = await origin({ upstreams });
    const { urls, close } = await ingress(gateway.port);
    const refused: number[] = [];
    for (const url of urls) {
      expect((await requestRaw(url, '/api/leaderboard')).status).toBe(200);
      const statuses = await Promise.all(
        hostileTargets('/metrics', `127.0.0.1:${port}`).map(async (target) => {
          const { status, text } = await requestRaw(url, target);
          expect([target, text.includes('INSIDE')]).toEqual([target, false]);
          // The gateway must refuse what nginx passes on unchanged; of an absolute address nginx takes the path.
          if (url === urls[0]) expect([target, status === 400 || ABSOLUTE.test(target)]).toEqual([target, true]);
          return status;
        }),
      );
      refused.push(statuses.filter((status) => status === 400).length);
    }
    expect(Math.min(...refused)).toBeGreaterThan(20);
    expect(reached).toBe(0);
    for (const { url } of service.seen)
      expect([url, isPlainTarget(url) && url.startsWith('/api/')]).toEqual([url, true]);
    await close();
  });
});
