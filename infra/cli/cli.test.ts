import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { lockDataFolder } from '../dev/starter/data-folder.ts';
import { processStart } from '../dev/starter/pids.ts';
import { run } from './in-process.ts';
import { program } from './program.ts';

const CORD = fileURLToPath(new URL('cord.mjs', import.meta.url));
const empty = mkdtempSync(join(tmpdir(), 'cord-cli-'));

function cord(...args: string[]) {
  const env = { ...process.env, MONGODB_URI: undefined, NATS_URL: undefined, CORD_DATA: undefined };
  const { status, stdout, stderr } = spawnSync(process.execPath, [CORD, ...args], {
    cwd: empty,
    env,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

const named = (commands: readonly Command[]) => commands.map((command) => command.name());

test('every noun has its verbs', () => {
  const verbs = Object.fromEntries(program().commands.map((noun) => [noun.name(), named(noun.commands)]));
  expect(verbs).toEqual({
    module: ['publish', 'publish-built', 'rollback', 'list', 'canary', 'promote', 'freeze', 'unfreeze'],
    service: ['deploy', 'restart', 'rollback', 'list'],
    data: ['export', 'import', 'reset'],
    keys: ['rotate', 'revoke'],
    log: ['begin', 'continue'],
    switch: ['list', 'off', 'on'],
    migrate: [],
    'dead-letters': ['list', 'retry'],
    streams: ['ensure', 'rebuild'],
    audit: [],
    verify: [],
    contracts: ['check', 'record'],
    exports: ['check', 'record'],
    affected: [],
    secrets: [],
    doctor: [],
    manifests: ['write', 'check'],
  });
});

test('every command that works on a system takes --data', () => {
  const leaves = program().commands.flatMap((noun) =>
    noun.commands.length > 0
      ? noun.commands.map((verb) => [`${noun.name()} ${verb.name()}`, verb] as const)
      : [[noun.name(), noun] as const],
  );
  const without = leaves.filter(([, command]) => !command.options.some(({ long }) => long === '--data'));
  expect(without.map(([name]) => name)).toEqual([
    'verify',
    'contracts check',
    'contracts record',
    'exports check',
    'exports record',
    'affected',
    'secrets',
    'doctor',
    'manifests write',
    'manifests check',
  ]);
});

test('--help lists the nouns, with exit code 0', () => {
  const { status, stdout } = cord('--help');
  expect(status).toBe(0);
  for (const noun of named(program().commands)) expect(stdout).toMatch(new RegExp(`^  ${noun}\\b`, 'm'));
});

test.each([
  [['modul'], /unknown command 'modul'/],
  [['module', 'publsh'], /unknown command 'publsh'/],
  [['module', 'publish'], /missing required argument 'module'/],
  [['module', 'publish', 'tasks', '--frce'], /unknown option '--frce'/],
  [['module', 'publish', 'tasks', '--canary', '2'], /2 is not a share/],
  [['module', 'list', '--why', 'x'], /unknown option '--why'/],
  [['module', 'freeze', 'A?B'], /A\?B is not a module name/],
  [['service', 'deploy', 'taks'], /The services are auth, mining/],
  [['service', 'deploy', 'tasks', '--ready', '0'], /--ready.*above 0 and up to 600/],
  [['service', 'deploy', 'tasks', '--ready', 'soon'], /--ready <s>' argument 'soon' is invalid\. It must be seconds/],
  [['service', 'deploy', 'tasks', 'mining'], /too many arguments/],
  [['data', 'import', 'FILE', '--with-secrets'], /unknown option '--with-secrets'/],
  [['data', 'export'], /missing required argument 'file'/],
  [['log', 'begin'], /required option '--reason <text>' not specified/],
  [['dead-letters', 'retry', 'x'], /value 'x' is invalid for argument 'place'/],
  [['contracts', 'record', '2'], /A release is three numbers/],
  [['audit', '--date', empty], /unknown option '--date'/],
  [['data', 'reset', '--data', ''], /--data.*must not be empty/],
  [['secrets', join(empty, 'made'), '--tombstone-key', '/dev/null'], /--tombstone-key: \/dev\/null is empty/],
  [['secrets', join(empty, 'made'), '--tombstone-key', '/nowhere'], /^--tombstone-key: ENOENT/],
  [['affected', 'tests'], /Allowed choices are lint, types, test, build/],
  [['keys', 'rotate', 'TOMBSTONE', '--data', empty], /unknown key TOMBSTONE\. The keys are signing/],
  [['keys', 'rotate', 'TOMBSTONE_KEY', '--data', empty], /TOMBSTONE_KEY can never change/],
  [['dead-letters', 'retry', '--data', empty], /retry takes one place, or --all/],
  [['streams', 'rebiuld'], /unknown command 'rebiuld'\. The commands are ensure, rebuild/],
  // Every user of a machine can read process arguments, so a password comes by the environment only.
  [['doctor', '--mongodb-uri', 'mongodb://jobs:secret@127.0.0.1'], /unknown option '--mongodb-uri'/],
  [['manifests', 'chek'], /unknown command 'chek'\. The commands are write, check/],
  [['streams', 'rebuild', 'CORD_NOTHING', '--data', empty], /no stream CORD_NOTHING that can be rebuilt/],
])('a wrong call is rejected with its reason and writes nothing: %j', async (args, message) => {
  const { status, stderr } = await run(args);
  expect(stderr).toMatch(message);
  expect(status).toBe(1);
  expect(readdirSync(empty)).toEqual([]);
});

test('keys rotate and revoke are rejected in another mode than the system’s, and create no secret', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cord-cli-'));
  const auth = [{ pid: process.pid, metricsUrl: null, startedAt: processStart(process.pid) }];
  writeFileSync(join(folder, 'run.json'), JSON.stringify({ mode: 'production', services: { auth } }));
  for (const verb of ['rotate', 'revoke']) {
    const { status, stderr } = await run(['keys', verb, 'signing', '--data', folder]);
    expect([status, stderr]).toEqual([
      1,
      'the system runs in production mode: run this command with the same environment.\n',
    ]);
  }
  expect(readdirSync(folder)).toEqual(['run.json']);
});

test.runIf(process.getuid?.() === 0)('a data folder of another user is reported as such, not as empty', async () => {
  const closed = mkdtempSync(join(tmpdir(), 'cord-cli-'));
  process.seteuid?.(65_534);
  try {
    for (const [args, code] of [
      [['audit'], 2],
      [['switch', 'list'], 1],
      [['module', 'list'], 1],
      [['data', 'export', 'x.tar'], 1],
      [['streams'], 1],
    ] as const) {
      const { status, stderr } = await run([...args, '--data', closed]);
      expect([status, stderr], args.join(' ')).toEqual([
        code,
        expect.stringContaining(`user 65534 may not read ${closed}: run this as its owner.`),
      ]);
    }
    await expect(lockDataFolder(closed)).rejects.toThrow('user 65534 may not read');
  } finally {
    process.seteuid?.(0);
  }
});

test('a call rejected by the parser or by the command exits with 1', () => {
  const parsed = cord('module', 'publish');
  expect(parsed.stderr).toMatch(/missing required argument 'module'/);
  const refused = cord('migrate', '--data', empty);
  expect(refused.stderr).toMatch(/there is no CORD data in/);
  expect([parsed.status, refused.status]).toEqual([1, 1]);
  expect(readdirSync(empty)).toEqual([]);
});

describe('without a system', () => {
  test.each([
    [
      'a deploy',
      ['service', 'deploy', 'tasks'],
      1,
      /no system runs on .*Start it with npm start, or name its folder with --data/,
    ],
    ['a stream', ['streams'], 1, /no system runs on .*or its NATS with NATS_URL/],
    ['a migration', ['migrate'], 1, /there is no CORD data in/],
    ['a new key', ['keys', 'rotate', 'signing'], 1, /there is no CORD data in/],
    ['a switch', ['switch', 'list'], 1, /there is no CORD data in/],
    ['a new log', ['log', 'begin', '--reason', 'why'], 1, /there is no CORD data in/],
    ['an audit', ['audit'], 2, /^audit: there is no CORD data in .*Choose another folder with --data/s],
  ])('%s is rejected', async (_name, args, code, message) => {
    const { status, stderr } = await run([...args, '--data', empty]);
    expect(stderr).toMatch(message);
    expect(status).toBe(code);
    expect(readdirSync(empty)).toEqual([]);
  });
});

describe('with the run.json of a killed system', () => {
  const left = mkdtempSync(join(tmpdir(), 'cord-left-'));
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  const dead = [{ pid, url: 'http://127.0.0.1:9', metricsUrl: null, startedAt: '1' }];
  const services = { gateway: dead, nats: dead, tasks: dead };
  const natsUrl = 'nats://127.0.0.1:9';
  writeFileSync(
    join(left, 'run.json'),
    JSON.stringify({ origin: 'http://localhost:9', mode: 'local', moduleStore: '/nowhere', natsUrl, services }),
  );

  test.each([
    ['a list of modules prints that none runs', ['module', 'list'], 0, /^no system runs on /m],
    ['a list of services prints that none runs', ['service', 'list'], 0, /^services in .*; none runs$/m],
    ['a deploy is refused before it builds', ['service', 'deploy', 'tasks', '--from', '/nowhere'], 1, /no system runs/],
    ['a stream is not sought at its NATS', ['streams'], 1, /no system runs on .*or its NATS with NATS_URL/],
  ])('%s', async (_name, args, code, printed) => {
    const { status, stdout, stderr } = await run([...args, '--data', left]);
    expect(stdout + stderr).toMatch(printed);
    expect(status).toBe(code);
  });
});
