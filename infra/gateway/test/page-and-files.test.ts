import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { sessionCookieName } from '@cord/kit/http/credentials';
import { PATIENCE_MS } from '@cord/kit/testing/patience';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { BARE_POLICY } from '../headers.js';
import { line, lineFile, origin, startOrigin } from './origin.js';

/** Longer than a file name may be. */
const LONG = 'x'.repeat(300);

let site: Awaited<ReturnType<typeof startOrigin>>;
beforeAll(async () => {
  site = await startOrigin();
});
afterAll(() => site.close());

/** Returns the number of this process's open descriptors of a file. */
function openFiles(name: string): number {
  const targets = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return '';
    }
  });
  return targets.filter((target) => target.endsWith(`/${name}`)).length;
}

describe('the page', () => {
  test('has one fresh nonce in its policy and its tags', async () => {
    const first = await site.call('/?tab=node');
    const second = await site.call('/');
    const nonceOf = (text: string) => /nonce="([^"]+)"/.exec(text)?.[1];
    expect(first.status).toBe(200);
    expect(nonceOf(first.text)).toMatch(/^[A-Za-z0-9+/]{22}==$/);
    expect(first.headers['content-security-policy']).toContain(`script-src 'self' 'nonce-${nonceOf(first.text)}'`);
    expect(first.text).not.toContain('__CSP_NONCE__');
    expect(nonceOf(second.text)).not.toBe(nonceOf(first.text));
  });

  test('allows no inline code, no eval and no unnamed Trusted Types policy', async () => {
    const policy = String((await site.call('/')).headers['content-security-policy']);
    expect(policy).not.toMatch(/unsafe-inline|unsafe-eval|\*/);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).toMatch(/trusted-types [a-z]/);
    expect(policy).toContain("frame-ancestors 'none'");
  });

  test('is revalidated each time, and has the security headers', async () => {
    const { headers } = await site.call('/');
    expect(headers).toMatchObject({
      'cache-control': 'no-cache',
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
    expect(headers['permissions-policy']).toContain('camera=()');
    expect(headers['strict-transport-security']).toBeUndefined();
    expect(headers['x-powered-by']).toBeUndefined();
  });

  test('preloads the files that this visitor needs, and no others', async () => {
    const stranger = await site.call('/');
    expect(stranger.text).toContain('href="/assets/landing.js"');
    expect(stranger.text).not.toContain('signed-in');
    const known = await site.call('/', { headers: { cookie: `${sessionCookieName(site.publicOrigin)}=a.b.c` } });
    expect(known.text).toContain('href="/assets/signed-in.js"');
    expect(known.text).not.toContain('landing');
    expect(known.text).not.toContain('<!--');
    expect(known.headers.vary).toContain('Cookie');
  });

  test('contains the registry as data for a visitor with a session cookie', async () => {
    const cookie = `${sessionCookieName(site.publicOrigin)}=a.b.c`;
    const { text } = await site.call('/', { headers: { cookie } });
    const [, nonce, data = ''] =
      /<script type="application\/json" id="cord-registry" nonce="([^"]+)">([^<]*)<\/script>/.exec(text) ?? [];
    expect(text).toContain(`<script defer nonce="${nonce}"`);
    expect(JSON.parse(data)).toEqual((await site.call('/remotes.json')).json());
    expect((await site.call('/')).text).not.toContain('cord-registry');
  });

  test('has the chosen theme before any of its code runs', async () => {
    const light = await site.call('/', { headers: { cookie: 'cord-theme=light' } });
    expect(light.text).toContain('<html data-theme="light" lang="en">');
    expect(light.text).toMatch(
      /data-scheme="dark" media="\(max-width: 0\)".*data-scheme="light" media="\(min-width: 0\)"/,
    );
    for (const cookie of ['cord-theme=neon', 'cord-theme="><script>', 'other=light']) {
      expect((await site.call('/', { headers: { cookie } })).text).toContain('<html lang="en">');
    }
  });

  test('is compressed for clients that accept it', async () => {
    const plain = await site.call('/', { headers: { 'accept-encoding': 'identity' } });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.headers.vary).toContain('Accept-Encoding');
    const answer = await fetch(`${site.publicOrigin}/`, { headers: { 'accept-encoding': 'br' } });
    expect(answer.headers.get('content-encoding')).toBe('br');
    const nonce = /[A-Za-z0-9+/]{22}==/g;
    expect((await answer.text()).replace(nonce, '')).toBe(plain.text.replace(nonce, ''));
  });

  test.each(['identity;q=0', '*;q=0', 'exi, *;q=0'])('is not compressed for Accept-Encoding %s', async (accepted) => {
    const answer = await site.call('/', { headers: { 'accept-encoding': accepted } });
    expect([answer.status, answer.headers['content-encoding']]).toEqual([200, undefined]);
  });

  test('has absolute URLs of the public origin in its preview tags', async () => {
    const { text } = await site.call('/');
    expect(text).toContain(`content="${site.publicOrigin}/share.png"`);
    expect(text).not.toContain('__PUBLIC_ORIGIN__');
  });

  test('allows a worker and a manifest of its own origin only', async () => {
    const policy = String((await site.call('/')).headers['content-security-policy']);
    expect(policy).toContain("worker-src 'self'");
    expect(policy).toContain("manifest-src 'self'");
    expect(policy).toMatch(/trusted-types .*cord-worker/);
  });

  const ANDROID = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36';
  const connectOf = (headers: Record<string, unknown>) =>
    /connect-src ([^;]*)/.exec(String(headers['content-security-policy']))?.[1];

  test('allows no WebSocket, except to the wallet app of the same phone', async () => {
    expect(connectOf((await site.call('/')).headers)).toBe("'self'");
    const phone = await site.call('/', { headers: { 'user-agent': ANDROID } });
    expect(connectOf(phone.headers)).toBe("'self' ws://localhost:*");
  });

  test('may connect to the reflector that its operator configured', async () => {
    const reflected = await origin({ walletReflector: 'reflect.example:8443' });
    expect(connectOf((await reflected.call('/')).headers)).toBe("'self' wss://reflect.example:8443");
  });

  test('has HSTS if the origin is https', async () => {
    const secure = await origin({ publicOrigin: new URL('https://cord.example') });
    const { headers } = await secure.call('/');
    expect(headers['strict-transport-security']).toContain('max-age=31536000');
  });

  test('is also served as index.html', async () => {
    expect((await site.call('/index.html')).text).not.toContain('__CSP_NONCE__');
  });
});

describe('the offline page', () => {
  const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

  test('may use only its own style and script', async () => {
    const { headers, status } = await site.call('/offline.html');
    const policy = String(headers['content-security-policy']);
    expect(status).toBe(200);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`style-src ${sha256('p{color:red}')}`);
    expect(policy).toContain(`script-src ${sha256('wait()')}`);
    expect(policy).not.toContain('unsafe');
  });

  test('has a worker that is revalidated each time and may connect to this origin only', async () => {
    const { headers } = await site.call('/sw.js');
    expect(headers['cache-control']).toBe('no-cache');
    expect(headers['content-type']).toContain('javascript');
    expect(headers['content-security-policy']).toContain("default-src 'none'; connect-src 'self'");
  });

  test('has a web app manifest with the right media type', async () => {
    const { headers } = await site.call('/manifest.webmanifest');
    expect(headers['content-type']).toContain('application/manifest+json');
  });
});

describe('a file', () => {
  test.each([
    ['/assets/main.1.js', 'public, max-age=31536000, immutable'],
    ['/modules/mfe_tasks/1.0.0-a/page.2.js', 'public, max-age=31536000, immutable'],
    ['/modules/mfe_tasks/1.0.0-a/mf-manifest.json', 'no-cache'],
    ['/favicon.svg', 'no-cache'],
    ['/remotes.json', 'no-store'],
  ])('%s has Cache-Control %s', async (path, cacheControl) => {
    const answer = await site.call(path);
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe(cacheControl);
  });

  test.each(['/assets/main.1.js', '/modules/mfe_tasks/1.0.0-a/page.2.js', '/favicon.svg'])(
    '%s may connect to this origin only, as a worker, and run nothing as a page',
    async (path) => {
      const policy = String((await site.call(path)).headers['content-security-policy']);
      expect(policy).toMatch(/^default-src 'none'; connect-src 'self';/);
      expect(policy).not.toMatch(/script-src|frame-src|worker-src/);
      expect(policy).toContain("frame-ancestors 'none'");
    },
  );

  test.each(['/healthz', '/remotes.json', '/api/openapi.json', '/nowhere'])(
    '%s may run nothing and connect nowhere',
    async (path) => expect((await site.call(path)).headers['content-security-policy']).toBe(BARE_POLICY),
  );

  test('with a source map serves the map in local mode only', async () => {
    const local = await origin({ local: true });
    for (const path of ['/assets/main.1.js.map', '/modules/mfe_tasks/1.0.0-a/page.2.js.map']) {
      expect((await site.call(path)).status, path).toBe(404);
      expect((await local.call(path)).status, path).toBe(200);
      const script = path.slice(0, -'.map'.length);
      expect((await site.call(script)).headers).not.toHaveProperty('sourcemap');
      expect((await local.call(script)).headers, script).toHaveProperty('sourcemap', path);
    }
  });

  test.each([
    '/%69ndex.html',
    '/index.html/',
    '/assets/../index.html',
    '/assets//main.1.js',
    '/%6fffline.html',
    '/offline.html/',
    '/%73w.js',
    '/assets/main.1.js.map/',
    '/assets/main.1.js%2emap',
    '/assets/main.1.js/',
    '/modules/mfe_tasks/1.0.0-a/page.2.js.map/',
    '/modules/mfe_tasks/1.0.0-a/page.2.js/',
  ])('has one address, and %s is not served', async (path) => {
    const { status, text } = await site.call(path);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(text).not.toMatch(/main\.1\.js|wait\(\)|^(worker|plain|page|\{\})$/);
  });

  test.runIf(existsSync('/proc/self/fd'))(
    'is closed when its client disconnects, whatever the client was waiting for',
    async () => {
      await site.write(site.folder, { 'shell/assets/large.1.js': 'x'.repeat(8_000_000) });
      const get = `GET /assets/large.1.js HTTP/1.1\r\nHost: localhost:${site.port}\r\n\r\n`;
      for (let n = 0; n < 24; n += 1) {
        const client = connect(site.port, '127.0.0.1').on('error', () => undefined);
        // One client disconnects before its response, one during it, and one with further requests pending.
        client.write(n % 3 === 2 ? get.repeat(8) : get);
        if (n % 3 === 0) await setImmediate();
        else await once(client, 'data');
        client.destroy();
      }
      await vi.waitFor(() => expect(openFiles('large.1.js')).toBe(0), PATIENCE_MS);
      expect((await site.call('/assets/main.1.js')).status).toBe(200);
    },
  );

  test.each(['bytes=1-2', 'bytes=3-1', 'bytes=-1', 'bytes=x', 'lines=1-2'])(
    'is returned whole for the range %s',
    async (range) => {
      const { status, text } = await site.call('/assets/main.1.js', { headers: { range } });
      expect([status, text]).toEqual([200, 'plain']);
    },
  );

  test.each([
    ['br, gzip', 'as-brotli', 'br'],
    ['gzip', 'as-gzip', 'gzip'],
    ['identity', 'plain', undefined],
  ])('for a client that accepts %s is returned as %s', async (accepted, text, encoding) => {
    const answer = await site.call('/assets/main.1.js', { headers: { 'accept-encoding': accepted } });
    expect(answer.text).toBe(text);
    expect(answer.headers['content-encoding']).toBe(encoding);
    expect(answer.headers['content-type']).toContain('javascript');
    expect(answer.headers.vary).toContain('Accept-Encoding');
  });

  test('of a newly published module is in the registry at once', async () => {
    const entry = (version: string) => ({
      ...{ version, entry: `/modules/mfe_tasks/${version}/mf-manifest.json` },
      ...{ sdk: '^1.0.0', ui: '^1.0.0', parts: [], integrity },
    });
    const integrity = { 'mf-manifest.json': expect.stringMatching(/^sha256-[\w+/]{43}=$/) };
    const shown = async () => (await site.call('/remotes.json')).json();
    const here = { shell: '1.0.0-s', sdk: '1.3.0', ui: '1.0.0' };
    expect(await shown()).toEqual({ version: '1', ...here, modules: { mfe_tasks: entry('1.0.0-a') } });
    await writeFile(join(site.folder, 'store', lineFile(2)), line('2.0.0-b', { 'mf-manifest.json': '{}' }));
    expect(await shown()).toEqual({ version: '2', ...here, modules: { mfe_tasks: entry('2.0.0-b') } });
  });

  test.each([
    '/.build.json',
    '/%2ebuild.json',
    '/modules/.lines/mfe_tasks/0000000001.json',
    '/modules/%2elines/mfe_tasks/0000000001.json',
    '/assets/',
    '/nothing',
    '/index.html/more',
    '/assets/main.1.js/more',
    '/modules/mfe_tasks/1.0.0-a/page.2.js/more',
    '/modules/constructor/1.0.0-a/page.2.js',
    ...[`/${LONG}`, `/assets/${LONG}`, `/modules/mfe_tasks/1.0.0-a/${LONG}`, `/modules/mfe_tasks/${LONG}/page.2.js`],
    `/modules/${LONG}/1.0.0-a/page.2.js`,
  ])('%s gets 404', async (path) => {
    expect((await site.call(path)).status).toBe(404);
  });

  test.each([
    '/modules/../shell/.build.json',
    '/modules/mfe_tasks/1.0.0-a/..%2f..%2f.lines%2fmfe_tasks%2f0000000001.json',
    '/../store/.lines/mfe_tasks/0000000001.json',
    '/%2e%2e/store/.lines/mfe_tasks/0000000001.json',
    '/%',
  ])('%s is no plain path and gets 400', async (path) => {
    expect((await site.call(path)).status).toBe(400);
  });

  test('that does not exist is a page in their language for people, and a short text for programs', async () => {
    const page = await site.call('/minig', { headers: { accept: 'text/html' } });
    expect(page.text).toContain('<a href="/">Back to CORD</a>');
    // In the site's colours, by a style that its policy allows.
    const style = /<style>(.+)<\/style>/s.exec(page.text)?.[1] ?? '';
    expect(style).toContain('color-scheme:light dark');
    const hash = createHash('sha256').update(style).digest('base64');
    expect(page.headers['content-security-policy']).toContain(`default-src 'none'; style-src 'sha256-${hash}'`);
    const german = await site.call('/minig', { headers: { accept: 'text/html', 'accept-language': 'de-AT,en;q=0.5' } });
    expect(german.text).toContain('<html lang="de">');
    expect(german.text).toContain('Zurück zu CORD');
    expect((await site.call('/minig')).text).toBe('Not found\n');
  });
});
