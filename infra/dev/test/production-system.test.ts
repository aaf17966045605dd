import { readdir, readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SERVICES } from '@cord/contracts/endpoint';
import { readJournal } from '@cord/deploy/store/release-line';
import { opsUrlOf } from '@cord/kit/ops-port';
import { scratch } from '@cord/kit/testing/scratch';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cord } from '../../test/kit/cord.ts';
import { readRunFile, type System, start } from '../../test/kit/system.ts';
import { releaseStore } from '../starter/releases.ts';
import { changedIn, trickle } from './rolling.js';

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
  LEDGER_LOG_KEY: key('l'),
  TOMBSTONE_KEY: key('d'),
  GATEWAY_KEY: key('g'),
  RATE_LIMIT_SCALE: '1000',
};

let place: Awaited<ReturnType<typeof scratch>>;
let system: System;
/** Address of the gateway, behind the ingress that has the certificate of PUBLIC_ORIGIN. */
let gateway: URL;

beforeAll(async () => {
  place = await scratch();
  system = start(['--port', '0', '--data', place.folder], PRODUCTION);
  expect(await system.ready()).toBe(PRODUCTION.PUBLIC_ORIGIN);
  gateway = new URL((await readRunFile(place.folder)).services.gateway![0]!.url);
});
afterAll(async () => {
  await system.halt();
  await place.stop();
});

/** Calls the gateway as the ingress does, with the public host name. */
function get(
  path: string,
  method = 'GET',
  headers: Record<string, string> = {},
): Promise<{ status: number; location: string; text: string }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = gateway;
    const sent = request(
      { hostname, port, path, method, headers: { host: 'cord.example', ...headers } },
      async (answer) => {
        const chunks: Buffer[] = [];
        for await (const chunk of answer) chunks.push(chunk as Buffer);
        const { statusCode: status = 0, headers } = answer;
        resolve({ status, location: headers.location ?? '', text: Buffer.concat(chunks).toString() });
      },
    );
    sent.on('error', reject);
    sent.end();
  });
}

test('production runs the same processes, without the /dev console or the Solana runtime', async () => {
  const run = await readRunFile(place.folder);
  expect(run.mode).toBe('production');
  expect(Object.keys(run.services)).not.toContain('dev');
  expect(Object.keys(run.services)).not.toContain('solana');
  await expect.poll(async () => (await get('/healthz')).status).toBe(200);
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
  '/dev/wallet/register.js',
])('%s responds with 404', async (path) => {
  for (const method of ['GET', 'POST', 'DELETE']) {
    expect((await get(path, method)).status).toBe(404);
  }
});

test('no service has a route under /dev, on either of its ports', async () => {
  const { services } = await readRunFile(place.folder);
  for (const name of ['auth', 'mining', 'tasks', 'referrals', 'rewards', 'leaderboard']) {
    for (const path of ['/dev/clock', `/dev/users/${'a'.repeat(32)}/admin`]) {
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"offsetMs":1}' };
      const { url } = services[name]![0]!;
      for (const at of [url, opsUrlOf(url)])
        expect((await fetch(`${at}${path}`, init)).status, `${name} ${at}${path}`).toBe(404);
    }
  }
});

test('no page and no bundle contains the development wallet', async () => {
  expect((await get('/')).text).not.toMatch(/\/dev\//);
  const bundles = [join(ROOT, 'shell/dist'), join(place.folder, 'modules')];
  const scripts = (await Promise.all(bundles.map((folder) => glob(folder)))).flat();
  expect(scripts.length).toBeGreaterThan(5);
  for (const script of scripts) {
    expect(await readFile(script, 'utf8'), script).not.toMatch(
      /Development Wallet|cord\.development-wallet|dev\/wallet/,
    );
  }
});

test('scripts are served without their source maps, and none refers to one', async () => {
  const assets = (await readdir(join(ROOT, 'shell/dist/assets'))).filter((name) => name.endsWith('.js.map'));
  expect(assets.length).toBeGreaterThan(0);
  for (const map of assets) {
    expect((await get(`/assets/${map}`)).status, map).toBe(404);
    const { status, text } = await get(`/assets/${map.slice(0, -'.map'.length)}`);
    expect(status, map).toBe(200);
    expect(text, map).not.toContain('sourceMappingURL');
  }
});

async function glob(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return names.filter((name) => name.endsWith('.js')).map((name) => join(folder, name));
}

test('a sign-in redirects to Discord itself', async () => {
  const answer = await get('/api/auth/discord');
  expect(answer.status).toBe(302);
  const location = new URL(answer.location);
  expect(location.hostname).toBe('discord.com');
  expect(location.searchParams.get('client_id')).toBe('1234567890');
});

/** rolling-update.test.ts tests the parts. */
describe.runIf(process.env.PROOF === '1')('npx cord service on a running system', () => {
  const service = async (...args: string[]) => {
    const { code, stdout, stderr } = await cord(['service', ...args, '--data', place.folder]);
    return { code, text: `${stdout}${stderr}` };
  };
  const versions = async () =>
    (await readRunFile(place.folder)).services.leaderboard?.map(({ version }) => version) as string[];
  const NEW = '/api/leaderboard/of/tomorrow';

  test('rolls to a release with a new endpoint and back, and every call succeeds with one retry', async () => {
    const [before] = await versions();
    expect((await get(NEW)).status).toBe(404);
    const release = await changedIn(place.folder, 'leaderboard', 'leaderboard.js', [
      [
        'export function leaderboardRoutes(http, board, presence) {',
        `$&
        http.publicRoute({ ...leaderboardEndpoints.stats, id: 'tomorrow', path: '/leaderboard/of/tomorrow' }, async ({ now }) => {
          const { totalMiners, activeMiners, totalEarned } = board.stats(now);
          return { totalMiners, activeMiners, total_earned: Number(totalEarned) };
        });`,
      ],
    ]);
    const calls = trickle(() => get('/api/leaderboard/stats'));
    expect(
      await service('deploy', 'leaderboard', '--from', release, '--watch', '0.2', '--why', 'tomorrow'),
    ).toMatchObject({
      code: 0,
      text: expect.stringMatching(/leaderboard is at \S+; it was at/),
    });
    const [after] = await versions();
    expect(after).not.toBe(before);
    expect((await get(NEW)).status).toBe(200);
    expect((await get('/api/openapi.json')).text).toContain('/leaderboard/of/tomorrow');
    expect((await service('list', 'leaderboard')).text).toMatch(new RegExp(`2 {2}${after} .*"tomorrow"`));
    expect(await service('rollback', 'leaderboard', '--watch', '0.2')).toMatchObject({ code: 0 });
    expect(await versions()).toEqual([before]);
    expect((await get(NEW)).status).toBe(404);
    const { made, unmended } = await calls.end();
    expect(made).toBeGreaterThan(20);
    expect(unmended).toEqual([]);
  });

  test('rolls back when a release does not become ready, or ends', async () => {
    const before = await versions();
    const hanging = await changedIn(place.folder, 'leaderboard', '../main.js', [
      [/^.*$/s, 'setInterval(() => {}, 1_000);'],
    ]);
    const late = await service('deploy', 'leaderboard', '--from', hanging, '--ready', '0.5');
    expect(late).toMatchObject({ code: 1, text: expect.stringContaining('was not ready within 0.5 s') });
    const ending = await changedIn(place.folder, 'leaderboard', 'leaderboard.js', [
      ['http.publicRoute(leaderboardEndpoints.stats, async ({ now })=>{', '$& process.exit(1);'],
    ]);
    const calls = trickle(() => get('/api/leaderboard/stats'));
    const ended = await service('deploy', 'leaderboard', '--from', ending, '--watch', '60');
    expect(ended).toMatchObject({
      code: 1,
      text: expect.stringMatching(/stays at checkout\. leaderboard-2 exited after it was ready/),
    });
    await calls.end();
    expect(await versions()).toEqual(before);
    expect((await get('/api/leaderboard/stats')).status).toBe(200);
    expect(await readJournal(releaseStore(place.folder), 'leaderboard')).toHaveLength(3);
  });

  test('restarts each service, and every call succeeds with one retry', async () => {
    const before = (await readRunFile(place.folder)).services;
    const paths = ['leaderboard/stats', 'epochs/current', 'auth/me', 'tasks', `users/${'a'.repeat(32)}/mining/current`];
    let turn = 0;
    const calls = trickle(() => get(`/api/${paths[turn++ % paths.length]}`));
    for (const name of SERVICES)
      expect(await service('restart', name, '--watch', '0.2'), name).toMatchObject({ code: 0 });
    const { unmended } = await calls.end();
    expect(unmended).toEqual([]);
    const { services } = await readRunFile(place.folder);
    const anew = SERVICES.filter((name) => services[name]?.[0]?.pid !== before[name]?.[0]?.pid);
    expect(anew).toEqual(SERVICES);
    expect(Object.values(services).every(({ length }) => length === 1)).toBe(true);
    await expect.poll(async () => (await get('/healthz')).status).toBe(200);
  });

  test('rejects an impossible order and changes nothing', async () => {
    const before = await readRunFile(place.folder);
    expect(await service('deploy', 'tasks', '--from', place.folder)).toMatchObject({
      code: 1,
      text: expect.stringContaining('is not a service'),
    });
    expect(await service('rollback', 'tasks')).toMatchObject({
      code: 1,
      text: expect.stringContaining('tasks has no version before'),
    });
    expect(await readRunFile(place.folder)).toEqual(before);
  });
});
