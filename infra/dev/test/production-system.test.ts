import { readdir, readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { scratch } from './starter.js';
import { readRunFile, type Started, start } from './system.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const key = (letter: string) => letter.repeat(64);
const PRODUCTION = {
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  PUBLIC_ORIGIN: 'https://cord.example',
  DISCORD_CLIENT_ID: '1234567890',
  DISCORD_CLIENT_SECRET: 'the application of a real site',
  SESSION_SECRET: key('a'),
  KEY_ENCRYPTION_KEY: key('b'),
  ADDRESS_HASH_KEY: key('c'),
  TOMBSTONE_KEY: key('d'),
};

let place: Awaited<ReturnType<typeof scratch>>;
let system: Started;
/** Where the gateway listens: in front of it stands whoever has the certificate of PUBLIC_ORIGIN. */
let gateway: URL;

beforeAll(async () => {
  place = await scratch();
  system = start(['--port', '0', '--data', place.folder], PRODUCTION);
  expect(await system.ready()).toBe(PRODUCTION.PUBLIC_ORIGIN);
  gateway = new URL((await readRunFile(place.folder)).services.gateway![0]!.url);
}, 240_000);
afterAll(async () => {
  await system.stop();
  await place.remove();
}, 30_000);

/** A call as the ingress hands it on, by the public name. */
function ask(path: string, method = 'GET'): Promise<{ status: number; location: string; text: string }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = gateway;
    const sent = request({ hostname, port, path, method, headers: { host: 'cord.example' } }, async (answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk as Buffer);
      const { statusCode: status = 0, headers } = answer;
      resolve({ status, location: headers.location ?? '', text: Buffer.concat(chunks).toString() });
    });
    sent.on('error', reject);
    sent.end();
  });
}

test('the same processes run, without a console of /dev', async () => {
  const run = await readRunFile(place.folder);
  expect(run.mode).toBe('production');
  expect(Object.keys(run.services)).not.toContain('dev');
  expect(Object.keys(run.services)).not.toContain('solana');
  expect((await ask('/healthz')).status).toBe(200);
});

test.each([
  '/dev',
  '/dev/clock',
  '/dev/faults',
  '/dev/discord/oauth2/authorize',
  '/dev/discord/accounts',
  '/dev/users/x/admin',
  '/dev/solana',
  '/dev/solana/rpc',
  '/dev/solana/airdrop',
  '/dev/solana/faults',
  '/dev/wallet',
  '/dev/wallet/register.mjs',
])('%s is not there', async (path) => {
  for (const method of ['GET', 'POST', 'DELETE']) {
    expect((await ask(path, method)).status).toBe(404);
  }
});

test('no service has a route under /dev on its own port', async () => {
  const { services } = await readRunFile(place.folder);
  for (const name of ['auth', 'mining', 'tasks', 'referrals', 'rewards', 'leaderboard']) {
    for (const path of ['/dev/clock', `/dev/users/${'a'.repeat(32)}/admin`]) {
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"offsetMs":1}' };
      expect((await fetch(`${services[name]![0]!.url}${path}`, init)).status, `${name} ${path}`).toBe(404);
    }
  }
});

test('the development wallet is in no page and in no bundle', async () => {
  expect((await ask('/')).text).not.toContain('/dev/');
  const bundles = [join(ROOT, 'shell/dist'), join(place.folder, 'modules')];
  const scripts = (await Promise.all(bundles.map((folder) => glob(folder)))).flat();
  expect(scripts.length).toBeGreaterThan(5);
  for (const script of scripts) {
    expect(await readFile(script, 'utf8'), script).not.toMatch(
      /Development Wallet|cord\.development-wallet|dev\/wallet/,
    );
  }
});

test('scripts are served, their source maps are not', async () => {
  const assets = (await readdir(join(ROOT, 'shell/dist/assets'))).filter((name) => name.endsWith('.js.map'));
  expect(assets.length).toBeGreaterThan(0);
  for (const map of assets) {
    expect((await ask(`/assets/${map}`)).status, map).toBe(404);
    expect((await ask(`/assets/${map.slice(0, -'.map'.length)}`)).status, map).toBe(200);
  }
});

async function glob(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return names.filter((name) => name.endsWith('.js')).map((name) => join(folder, name));
}

test('a sign-in leads to Discord itself', async () => {
  const answer = await ask('/api/auth/discord');
  expect(answer.status).toBe(302);
  const location = new URL(answer.location);
  expect(location.hostname).toBe('discord.com');
  expect(location.searchParams.get('client_id')).toBe('1234567890');
});
