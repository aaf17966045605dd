import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { overrideRegistry } from './registry-override.ts';

const MINING = { version: '1.0.0-a', entry: '/modules/mfe_mining/1.0.0-a/mf-manifest.json', sdk: '^2.0.0' };
const TASKS = { ...MINING, entry: '/modules/mfe_tasks/1.0.0-a/mf-manifest.json' };
const SERVED = { version: 'dev', entry: '/modules/mfe_tasks/dev/mf-manifest.json', sdk: '^2.0.0', parts: [] };
const registry = { version: 'r', shell: '1.0.0-s', modules: { mfe_mining: MINING, mfe_tasks: TASKS } };
const overridden = { ...registry, modules: { ...registry.modules, mfe_tasks: SERVED } };
const POLICY = "default-src 'none'; script-src 'self' 'nonce-N'; connect-src 'self'; object-src 'none'";
const page = `<html><head><script type="application/json" id="cord-registry" nonce="N">${JSON.stringify(registry)}</script></head></html>`;

const servers: Server[] = [];
const seen: { url: string; headers: IncomingMessage['headers'] }[] = [];
let shell: URL;
let front: URL;

async function serve(server: Server): Promise<URL> {
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return new URL(`http://localhost:${(server.address() as AddressInfo).port}`);
}

/** Serves the proxy behind `rspack serve`. */
const overriding = (shell: URL) => serve(createServer(overrideRegistry({ shell, name: 'mfe_tasks', entry: SERVED })));

beforeAll(async () => {
  shell = await serve(
    createServer((request, response) => {
      seen.push({ url: request.url ?? '', headers: request.headers });
      if (request.url === '/remotes.json') return response.end(JSON.stringify(registry));
      if (request.url === '/api/auth/discord') {
        response.writeHead(302, { location: `${shell.origin}/dev/discord/oauth2/authorize` });
        return response.end();
      }
      response.setHeader('content-security-policy', POLICY);
      response.end(request.url?.startsWith('/?') ? page : 'from the shell');
    }),
  );
  front = await overriding(shell);
});
afterAll(() => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
});

const get = (path: string, init?: RequestInit) => fetch(new URL(path, front), { redirect: 'manual', ...init });

test('one entry of the registry is overridden, in /remotes.json and in the page', async () => {
  expect(await (await get('/remotes.json')).json()).toEqual(overridden);
  const html = await (await get('/?tab=tasks')).text();
  const data = /id="cord-registry" nonce="N">(.*?)<\/script>/.exec(html)?.[1] ?? '';
  expect(JSON.parse(data)).toEqual(overridden);
});

test('everything else comes from the shell, with the session cookie', async () => {
  const answer = await get('/modules/mfe_mining/1.0.0-a/page.js', { headers: { cookie: 'session=1' } });
  expect(await answer.text()).toBe('from the shell');
  await get('/?tab=tasks', { headers: { cookie: 'session=1' } });
  expect(seen.slice(-2).map(({ headers }) => headers.cookie)).toEqual(['session=1', 'session=1']);
});

test('the content security policy additionally allows only the socket of the dev server', async () => {
  const { headers } = await get('/?tab=tasks');
  const socket = front.origin.replace('http', 'ws');
  expect(headers.get('content-security-policy')).toBe(
    POLICY.replace("connect-src 'self'", `connect-src 'self' ${socket}`),
  );
});

test('only its own writes get the origin of the shell, and sign-in returns to this address', async () => {
  const write = { method: 'POST', body: '{}' };
  await get('/api/tasks', { ...write, headers: { origin: front.origin } });
  expect(seen.at(-1)?.headers).toMatchObject({ host: shell.host, origin: shell.origin });
  await get('/api/tasks', { ...write, headers: { origin: 'http://evil.example' } });
  expect(seen.at(-1)?.headers).toMatchObject({ host: shell.host, origin: 'http://evil.example' });
  const signIn = await get('/api/auth/discord');
  expect(signIn.headers.get('location')).toBe(`${front.origin}/dev/discord/oauth2/authorize`);
});

test('an unreachable shell gives 502', async () => {
  const away = await overriding(new URL('http://localhost:1'));
  for (const path of ['/api/x', '/remotes.json']) {
    const answer = await fetch(new URL(path, away));
    expect(answer.status).toBe(502);
    expect(await answer.text()).toContain('http://localhost:1 does not respond');
  }
});
