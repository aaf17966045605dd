import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFront, OVERRIDE_HEADER } from '../beside/front.mjs';

const MINING = { version: '1.0.0-a', entry: '/modules/mfe_mining/1.0.0-a/mf-manifest.json', sdk: '^2.0.0' };
const TASKS = { ...MINING, entry: '/modules/mfe_tasks/1.0.0-a/mf-manifest.json' };
const registry = { version: 'r', shell: '1.0.0-s', modules: { mfe_mining: MINING, mfe_tasks: TASKS } };
const PREFIX = '/modules/mfe_tasks/dev/';
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
      response.setHeader('strict-transport-security', 'max-age=1');
      response.end(request.url?.startsWith('/?') ? page : 'from the shell');
    }),
  );
  const module = await serve(createServer((request, response) => response.end(`module ${request.url}`)));
  const remote = { name: 'mfe_tasks', url: module.origin, prefix: PREFIX, entry: `${PREFIX}mf-manifest.json` };
  front = await serve(createFront({ shell, remote: { ...remote, sdk: '^2.0.0' }, token: 'a-session' }));
});
afterAll(() => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
});

/** Of one request with this very target and these headers, which fetch would not send. */
const statusOf = (path: string, headers: Record<string, string>) =>
  new Promise<number>((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: front.port, path, headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.once('error', reject).end();
  });

const ask = (path: string, init?: RequestInit) => fetch(new URL(path, front), { redirect: 'manual', ...init });

describe('a module of this machine in a shell elsewhere', () => {
  const overridden = {
    ...registry.modules,
    mfe_tasks: { version: 'dev', entry: `${PREFIX}mf-manifest.json`, sdk: '^2.0.0' },
  };

  test('is the one entry of the registry that differs, where it is asked for and where it stands in the page', async () => {
    expect(await (await ask('/remotes.json')).json()).toEqual({ ...registry, modules: overridden });
    const html = await (await ask('/?tab=tasks')).text();
    const data = /id="cord-registry" nonce="N">(.*?)<\/script>/.exec(html)?.[1] ?? '';
    expect(JSON.parse(data).modules).toEqual(overridden);
  });

  test('is told of in a bar, whose code the shell does not have', async () => {
    const html = await (await ask('/?tab=tasks')).text();
    expect(html).toContain('<script type="module" src="/beside/bar.mjs" data-module="mfe_tasks"');
    expect(await (await ask('/beside/bar.mjs')).text()).toContain('override-bar');
    expect(seen.map(({ url }) => url)).not.toContain('/beside/bar.mjs');
  });

  test('has its files from its own server, and all else from the shell', async () => {
    expect(await (await ask(`${PREFIX}page.js`)).text()).toBe(`module ${PREFIX}page.js`);
    expect(await (await ask('/modules/mfe_mining/1.0.0-a/page.js')).text()).toBe('from the shell');
  });

  test('opens no more of the policy than the socket that tells of its changes', async () => {
    const { headers } = await ask('/?tab=tasks');
    const socket = front.origin.replace('http', 'ws');
    expect(headers.get('content-security-policy')).toBe(
      POLICY.replace("connect-src 'self'", `connect-src 'self' ${socket}`),
    );
    expect(headers.get('strict-transport-security')).toBeNull();
  });

  test('calls as a page of the shell, says that it overrides, and signs in by this address', async () => {
    await ask('/api/tasks', { method: 'POST', headers: { origin: front.origin }, body: '{}' });
    const { headers } = seen.find(({ url }) => url === '/api/tasks') ?? { headers: {} };
    expect(headers).toMatchObject({
      host: shell.host,
      origin: shell.origin,
      authorization: 'Bearer a-session',
      [OVERRIDE_HEADER]: 'mfe_tasks',
    });
    const signIn = await ask('/api/auth/discord');
    expect(signIn.headers.get('location')).toBe(`${front.origin}/dev/discord/oauth2/authorize`);
  });

  test('is reached by its own page alone: another host, origin or site is refused, and no target names another', async () => {
    const { port } = front;
    const tried = [
      { host: `evil.example:${port}` },
      { host: front.host, origin: 'http://evil.example' },
      { host: front.host, origin: 'null' },
      { host: front.host, 'sec-fetch-site': 'cross-site' },
      { host: front.host, 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate' },
    ];
    const before = seen.length;
    const statuses = [];
    for (const headers of tried) statuses.push(await statusOf('/api/tasks', headers));
    for (const target of ['http://evil.example/api/tasks', '//evil.example/api/tasks', '/\\evil.example/api/tasks'])
      statuses.push(await statusOf(target, { host: front.host }));
    expect(statuses).toEqual([421, 403, 403, 403, 403, 400, 400, 400]);
    expect(seen.length).toBe(before);
    const visit = { host: front.host, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    expect(await statusOf('/?tab=tasks', visit)).toBe(200);
  });

  test('says so when the shell is away', async () => {
    const away = createFront({
      shell: new URL('http://localhost:1'),
      remote: { name: 'm', url: shell.origin, prefix: '/m/', entry: '', sdk: '' },
    });
    const answer = await fetch(new URL('/api/x', await serve(away)));
    expect(answer.status).toBe(502);
    expect(await answer.text()).toContain('http://localhost:1 does not answer');
  });
});
