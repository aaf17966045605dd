import { describe, expect, it, vi } from 'vitest';
import { opsUrlOf } from '../ops-port.js';
import { startHttpFixture } from '../test/http-fixture.js';
import { hostileTargets, requestRaw } from '../testing/hostile-targets.js';
import { serveHttp } from '../testing/http-server.js';
import { forAllTests } from '../testing/lifetimes.js';
import { DECODINGS_MAX, isPlainTarget } from './request-target.js';

const TARGETS = hostileTargets('/metrics', '127.0.0.1:1');

describe('a request target', () => {
  it.each(TARGETS)('%s is refused', (target) => {
    expect(isPlainTarget(target)).toBe(false);
  });

  it('may be any plain path, whatever its query', () => {
    expect(TARGETS.length).toBeGreaterThanOrEqual(40);
    for (const target of [
      '/',
      '/api/stats',
      '/api/users/x/settings?a=..%2f..&b=\\&c=http://h/',
      '/assets/main.1.js',
      '/.well-known/x',
      '/a..b/...',
      '/100%25/a%2fb/%C3%A9',
      '/a//b',
      "/~!$&'()*+,;=:@-_",
    ])
      expect([target, isPlainTarget(target)]).toEqual([target, true]);
  });
});

describe('a path that is encoded repeatedly', () => {
  const nest = (layers: number) => `/x%${'25'.repeat(layers - 1)}41`;

  it('is decoded up to a bound, and refused beyond it', () => {
    expect(isPlainTarget(nest(DECODINGS_MAX))).toBe(true);
    expect(isPlainTarget(nest(DECODINGS_MAX + 1))).toBe(false);
  });

  it('costs a bounded number of rounds, however large it is', () => {
    const replace = vi.spyOn(String.prototype, 'replace');
    const target = `/x${'/'.repeat(6_000)}${nest(3_000)}`;
    const isPlain = isPlainTarget(target);
    const rounds = replace.mock.calls.length;
    replace.mockRestore();
    expect([isPlain, rounds]).toEqual([false, DECODINGS_MAX + 1]);
    expect(Buffer.byteLength(target)).toBeGreaterThan(12_000);
  });
});

describe('a service', () => {
  const fixture = forAllTests(() => startHttpFixture({ scale: 0 }));
  let reached = 0;
  const elsewhere = forAllTests(() =>
    serveHttp((_, response) => {
      reached += 1;
      response.end('INSIDE');
    }),
  );

  it('responds 400 to every hostile target on both of its ports, and keeps running', async () => {
    for (const url of [fixture.direct, opsUrlOf(fixture.direct)])
      for (const target of hostileTargets('/metrics', `127.0.0.1:${elsewhere.port}`))
        for (const method of ['GET', 'POST'])
          expect([url, target, (await requestRaw(url, target, { method, body: '{}' })).status]).toEqual([
            url,
            target,
            400,
          ]);
    expect(reached).toBe(0);
    expect((await fetch(`${opsUrlOf(fixture.direct)}/livez`)).status).toBe(200);
  });

  it('names the reason in problem details', async () => {
    const { text } = await requestRaw(fixture.direct, 'http://127.0.0.1:1/api/list');
    expect(text).toContain('application/problem+json');
    expect(text).toContain('"type":"bad-target"');
  });

  it('serves operations only on the operations port, and calls only on the other', async () => {
    for (const path of ['/metrics', '/routes', '/livez', '/readyz', '/healthz'])
      expect([path, (await fetch(fixture.direct + path)).status]).toEqual([path, 404]);
    for (const path of ['/metrics', '/routes', '/livez', '/readyz', '/healthz'])
      expect([path, (await fetch(opsUrlOf(fixture.direct) + path)).status]).toEqual([path, 200]);
    expect((await fetch(`${opsUrlOf(fixture.direct)}/api/list`)).status).toBe(404);
  });
});
