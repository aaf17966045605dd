import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { connect, createServer } from 'node:tls';
import { SERVICES } from '@cord/contracts/endpoint';
import { MANIFESTS } from '@cord/contracts/manifests/index';
import { callerKeyOf } from '@cord/kit/caller-key';
import { baseConfig, parseNatsUrl } from '@cord/kit/config';
import { isUnencrypted } from '@cord/kit/unencrypted';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ROOT } from '../../dev/starter/paths.mjs';
import { secretsOf } from '../../dev/starter/services.ts';
import { type Any, SECRETS_DIR, text, unread, whoRuns, yaml } from './files.js';

describe('the files generated from the manifests', () => {
  test('are up to date (else: npx cord manifests)', async () => {
    const { madeFiles } = await import('../made/manifests.js');
    const made = await madeFiles();
    for (const [path, content] of made) expect(text(path), path).toBe(content);
  });

  test('give a service of compose the outside network only if its manifest allows it', () => {
    const { services } = yaml('compose/compose.yaml')[0];
    for (const [name, { outside = [] }] of Object.entries<{ outside?: readonly string[] }>(MANIFESTS))
      expect(services[name].networks.includes('outside'), name).toBe(outside.length > 0);
  });
});

/** Whether a process that trusts the authority accepts this server for this host. */
function isServerOf(folder: string, host: string): Promise<boolean> {
  const at = (name: string) => readFileSync(join(folder, name));
  const server = createServer({ cert: at('tls.crt'), key: at('tls.key') }, (socket) => socket.end());
  return new Promise((resolve, reject) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      const client = connect({ port, host: '127.0.0.1', servername: host, ca: at('ca.crt') }, () => done(true));
      client.on('error', (error: NodeJS.ErrnoException) =>
        error.code === 'ERR_TLS_CERT_ALTNAME_INVALID' ? done(false) : reject(error),
      );
      const done = (isOne: boolean): void => {
        client.destroy();
        server.close();
        resolve(isOne);
      };
    });
  });
}

describe('the secrets of a deployment', () => {
  const parent = mkdtempSync(join(tmpdir(), 'cord-secrets-'));
  const folder = join(parent, 'whole');
  let first: { made: string[]; empty: string[] };
  let again: { made: string[]; empty: string[] };
  beforeAll(async () => {
    const { makeSecrets } = await import('../secrets.js');
    first = await makeSecrets(folder);
    again = await makeSecrets(folder);
  });

  test('are created once, and those that others provide are listed', () => {
    expect(again.made).toEqual([]);
    expect(first.empty).toEqual(['auth/DISCORD_CLIENT_SECRET', 'mining/SOLANA_RPC_URL', 'rewards/SOLANA_RPC_URL']);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  test('replace a NATS password whose line was removed, with its address, and change no other', async () => {
    const stolen = join(parent, 'stolen');
    const { makeSecrets } = await import('../secrets.js');
    cpSync(folder, stolen, { recursive: true });
    const at = (path: string) => readFileSync(join(stolen, path), 'utf8');
    const replace = (path: string, text: string) => {
      rmSync(join(stolen, path));
      writeFileSync(join(stolen, path), text);
    };
    const elsewhere = 'tls://gateway:own@nats.example:4222';
    replace('gateway/NATS_URL', elsewhere);
    const [, before = ''] = /^PASSWORD_tasks: "(.+)"$/m.exec(at('nats/passwords.conf')) ?? [];
    replace('nats/passwords.conf', at('nats/passwords.conf').replace(/^PASSWORD_tasks: .*\n/m, ''));
    expect((await makeSecrets(stolen)).made).toEqual(['nats/passwords.conf', 'tasks/NATS_URL']);
    const [, after = ''] = /^PASSWORD_tasks: "(.+)"$/m.exec(at('nats/passwords.conf')) ?? [];
    expect(after).toMatch(/^[0-9a-f]{64}$/);
    expect(after).not.toBe(before);
    expect(at('tasks/NATS_URL')).toBe(readFileSync(join(folder, 'tasks/NATS_URL'), 'utf8').replaceAll(before, after));
    expect(at('gateway/NATS_URL')).toBe(elsewhere);
  });

  /** Copies the folder, without these files or with replaced ones. */
  const changed = (name: string, files: Record<string, string | undefined>) => {
    const copy = join(parent, name);
    cpSync(folder, copy, { recursive: true });
    for (const [path, content] of Object.entries(files)) {
      rmSync(join(copy, path));
      if (content !== undefined) writeFileSync(join(copy, path), content);
    }
    return { copy, at: (path: string) => readFileSync(join(copy, path), 'utf8') };
  };

  test('replace a removed gateway key, and keep the former caller key beside the new one until it is cut', async () => {
    const { makeSecrets } = await import('../secrets.js');
    const { copy, at } = changed('renewed', { 'gateway/GATEWAY_KEY': undefined });
    const former = at('tasks/CALLER_KEY');
    const keys = SERVICES.map((service) => `${service}/CALLER_KEY`);
    expect((await makeSecrets(copy)).made.sort()).toEqual(['gateway/GATEWAY_KEY', ...keys].sort());
    const renewed = callerKeyOf(at('gateway/GATEWAY_KEY'), 'tasks');
    expect(at('tasks/CALLER_KEY')).toBe(`${renewed},${former}`);
    expect((await makeSecrets(copy)).made).toEqual([]);
    chmodSync(join(copy, 'tasks/CALLER_KEY'), 0o644);
    writeFileSync(join(copy, 'tasks/CALLER_KEY'), `${renewed}\n`);
    expect((await makeSecrets(copy)).made).toEqual([]);
  });

  test.each([
    ['auth/TOMBSTONE_KEY', 'rewards/SIGNATURES_KEY'],
    ['auth/ADDRESS_HASH_KEY', 'mining/ADDRESS_HASH_KEY'],
    ['mongo/users.json', 'jobs/MONGODB_URI'],
  ])('are not recreated: a missing %s is reported while %s exists', async (path, witness) => {
    const { makeSecrets } = await import('../secrets.js');
    const { copy } = changed(`without-${path.replace('/', '-')}`, { [path]: undefined });
    await expect(makeSecrets(copy)).rejects.toThrow(`${path} is missing, but ${witness} exists`);
    expect(existsSync(join(copy, path))).toBe(false);
    // A key supplied from the former system is put back.
    const brought = readFileSync(join(folder, path), 'utf8');
    if (path !== 'auth/TOMBSTONE_KEY') return;
    expect((await makeSecrets(copy, { tombstoneKey: brought })).made).toEqual([path]);
  });

  test('are complete on the next run after a failed one; an incomplete file does not count', async () => {
    const cut = join(parent, 'cut');
    const run = `import('${join(import.meta.dirname, '../secrets.ts')}').then(({ makeSecrets }) => makeSecrets('${cut}'))`;
    // With a limit of zero blocks each file is created but not written.
    const limited = ['-c', 'ulimit -f 0; exec "$0" "$@"', process.execPath, '--import', 'tsx', '-e', run];
    expect(spawnSync('sh', limited, { cwd: ROOT, encoding: 'utf8' }).stderr).toContain('EFBIG');
    const { makeSecrets } = await import('../secrets.js');
    expect(await makeSecrets(cut)).toEqual(first);
  });

  test('are not derived from an empty key, which is reported', async () => {
    const emptied = join(parent, 'emptied');
    mkdirSync(join(emptied, 'auth'), { recursive: true });
    writeFileSync(join(emptied, 'auth/TOMBSTONE_KEY'), '');
    const { makeSecrets } = await import('../secrets.js');
    await expect(makeSecrets(emptied)).rejects.toThrow('auth/TOMBSTONE_KEY is empty');
    expect(existsSync(join(emptied, 'auth/SIGNATURES_KEY'))).toBe(false);
  });

  test('include every secret that compose mounts', () => {
    const files = Object.values<Any>(yaml('compose/stores.yaml')[0].secrets).map(({ file }) => file);
    for (const file of files) expect(existsSync(join(folder, file.replace('./secrets/', ''))), file).toBe(true);
  });

  test('are mounted in compose only into containers whose program reads them', () => {
    for (const [name, { command = [], environment = {}, volumes = [] }] of Object.entries<Any>(
      yaml('compose/compose.yaml')[0].services,
    )) {
      const mounts = volumes.filter((one: string) => one.startsWith('./secrets/')).map((one: string) => one.split(':'));
      const given: string[] = mounts.flatMap(([from = '', to = '', how]: string[]) => {
        expect(how, `${name} ${from}`).toBe('ro');
        const path = join(folder, from.replace('./secrets/', ''));
        return statSync(path).isDirectory() ? readdirSync(path).map((file) => `${to}/${file}`) : [to];
      });
      const secrets = given.filter((one) => dirname(one) === SECRETS_DIR).map((one) => basename(one));
      const others = given.filter((one) => dirname(one) !== SECRETS_DIR);
      expect(others, name).toEqual(given.length > 0 ? [environment.NODE_EXTRA_CA_CERTS] : []);
      expect(secrets.length > 0, name).toBe(environment.SECRETS_DIR === SECRETS_DIR);
      expect(unread(whoRuns(command) ?? name, secrets), name).toEqual([]);
      if (SERVICES.some((service) => service === name)) expect(secrets.sort(), name).toEqual(secretsOf(name).sort());
    }
  });

  test('are readable in a container whatever the operator’s umask, in a folder closed to others', () => {
    const masked = join(parent, 'masked');
    const run = `import('${join(import.meta.dirname, '../secrets.ts')}').then(({ makeSecrets }) => makeSecrets('${masked}'))`;
    spawnSync('sh', ['-c', 'umask 077; exec "$0" "$@"', process.execPath, '--import', 'tsx', '-e', run], { cwd: ROOT });
    const modeOf = (path: string) => (statSync(join(masked, path)).mode & 0o777).toString(8);
    expect(['', 'auth', 'auth/TOMBSTONE_KEY', 'ca', 'ca/ca.crt', 'nats/tls.key'].map(modeOf)).toEqual([
      ...['700', '755', '444', '755', '444', '444'],
    ]);
  });

  test('prove the names of NATS and MongoDB servers, and not each other’s', async () => {
    const ours = { nats: ['nats-0.nats', 'nats-2.nats'], mongo: ['mongo-0', 'mongo-2', 'localhost'] };
    for (const [who, hosts] of Object.entries(ours))
      for (const host of hosts) expect(await isServerOf(join(folder, who), host), host).toBe(true);
    expect(await isServerOf(join(folder, 'mongo'), 'nats-0.nats')).toBe(false);
    expect(await isServerOf(join(folder, 'nats'), 'mongo-0')).toBe(false);
    const both = readFileSync(join(folder, 'mongo/tls.pem'), 'utf8');
    expect(both).toMatch(
      /^-----BEGIN CERTIFICATE-----[\s\S]*-----BEGIN PRIVATE KEY-----[\s\S]*-----END PRIVATE KEY-----\s*$/,
    );
  });

  test('connect to NATS and MongoDB over TLS, each service as itself', () => {
    for (const name of Object.keys(MANIFESTS)) {
      const url = baseConfig.shape.NATS_URL.parse(readFileSync(join(folder, name, 'NATS_URL'), 'utf8'));
      expect(parseNatsUrl(url)).toMatchObject({
        ...{ user: name, tls: true, servers: ['nats-0.nats:4222', 'nats-1.nats:4222', 'nats-2.nats:4222'] },
      });
    }
    for (const name of [...Object.keys(MANIFESTS), 'jobs']) {
      const uri = baseConfig.shape.MONGODB_URI.parse(readFileSync(join(folder, name, 'MONGODB_URI'), 'utf8'));
      expect(new URL(uri.replace(/,[^/]*/, '')).username).toBe(name);
      expect(isUnencrypted(uri), name).toBe(false);
    }
  });
});

describe('the certificates of a deployment', () => {
  const DAY_MS = 86_400_000;
  const SERVERS = ['nats', 'mongo'];
  const parent = mkdtempSync(join(tmpdir(), 'cord-certificates-'));
  const folder = join(parent, 'now');
  const at = (path: string) => readFileSync(join(folder, path), 'utf8');
  const made = async () => (await (await import('../secrets.js')).makeSecrets(folder)).made;
  const inDays = (days: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * DAY_MS });
  const areServersOfTheAuthority = async () => {
    for (const [who, host] of Object.entries({ nats: 'nats-0.nats', mongo: 'mongo-0' }))
      expect(await isServerOf(join(folder, who), host), who).toBe(true);
    expect(at('mongo/tls.pem')).toBe(at('mongo/tls.crt') + at('mongo/tls.key'));
  };
  beforeAll(async () => {
    await made();
    cpSync(folder, join(parent, 'first'), { recursive: true });
  });
  beforeEach(() => {
    rmSync(folder, { recursive: true });
    cpSync(join(parent, 'first'), folder, { recursive: true });
  });
  afterEach(() => void vi.useRealTimers());

  test('are kept until 90 days before they expire; the authority is valid for ten years', async () => {
    const years = (Date.parse(new X509Certificate(at('ca/ca.crt')).validTo) - Date.now()) / DAY_MS / 365;
    expect(years).toBeCloseTo(10, 1);
    inDays(730);
    expect(await made()).toEqual([]);
  });

  test('are renewed by the same authority within 90 days of their expiry', async () => {
    const authority = at('ca/ca.crt');
    inDays(740);
    expect(await made()).toEqual(['nats/tls.crt', 'mongo/tls.crt', 'mongo/tls.pem']);
    expect(at('ca/ca.crt')).toBe(authority);
    vi.useRealTimers();
    await areServersOfTheAuthority();
  });

  test('are renewed when the authority changes', async () => {
    rmSync(join(folder, 'ca/ca.crt'));
    const ofEach = SERVERS.flatMap((who) => [`${who}/tls.crt`, `${who}/ca.crt`]);
    expect(await made()).toEqual(['ca/ca.crt', ...ofEach, 'mongo/tls.pem']);
    for (const who of SERVERS) expect(at(`${who}/ca.crt`)).toBe(at('ca/ca.crt'));
    await areServersOfTheAuthority();
  });

  test('exclude from NATS an authority that an operator appends for MongoDB', async () => {
    const authority = at('ca/ca.crt');
    chmodSync(join(folder, 'ca/ca.crt'), 0o644);
    writeFileSync(join(folder, 'ca/ca.crt'), authority + at('mongo/tls.crt'));
    expect(await made()).toEqual([]);
    expect(at('nats/ca.crt')).toBe(authority);
  });

  test('stay unchanged without the authority’s key, and its missing file is reported on renewal', async () => {
    const certificate = at('nats/tls.crt');
    rmSync(join(folder, 'authority'), { recursive: true });
    expect(await made()).toEqual([]);
    inDays(740);
    await expect(made()).rejects.toThrow(join(folder, 'authority/ca.key'));
    expect(at('nats/tls.crt')).toBe(certificate);
  });

  test('are not replaced when the authority expires within 90 days, which is reported', async () => {
    const authority = at('ca/ca.crt');
    inDays(3_600);
    await expect(made()).rejects.toThrow('the authority');
    expect(at('ca/ca.crt')).toBe(authority);
  });
});
