import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type EmbeddedMongo, startEmbeddedMongo } from '@cord/embedded-mongo';
import { mongo } from 'mongoose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrateAll } from '../starter/migrate.mjs';
import { ROOT } from '../starter/paths.mjs';
import { backup, everything, fill, HASH } from './backup.js';
import { scratch } from './starter.js';

const { exportTo } = await backup('export');
const { checkBackup } = await backup('import');
const { runImport } = await backup('run-import');
const { Backup } = await backup('read');
const { adminsIn } = await backup('admins');
const { macOf } = await backup('authenticity');
const { bytesOf, documentOf, documentsIn } = await backup('bson');
const { TarWriter } = await backup('tar');
const { secretsOf } = await backup('keys');
const { sealSecrets } = await backup('secrets');
const { copyIn } = await backup('source');
const { importStopped } = await backup('stopped');

const PASSPHRASE = 'correct horse battery';
/** A guess of a passphrase costs half a second of a core: here next to nothing. */
const SEAL_COST = { N: 2 ** 10, r: 8, p: 1 };
const NOT_CARRIED =
  /^(\w+\/(leases|schema|imports|snapshots|audits)|auth\/(sessions|signing_keys|mined_\w+|addresses))$/;

let place: Awaited<ReturnType<typeof scratch>>;
const open: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  place = await scratch();
});
afterAll(async () => {
  for (const close of open.reverse()) await close();
  await place.remove();
});

interface System {
  uri: string;
  dataDir: string;
  client: mongo.MongoClient;
  everything(): Promise<Record<string, string[]>>;
}

/** The store of a system that stands still, in a data folder of its own. */
async function system(name: string): Promise<System> {
  const dataDir = join(place.folder, name);
  const server: EmbeddedMongo = await startEmbeddedMongo({ port: 0, dataDir: join(dataDir, 'store') });
  open.push(() => server.close());
  const client = await mongo.MongoClient.connect(server.uri);
  open.push(() => client.close());
  return { uri: server.uri, dataDir, client, everything: () => everything(client) };
}

const file = (name: string) => join(place.folder, `${name}.tar`);
/** What stands in a system, without the lines that imports have written into the audit log. */
async function restOf(system: Pick<System, 'everything'>): Promise<Record<string, string[]>> {
  const { 'auth/audit': audit = [], ...rest } = await system.everything();
  return { ...rest, 'auth/audit': audit.filter((hex) => !Buffer.from(hex, 'hex').includes('data.import')) };
}
const where = ({ dataDir }: Pick<System, 'dataDir'>) => ({ env: {}, dataDir, local: true });
async function exported(from: System, name: string, more: object = {}) {
  const secrets = await secretsOf(where(from));
  return exportTo({ file: file(name), uri: from.uri, ...where(from), secrets, ...more });
}
/** The keys of another system, in the folder of this one. */
async function withKeysOf(to: Pick<System, 'dataDir'>, from: System): Promise<void> {
  const { TOMBSTONE_KEY } = await secretsOf(where(from));
  await secretsOf(where(to));
  await writeFile(join(to.dataDir, 'secrets/tombstone-key'), TOMBSTONE_KEY);
}
function imported(to: System, name: string, order: object = {}, more: object = {}): Promise<string> {
  const target = { uri: to.uri, ...where(to), remakeStreams: async () => undefined, ...more };
  return runImport({ file: file(name), ...order }, target, async () => undefined);
}

/**
 * Writes a file anew with one part changed, its hashes and counts fitting, as who may write the file could do.
 * @param sign what stands for the HMAC of a manifest; that of before where it is left out
 */
async function forged(
  from: string,
  name: string,
  part: string,
  change: (bytes: Buffer) => Buffer,
  sign?: (manifest: Buffer) => string | undefined,
): Promise<void> {
  const read = await Backup.open(file(from));
  const tar = await TarWriter.create(file(name));
  const { manifest } = read;
  for (const entry of [...read.entries.keys()].filter((each: string) => !each.startsWith('manifest.json'))) {
    const bytes: Buffer = await read.bytesOf(entry);
    if (entry !== part) {
      await tar.add(entry, bytes);
      continue;
    }
    const changed = change(gunzipSync(bytes));
    const [service, collection] = part.split('/') as [string, string];
    const documents = [...documentsIn(changed)].length;
    const written = { ...(await tar.add(entry, gzipSync(changed))), documents };
    manifest.databases[service][collection] = { documents, parts: [written] };
  }
  const text = Buffer.from(JSON.stringify(manifest));
  const { sha256 } = await tar.add('manifest.json', text);
  await tar.add('manifest.json.sha256', Buffer.from(sha256));
  const mac = sign ? sign(text) : read.mac;
  if (mac) await tar.add('manifest.json.hmac', Buffer.from(mac));
  await tar.close();
  await read.close();
}

let old: System;
/** Where the export of the old one was put. */
let restored: System;
beforeAll(async () => {
  old = await system('old');
  await fill(old.client);
  await old.client
    .db('cord_auth')
    .collection('audit')
    .insertOne({ _id: 'before' as never, action: 'role.admin' });
  await writeFile(join(old.dataDir, 'clock.json'), '{"offsetMs":5}');
  await exported(old, 'plain');
  await exported(old, 'sealed', { passphrase: PASSPHRASE, sealCost: SEAL_COST });
  restored = await system('restored');
  await withKeysOf(restored, old);
  expect(await imported(restored, 'plain')).toMatch(/3 accounts, 0 people erased again/);
});

describe('what an export holds is there after an import', () => {
  test('and the import is the newest line of the audit log, once', async () => {
    const lines = await restored.client.db('cord_auth').collection('audit').find({ action: 'data.import' }).toArray();
    expect(lines).toMatchObject([
      {
        adminId: '0'.repeat(32),
        target: 'plain.tar',
        detail: { by: userInfo().username, instant: expect.stringMatching(/^\d{4}-/) },
      },
    ]);
  });

  test('every document, its types byte for byte; not who was signed in, nor a hash of an address', async () => {
    const [before, after] = [await old.everything(), await restOf(restored)];
    const hashed = ['mining/accounts', 'auth/assessments', 'referrals/members'];
    for (const [name, documents] of Object.entries(before))
      if (!NOT_CARRIED.test(name) && !hashed.includes(name)) expect(after[name], name).toEqual(documents);
    const carried = Object.keys(before).filter((name) => !NOT_CARRIED.test(name));
    expect(
      Object.keys(after)
        .filter((name) => !NOT_CARRIED.test(name))
        .sort(),
    ).toEqual(carried.sort());
    expect(JSON.stringify(after)).not.toContain(Buffer.from(HASH).toString('hex'));
    expect(JSON.stringify(after)).not.toContain(Buffer.from('sealed').toString('hex'));
    // By this referrals knows that it knows no address, and leaves what is held as it is.
    const membersOf = async ({ client }: System) => {
      const all = await client.db('cord_referrals').collection('members').find().sort({ _id: 1 }).toArray();
      return all.map(({ address, friend }) => ({ address, friend }));
    };
    const [there, here] = [await membersOf(old), await membersOf(restored)];
    const unknown = { key: null, level: 1, unknown: true };
    expect(here.map(({ address }) => address)).toEqual([unknown, unknown, { key: null, level: 0 }]);
    expect(here.map(({ friend }) => friend)).toEqual(there.map(({ friend }) => friend));
    expect(here[1]?.friend).toBeDefined();
    expect(await readFile(join(restored.dataDir, 'clock.json'), 'utf8')).toBe('{"offsetMs":5}');
    // As npx cord migrate makes them, and as the services wait for; a backfill that was through is not done again.
    expect(await migrateAll(restored.uri)).toBe(0);
    expect(await restored.client.db('cord_mining').collection('entries').indexExists('userId_1_seq_-1')).toBe(true);
  });

  test('with secrets also the keys and the hashes under them, which only the passphrase opens', async () => {
    const to = await system('sealed');
    await expect(imported(to, 'sealed', { passphrase: 'another passphrase' })).rejects.toThrow('does not open');
    expect(await to.everything()).toEqual({});
    await imported(to, 'sealed', { passphrase: PASSPHRASE });
    const [before, after] = [await old.everything(), await to.everything()];
    for (const name of ['mining/accounts', 'auth/assessments', 'auth/mined_addresses', 'referrals/members'])
      expect(after[name], name).toEqual(before[name]);
    expect(after).not.toHaveProperty('auth/sessions');
    expect(after).not.toHaveProperty('auth/signing_keys');
    const secrets = await secretsOf(where(old));
    expect(await secretsOf(where(to))).toEqual(secrets);
    const bytes = await readFile(file('sealed'), 'latin1');
    for (const secret of Object.values(secrets)) expect(bytes).not.toContain(secret);
    expect((await stat(file('sealed'))).mode & 0o777).toBe(0o600);
    // 128 MiB and half a second a guess, unless said otherwise.
    expect(JSON.parse(await sealSecrets(secrets, PASSPHRASE, ''))).toMatchObject({
      kdf: 'scrypt',
      N: 2 ** 17,
      r: 8,
      p: 1,
    });
  });

  test('of this machine: a store that has copied itself elsewhere is no empty one', async () => {
    await expect(copyIn(join(place.folder, 'elsewhere'), '')).rejects.toThrow('another machine: export it there');
  });

  test('an ordinary tar shows what is in it, and a manifest what it is', async () => {
    const { stdout } = await promisify(execFile)('tar', ['-tf', file('plain')]);
    expect(stdout).toContain('mining/accounts/000001.bson.gz\n');
    const last = ['manifest.json', 'manifest.json.sha256', 'manifest.json.hmac'];
    expect(stdout.trimEnd().split('\n').slice(-3)).toEqual(last);
    const read = await Backup.open(file('plain'));
    expect(read.manifest).toMatchObject({ format: 'cord-backup', version: 2, mode: 'local', secrets: null });
    expect(read.manifest.databases.mining.entries).toMatchObject({ documents: 9 });
    await read.close();
  });
});

describe('into a system that stands still', () => {
  const say = () => undefined;

  test('its store is started for that and ends, and of NATS its streams are forgotten and nothing else', async () => {
    const dataDir = join(place.folder, 'stopped');
    await withKeysOf({ dataDir }, old);
    const kept = ['CORD_BALANCE', 'KV_of_another'].map((name) => join(dataDir, 'nats/jetstream/CORD/streams', name));
    for (const folder of kept) await mkdir(folder, { recursive: true });
    expect(await importStopped({ file: file('plain') }, { ...where({ dataDir }), say })).toMatch(/3 accounts/);
    expect(kept.map((folder) => existsSync(folder))).toEqual([false, true]);
    // Nobody holds the folder any more: a second server of it would be refused.
    const stopped = await system('stopped');
    const [after, expected] = [await restOf(stopped), await restOf(restored)];
    const names = Object.keys(expected).filter((name) => !NOT_CARRIED.test(name));
    for (const name of names) expect(after[name], name).toEqual(expected[name]);
  });

  test('of a MongoDB wants NATS, too, whose streams tell of another past, and nobody at work', async () => {
    const env = { MONGODB_URI: restored.uri };
    const elsewhere = { ...where({ dataDir: join(place.folder, 'elsewhere') }), say };
    const order = { file: file('plain') };
    await expect(importStopped(order, { ...elsewhere, env })).rejects.toThrow('set NATS_URL as well');
    const leases = restored.client.db('cord_mining').collection('leases');
    const lease = { _id: 'sweep.3' as never, holder: 'mining-1', untilMs: Date.now() + 60_000 };
    await leases.insertOne(lease);
    const named = { ...env, NATS_URL: 'nats://127.0.0.1:9' };
    await expect(importStopped(order, { ...elsewhere, env: named })).rejects.toThrow(
      /mining still runs: mining-1 holds the lease sweep\.3/,
    );
    await leases.deleteOne({ _id: lease._id });
  });
});

describe('what is refused leaves everything as it was', () => {
  let before: Record<string, string[]>;
  beforeAll(async () => {
    before = await restored.everything();
  });
  async function expectRefused(name: string, reason: string | RegExp): Promise<void> {
    await expect(imported(restored, name)).rejects.toThrow(reason);
    expect(await restored.everything()).toEqual(before);
  }

  test('a file that is cut off, changed in one bit, of another program or of the release before', async () => {
    const whole = await readFile(file('plain'));
    await writeFile(file('cut'), whole);
    await truncate(file('cut'), whole.length - 4_096);
    await expectRefused('cut', /is cut off|has no manifest/);
    const read = await Backup.open(file('plain'));
    for (const name of ['mining/entries/000001.bson.gz', 'files/clock.json', 'manifest.json']) {
      const changed = Buffer.from(whole);
      const at = read.entries.get(name).offset + 5;
      changed[at] = changed.readUInt8(at) ^ 1;
      await writeFile(file('changed'), changed);
      await expectRefused('changed', `damaged: ${name} is not what was written`);
    }
    await read.close();
    await writeFile(file('noise'), 'noise'.repeat(1_000));
    await expectRefused('noise', 'is not a CORD export');
    await writeFile(file('former'), Buffer.from([0x1f, 0x8b, 8, 0]));
    await expectRefused('former', 'of a release before this one');
  });

  test('tombstones and used signatures under another TOMBSTONE_KEY, by its name', async () => {
    const other = await system('other-key');
    await expect(imported(other, 'plain')).rejects.toThrow('under another TOMBSTONE_KEY');
    expect(await other.everything()).toEqual({});
    // Whoever was erased here would be forgotten under the key that comes.
    await other.client
      .db('cord_auth')
      .collection('tombstones')
      .insertOne({ _id: 'own' as never });
    await expect(imported(other, 'sealed', { passphrase: PASSPHRASE })).rejects.toThrow(/erased here under another/);
  });

  test('a file that somebody has changed and hashed anew, whoever it makes an admin; a list of erasures likewise', async () => {
    const makesAdmins = (users: Buffer) =>
      Buffer.concat([...documentsIn(users)].map((bytes) => bytesOf({ ...documentOf(bytes), isAdmin: true })));
    await forged('plain', 'forged', 'auth/users/000001.bson.gz', makesAdmins);
    const read = await Backup.open(file('forged'));
    await read.verify();
    expect((await adminsIn(read)).map(({ username }: { username: string }) => username)).toEqual(['u0', 'u1', 'u2']);
    await read.close();
    await expectRefused('forged', /was changed after it was made/);
    // Nor does it help to sign it with a key of one's own, or to leave the signature out.
    await forged('plain', 'signed', 'auth/users/000001.bson.gz', makesAdmins, (text) => macOf(text, 'k'.repeat(64)));
    await expectRefused('signed', /was changed after it was made/);
    await forged('plain', 'unsigned', 'auth/users/000001.bson.gz', makesAdmins, () => undefined);
    await expectRefused('unsigned', /did not sign its files/);
    await exported(old, 'erased', { erasuresOnly: true });
    await forged('erased', 'erasing', 'auth/erasures/000001.bson.gz', () => bytesOf({ _id: 'u0', atMs: 1 }));
    await expect(imported(restored, 'plain', { erasures: file('erasing') })).rejects.toThrow(/was changed after/);
    expect(await restored.everything()).toEqual(before);
    // Sealed secrets of a true file in a false one are those of another instant.
    await forged('sealed', 'sealed-forged', 'auth/users/000001.bson.gz', makesAdmins);
    await expect(imported(restored, 'sealed-forged', { passphrase: PASSPHRASE })).rejects.toThrow(/was changed after/);
    expect(await restored.everything()).toEqual(before);
  });

  test('a file that is another one than was looked at; one that cannot be proven is taken only on demand', async () => {
    const read = await Backup.open(file('plain'));
    await read.close();
    const looked = { manifestHash: read.manifestHash };
    await expect(imported(restored, 'forged', { ...looked, unverified: true })).rejects.toThrow(/Start again/);
    expect(await restored.everything()).toEqual(before);
    const to = await system('on-demand');
    await withKeysOf(to, old);
    expect(await imported(to, 'forged', { unverified: true })).toMatch(/3 accounts/);
    expect(await to.client.db('cord_auth').collection('users').countDocuments({ isAdmin: true })).toBe(3);
  });

  test('by the command, until the admins of the file are agreed to', async () => {
    const dataDir = join(place.folder, 'asked');
    await withKeysOf({ dataDir }, old);
    const command = (...words: string[]) =>
      promisify(execFile)(
        process.execPath,
        ['infra/cli/cord.mjs', 'data', 'import', file('plain'), '--data', dataDir, ...words],
        {
          cwd: ROOT,
        },
      );
    const refusal = await command().catch((error) => error);
    expect(refusal.stdout).toContain('makes admins of:\n  u2 (Discord du2)\n');
    expect(refusal.stderr).toContain('needs --yes');
    expect(existsSync(join(dataDir, 'store'))).toBe(false);
    expect((await command('--yes')).stdout).toMatch(/3 accounts, 0 people erased again/);
  });

  test('a ledger that does not add up', async () => {
    const wrong = await system('wrong');
    await withKeysOf(wrong, old);
    await fill(wrong.client);
    const accounts = wrong.client.db('cord_mining').collection('accounts');
    await accounts.updateOne({ _id: 'u1' as never }, { $inc: { balanceMicro: 1n } });
    await exported(wrong, 'drifted');
    await expectRefused('drifted', /account u1: balance/);
    await accounts.deleteOne({ _id: 'u1' as never });
    await exported(wrong, 'orphaned');
    await expectRefused('orphaned', /entries of u1, who has no account/);
    // Better than none, where nothing else is left.
    const drifted = await Backup.open(file('drifted'));
    await checkBackup(drifted, undefined, { acceptDrift: true });
    await drifted.close();
  });

  test('data of a newer release, by the collection', async () => {
    const newer = await system('newer');
    await withKeysOf(newer, old);
    await fill(newer.client);
    const state = { _id: 'accounts' as never, version: 9, indexes: [], gone: [] };
    await newer.client.db('cord_mining').collection('schema').insertOne(state);
    await exported(newer, 'newer');
    await expectRefused('newer', 'mining.accounts is of schema 9 there, this one reads up to 1');
  });
});

test('who was erased since is erased again, also from the list of a system that is no more', async () => {
  const auth = restored.client.db('cord_auth');
  await auth.collection('users').deleteOne({ _id: 'u1' as never });
  await auth.collection('erasures').insertOne({ _id: 'u1' as never, atMs: 9, seq: 2, outbox: [] });
  await auth.collection('tombstones').insertOne({ _id: 'tombstone-u1' as never });
  await exported(restored, 'list', { erasuresOnly: true });

  const fresh = await system('fresh');
  await withKeysOf(fresh, old);
  for (const [target, order] of [[restored, {}] as const, [fresh, { erasures: file('list') }] as const]) {
    expect(await imported(target, 'plain', order)).toMatch(/1 people erased again/);
    const restored = target.client.db('cord_auth');
    expect(await restored.collection('users').distinct('_id')).toEqual(['u0', 'u2']);
    expect(await restored.collection('tombstones').distinct('_id')).toEqual(['tombstone-gone', 'tombstone-u1']);
    // auth's sweep finds it due, and does the rest.
    expect(await restored.collection('erasures').distinct('_id', { dueAtMs: { $lte: 0 } })).toEqual(['u1']);
  }
  await expect(imported(fresh, 'list')).rejects.toThrow('erasures alone');
});

test('killed before any of its steps: all is as it was, or nobody works on it until it is done again', async () => {
  const to = await system('killed');
  await withKeysOf(to, old);
  await fill(to.client, 5);
  const before = await to.everything();
  const some = ['mark', 'load auth'];
  for (const killedAt of process.env.PROOF === '1' ? STEPS : some) {
    const dying = imported(to, 'plain', {}, { atEach: (step: string) => step === killedAt && Promise.reject(Error()) });
    await expect(dying, killedAt).rejects.toThrow();
    if (killedAt === 'mark') expect(await to.everything()).toEqual(before);
    else await expect(migrateAll(to.uri), killedAt).rejects.toThrow('half of an import is here');
    if (killedAt === 'load auth') await expect(exported(to, 'half')).rejects.toThrow('half of an import is here');
  }
  const steps: string[] = [];
  await imported(to, 'plain', {}, { atEach: (step: string) => steps.push(step) });
  expect(steps).toEqual(STEPS);
  const expected = await old.everything();
  const after = await to.everything();
  expect(await to.client.db('cord_auth').collection('audit').countDocuments({ action: 'data.import' })).toBe(1);
  for (const name of ['mining/entries', 'auth/users', 'auth/tombstones', 'rewards/signatures', 'tasks/catalogue'])
    expect(after[name], name).toEqual(expected[name]);
  expect(after['mining/accounts']).toHaveLength(3);
  expect(await migrateAll(to.uri)).toBe(0);
});

const ALL = ['auth', 'notices', 'leaderboard', 'referrals', 'rewards', 'tasks', 'mining'];
const each = (verb: string) => ALL.map((service) => `${verb} ${service}`);
/** What an import does, in its order. */
const STEPS = [
  ...['mark', 'secrets', ...each('clear'), ...each('load')],
  ...['erasures', 'migrate', 'files', 'audit', 'streams', ...each('end')],
];
