import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { namesAtMetrics } from '@cord/kit/metrics/table';
import { namesShown } from '@cord/kit/testing/figures';
import { scratch } from '@cord/kit/testing/scratch';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cord } from '../../test/kit/cord.ts';
import { makeAccount, signInByCookie } from '../../test/kit/people.ts';
import { isAlive, readRunFile, type System, start } from '../../test/kit/system.ts';
import { until } from '../../test/kit/until.ts';
import { connectAsSetup } from '../starter/streams.ts';
import { trickle } from './rolling.js';

const SERVICES = ['auth', 'mining', 'tasks', 'referrals', 'rewards', 'leaderboard', 'notices'];
const EVERYTHING = [...SERVICES, 'gateway', 'nats', 'store', 'solana', 'dev'];

let place: Awaited<ReturnType<typeof scratch>>;
let system: System;
let origin: string;
const starting = (...flags: string[]) =>
  start(['--port', '0', '--data', place.folder, ...flags], { LOG_LEVEL: 'info' });

beforeAll(async () => {
  place = await scratch();
  system = starting('--replicas', '2');
  origin = await system.ready();
});
afterAll(async () => {
  await system.halt();
  await place.stop();
});

const health = async () => (await fetch(`${origin}/healthz`)).status === 200;

/** Signs in with a new account and returns its cookie. */
async function signIn(username: string): Promise<{ cookie: string; user: { id: string; isAdmin: boolean } }> {
  const { cookie, landing } = await signInByCookie(origin, await makeAccount(origin, { years: 1, username }));
  expect(landing).toContain('welcome=new');
  return { cookie, user: await me(cookie) };
}

async function me(cookie: string): Promise<{ id: string; isAdmin: boolean }> {
  const answer = await fetch(`${origin}/api/auth/me`, { headers: { cookie } });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { user: { id: string; isAdmin: boolean } }).user;
}

test('the system serves everything on one origin and prints its stand-ins', async () => {
  expect(await health()).toBe(true);
  expect((await fetch(origin)).headers.get('content-security-policy')).toContain('nonce-');
  expect(system.printed).toMatch(/Stand-ins:.*Discord.*Solana/);
  expect(system.printed.trimEnd().split('\n').at(-1)).toBe(`CORD is ready at ${origin}`);
});

test('run.json lists every process with its metrics, readable by its owner only', async () => {
  const run = await readRunFile(place.folder);
  expect(run).toMatchObject({ origin, mode: 'local' });
  expect(Object.keys(run.services).sort()).toEqual([...EVERYTHING].sort());
  for (const service of [...SERVICES, 'gateway']) {
    const processes = run.services[service]!;
    const metricsUrls = processes.flatMap(({ metricsUrl, metricsUrls = [metricsUrl!] }) => metricsUrls);
    // One process holds the gateways' port and passes connections to them.
    expect([processes.length, metricsUrls.length]).toEqual([service === 'gateway' ? 1 : 2, 2]);
    for (const { pid } of processes) expect(isAlive(pid)).toBe(true);
    for (const url of metricsUrls) expect(namesShown(await (await fetch(url)).text())).toEqual(namesAtMetrics(service));
  }
  expect((await stat(join(place.folder, 'run.json'))).mode & 0o777).toBe(0o600);
});

test('a second start on the same data folder fails, names the folder and the pid, and disturbs nothing', async () => {
  const second = start(['--port', '0', '--data', place.folder]);
  expect(await second.ended()).toBe(1);
  expect(second.printed).toContain(place.folder);
  expect(second.printed).toContain(String(system.child.pid));
  expect(await health()).toBe(true);
});

test('a start on a taken port fails and names the port', async () => {
  const { port } = new URL(origin);
  const other = await scratch();
  const second = start(['--port', port, '--data', other.folder]);
  expect(await second.ended()).toBe(1);
  expect(second.printed).toContain(`port ${port} is taken`);
  await other.stop();
});

test('a new Discord account signs in and can be made an admin', async () => {
  const { cookie, user } = await signIn('ada');
  expect(user.isAdmin).toBe(false);
  expect((await fetch(`${origin}/dev/users/${user.id}/admin`, { method: 'POST' })).ok).toBe(true);
  await until('the user is an admin', async () => (await me(cookie)).isAdmin);
});

describe('a killed process', () => {
  test.each(EVERYTHING)('%s is replaced at the same address, and the replacement is reported', async (service) => {
    const before = (await readRunFile(place.folder)).services[service]![0]!;
    process.kill(before.pid, 'SIGKILL');
    await until(`${service} has another process`, async () => {
      const [now] = (await readRunFile(place.folder)).services[service] ?? [];
      return now !== undefined && now.pid !== before.pid && now.url === before.url && isAlive(now.pid);
    });
    const back = new RegExp(`${service}(-1)? is back after`);
    await until(`${service} is reported as back`, async () => back.test(system.printed));
    await until('all is healthy again', health);
    expect(system.printed).toMatch(new RegExp(`${service}(-1)? was killed by SIGKILL; restarting it`));
  });
});

test('a gateway process behind the port is replaced, and every call succeeds with one retry', async () => {
  const [{ pid, metricsUrls = [] } = { pid: 0 }] = (await readRunFile(place.folder)).services.gateway ?? [];
  const gateways = async () => {
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return children.split(' ').flatMap((one) => Number(one) || []);
  };
  const [leaving = 0] = await gateways();
  const calls = trickle(() => fetch(`${origin}/api/stats`));
  process.kill(leaving, 'SIGTERM');
  await until('another one has taken its place', async () => {
    const ready = await Promise.all(
      metricsUrls.map((url) =>
        fetch(url).then(
          ({ ok }) => ok,
          () => false,
        ),
      ),
    );
    const now = await gateways();
    return ready.every(Boolean) && now.length === 2 && !now.includes(leaving);
  });
  expect((await calls.end()).unmended).toEqual([]);
});

/** Returns the output of a command that must succeed. */
async function printedBy(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await cord([...args, '--data', place.folder]);
  expect(code, stderr).toBe(0);
  return stdout;
}

test('npx cord keys revoke signs out all users of a leaked key', async () => {
  const { cookie } = await signIn('leaked');
  expect(await printedBy('keys', 'revoke', 'signing')).toMatch(
    /^Signing key [0-9a-f]{32} is in use now\. 1 keys were revoked/,
  );
  const answers = async () => (await fetch(`${origin}/api/auth/me`, { headers: { cookie } })).status;
  await until('the session has ended', async () => (await answers()) === 401);
});

test('npx cord migrate finds nothing to change after a start', async () => {
  expect(await printedBy('migrate')).toBe('0 documents changed; the data is migrated to this release\n');
});

test('npx cord streams rebuild makes the owner publish what its stream lost, and nothing more', async () => {
  await signIn('rebuilt');
  const nats = await connectAsSetup(place.folder);
  await nats.jsm.streams.purge('CORD_USERS');
  expect(await printedBy('streams', 'rebuild', 'CORD_USERS')).toMatch(
    /^CORD_USERS {2}auth .* published [1-9]\d* missing events/,
  );
  expect((await nats.jsm.streams.info('CORD_USERS')).state.messages).toBeGreaterThan(0);
  await nats.drain();
  expect(await printedBy('streams', 'rebuild')).toMatch(/CORD_USERS {2}auth .* published 0 missing events/);
});

test('each service signs in to the store as its own user and does not have the operator’s password', async () => {
  const { services } = await readRunFile(place.folder);
  const operator = (await readFile(join(place.folder, 'secrets/store'), 'utf8')).trim();
  for (const [service, processes] of Object.entries(services)) {
    const environment = await readFile(`/proc/${processes[0]?.pid}/environ`, 'utf8');
    expect(environment, service).not.toContain(operator);
    const uri = environment.split('\0').find((line) => line.startsWith('MONGODB_URI='));
    const user = uri && new URL(uri.slice('MONGODB_URI='.length)).username;
    expect(user, service).toBe(SERVICES.includes(service) ? service : undefined);
  }
});

test('every log line has its level, time, service and message', async () => {
  const files = (await readdir(join(place.folder, 'logs'))).filter((name) =>
    /^(gateway|dev|[a-z]+(-1)?)\.log$/.test(name),
  );
  const lines: string[] = [];
  for (const name of files.filter((one) => !/^(nats|store)/.test(one))) {
    const text = await readFile(join(place.folder, 'logs', name), 'utf8');
    lines.push(...text.split('\n').filter((line) => line.startsWith('{')));
  }
  expect(lines.length).toBeGreaterThan(20);
  const always = {
    level: expect.any(String),
    time: expect.any(String),
    service: expect.any(String),
    msg: expect.any(String),
  };
  for (const line of lines) expect(JSON.parse(line)).toMatchObject(always);
});

test('Ctrl-C leaves no process running, and the next start finds the data', async () => {
  const { cookie, user } = await signIn('keeper');
  const pids = Object.values((await readRunFile(place.folder)).services)
    .flat()
    .map(({ pid }) => pid);
  await system.halt();
  expect(await system.ended()).toBe(0);
  expect(pids.filter(isAlive)).toEqual([]);
  await expect(readRunFile(place.folder)).rejects.toThrow();
  expect(await printedBy('keys', 'rotate', 'KEY_ENCRYPTION_KEY')).toMatch(
    /^KEY_ENCRYPTION_KEY now has only the new value/,
  );
  // The same data works with one replica of each.
  system = starting();
  origin = await system.ready();
  expect((await me(cookie)).id).toBe(user.id);
});

test('the system stops in order when the program that started it disappears', async () => {
  const pids = Object.values((await readRunFile(place.folder)).services)
    .flat()
    .map(({ pid }) => pid);
  system.child.disconnect();
  expect(await system.ended()).toBe(0);
  expect(pids.filter(isAlive)).toEqual([]);
});
