import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { scratch, starter } from './starter.js';
import { readRunFile, type Started, start } from './system.js';

const { moduleStore } = await starter('build');
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const key = (letter: string) => letter.repeat(64);
const PRODUCTION = {
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  DISCORD_CLIENT_ID: '1234567890',
  DISCORD_CLIENT_SECRET: 'the application of a real site',
  SESSION_SECRET: key('a'),
  KEY_ENCRYPTION_KEY: key('b'),
  ADDRESS_HASH_KEY: key('c'),
  TOMBSTONE_KEY: key('d'),
};

let place: Awaited<ReturnType<typeof scratch>>;
let system: Started;
let origin: string;

beforeAll(async () => {
  place = await scratch();
  system = start(['--port', '0', '--data', place.folder], PRODUCTION);
  origin = await system.ready();
}, 240_000);
afterAll(async () => {
  await system.stop();
  await place.remove();
}, 30_000);

test('the same processes run, without a console of /dev', async () => {
  const run = await readRunFile(place.folder);
  expect(run.mode).toBe('production');
  expect(Object.keys(run.services)).not.toContain('dev');
  expect(Object.keys(run.services)).not.toContain('solana');
  expect((await fetch(`${origin}/healthz`)).status).toBe(200);
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
    expect((await fetch(`${origin}${path}`, { method })).status).toBe(404);
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
  expect(await (await fetch(origin)).text()).not.toContain('/dev/');
  const bundles = [join(ROOT, 'shell/dist'), await moduleStore?.({})];
  const scripts = (await Promise.all(bundles.map((folder) => glob(folder)))).flat();
  expect(scripts.length).toBeGreaterThan(5);
  for (const script of scripts) {
    expect(await readFile(script, 'utf8'), script).not.toMatch(
      /Development Wallet|cord\.development-wallet|dev\/wallet/,
    );
  }
});

async function glob(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return names.filter((name) => name.endsWith('.js')).map((name) => join(folder, name));
}

test('a sign-in leads to Discord itself', async () => {
  const answer = await fetch(`${origin}/api/auth/discord`, { redirect: 'manual' });
  expect(answer.status).toBe(302);
  const location = new URL(answer.headers.get('location') ?? '');
  expect(location.hostname).toBe('discord.com');
  expect(location.searchParams.get('client_id')).toBe('1234567890');
});
