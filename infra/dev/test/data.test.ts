import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { keyRecordText } from '@cord/contracts/proof/records';
import { describe, expect, test, vi } from 'vitest';
import { logKey } from '../../../services/mining/roots/key.js';
import { exportTo } from '../backup/export.ts';
import { secretsOf } from '../backup/keys.ts';
import { localFiles } from '../backup/load.ts';
import { Backup } from '../backup/read.ts';
import { sealSecrets } from '../backup/secrets.ts';
import { copyIn } from '../backup/source.ts';
import { importStopped } from '../backup/stopped.ts';
import { migrateAll } from '../starter/migrate.ts';
import { fill, HASHES } from './backup.js';
import {
  CHAIN,
  exported,
  file,
  imported,
  old,
  PASSPHRASE,
  place,
  prepareSystems,
  restOf,
  restored,
  type System,
  system,
  where,
  withKeysOf,
} from './backup-systems.js';

const NOT_CARRIED =
  /^(\w+\/(leases|schema|imports|snapshots|audits|backups|root_log)|auth\/(sessions|signing_keys|mined_\w+|addresses))$/;

prepareSystems();

describe('an import of the clock and the chain of local mode', () => {
  const inFolder = async (name: string, clock: string, chain: string) => {
    const dataDir = join(place.folder, name);
    await mkdir(join(dataDir, 'solana'), { recursive: true });
    await writeFile(join(dataDir, 'clock.json'), clock);
    await writeFile(join(dataDir, 'solana/journal.jsonl'), chain);
    const read = await Backup.open(file('plain'));
    await localFiles(read, dataDir);
    await read.close();
    return Promise.all(['clock.json', 'solana/journal.jsonl'].map((one) => readFile(join(dataDir, one), 'utf8')));
  };

  test('keeps a later clock and chain, with the memos of the log of roots', async () => {
    const later = `${CHAIN}{"kind":"airdrop","address":"a","lamports":1}\n`;
    expect(await inFolder('later', '{"offsetMs":7}', later)).toEqual(['{"offsetMs":7}', later]);
  });

  test('replaces an earlier clock, and the chain of another system', async () => {
    const another = CHAIN.replace('"h"', '"i"');
    expect(await inFolder('another', '{"offsetMs":3}', another)).toEqual(['{"offsetMs":5}', CHAIN]);
    expect(await inFolder('empty', '{}', '')).toEqual(['{"offsetMs":5}', CHAIN]);
  });
});

describe('an export and its import', () => {
  test('add one line to the audit log, the newest one', async () => {
    const lines = await restored.client.db('cord_auth').collection('audit').find({ action: 'data.import' }).toArray();
    expect(lines).toMatchObject([
      {
        adminId: '0'.repeat(32),
        target: 'plain.tar',
        detail: { by: userInfo().username, instant: expect.stringMatching(/^\d{4}-/) },
      },
    ]);
  });

  test('carry every document byte for byte, without sessions or address hashes', async () => {
    const [before, after] = [await old.everything(), await restOf(restored)];
    // Address hashes are left out, and unfinished erasures resume.
    const changed = ['mining/accounts', 'auth/assessments', 'referrals/members', 'auth/erasures'];
    for (const [name, documents] of Object.entries(before))
      if (!NOT_CARRIED.test(name) && !changed.includes(name)) expect(after[name], name).toEqual(documents);
    const carried = Object.keys(before).filter((name) => !NOT_CARRIED.test(name));
    expect(
      Object.keys(after)
        .filter((name) => !NOT_CARRIED.test(name))
        .sort(),
    ).toEqual(carried.sort());
    for (const hash of HASHES) expect(JSON.stringify(after)).not.toContain(Buffer.from(hash).toString('hex'));
    expect(JSON.stringify(after)).not.toContain(Buffer.from('sealed').toString('hex'));
    // This makes referrals keep holds unchanged while the address is unknown.
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
    // In the state after npx cord migrate, which services wait for; a finished backfill does not run again.
    expect(await migrateAll(restored.uri)).toBe(0);
    expect(await restored.client.db('cord_mining').collection('entries').indexExists('userId_1_seq_-1')).toBe(true);
  });

  test('have no address hash in a file without secrets', async () => {
    const backup = await Backup.open(file('plain'));
    const stored = JSON.stringify(await old.everything());
    for (const hash of HASHES) {
      expect(stored).toContain(Buffer.from(hash).toString('hex'));
      for (const [service, collections] of Object.entries(backup.manifest.databases))
        for (const name of Object.keys(collections))
          for await (const bytes of backup.documents(service, name))
            expect(bytes.includes(hash), `${service}.${name}`).toBe(false);
    }
    await backup.close();
  });

  test('carry the keys and their hashes with secrets, which only the passphrase opens', async () => {
    const to = await system('sealed');
    await expect(imported(to, 'sealed', { passphrase: 'another passphrase' })).rejects.toThrow('does not decrypt');
    expect(await to.everything()).toEqual({});
    // What `npx cord keys` renews stays the system's own: a revoked value must not return with an older backup.
    const { SESSION_SECRET, KEY_ENCRYPTION_KEY } = await secretsOf(where(to));
    await imported(to, 'sealed', { passphrase: PASSPHRASE });
    const [before, after] = [await old.everything(), await to.everything()];
    for (const name of ['mining/accounts', 'auth/assessments', 'auth/mined_addresses', 'referrals/members'])
      expect(after[name], name).toEqual(before[name]);
    expect(after).not.toHaveProperty('auth/sessions');
    expect(after).not.toHaveProperty('auth/signing_keys');
    const secrets = await secretsOf(where(old));
    expect(await secretsOf(where(to))).toEqual({ ...secrets, SESSION_SECRET, KEY_ENCRYPTION_KEY });
    const bytes = await readFile(file('sealed'), 'latin1');
    for (const secret of Object.values(secrets)) expect(bytes).not.toContain(secret);
    expect((await stat(file('sealed'))).mode & 0o777).toBe(0o600);
    // The default cost: 128 MiB and half a second per guess.
    expect(JSON.parse((await sealSecrets(secrets, PASSPHRASE, '')).toString())).toMatchObject({
      kdf: 'scrypt',
      N: 2 ** 17,
      r: 8,
      p: 1,
    });
  });

  test('keep the keys of the log of roots and of its memos where the log stays and has a newer key than the file', async () => {
    const to = await system('log-key');
    await withKeysOf(to, old);
    const mining = to.client.db('cord_mining');
    const own = async () => (await secretsOf(where(to))).LEDGER_LOG_KEY ?? '';
    const [{ LEDGER_LOG_KEY: former = '' }, newest] = [await secretsOf(where(old)), await own()];
    const origin = 'cord.test/ledger';
    const vkeyOf = (key: string) => logKey(key).vkey(origin);
    const record = { day: '', run: '', shuffle: '', accounts: 0, atMs: 0 };
    await mining.collection('root_log').insertOne({ _id: 'log' as never, origin, vkey: vkeyOf(former) });
    await mining
      .collection('root_records')
      .insertOne({ _id: 0 as never, ...record, text: keyRecordText({ vkey: vkeyOf(newest), from: 1 }) });
    const memoFile = join(to.dataDir, 'secrets/ledger-memo-key');
    const ownMemo = 'a'.repeat(64);
    await writeFile(memoFile, ownMemo);
    await imported(to, 'sealed', { passphrase: PASSPHRASE });
    expect(await own()).toBe(newest);
    expect(await readFile(memoFile, 'utf8')).toBe(ownMemo);
    // A key that the log does not name is no loss: that of the file may be the right one.
    await writeFile(join(to.dataDir, 'secrets/ledger-log-key'), 'f'.repeat(64));
    await imported(to, 'sealed', { passphrase: PASSPHRASE });
    expect(await own()).toBe(former);
    expect((await readFile(memoFile, 'utf8')).trim()).toBe((await secretsOf(where(old))).LEDGER_MEMO_KEY);
  });

  test('work with secrets that lack the optional memo and push keys', async () => {
    const { LEDGER_MEMO_KEY: _memo, VAPID_PRIVATE_KEY: _push, ...secrets } = await secretsOf(where(old));
    await exported(old, 'without-optional', { passphrase: PASSPHRASE, secrets });
    const to = await system('from-without-optional');
    expect(await imported(to, 'without-optional', { passphrase: PASSPHRASE })).toMatch(/3 accounts/);
    expect((await readFile(join(to.dataDir, 'secrets/tombstone-key'), 'utf8')).trim()).toBe(secrets.TOMBSTONE_KEY);
  });

  test('fail for a store that copied itself to another machine, instead of finding an empty one', async () => {
    await expect(copyIn(join(place.folder, 'elsewhere'), '')).rejects.toThrow('another machine: export it there');
  });

  test('survive two concurrent exports to one file, and report an abandoned draft', async () => {
    const left = `${file('twice')}.1.part`;
    await writeFile(left, 'half');
    const lines: string[] = [];
    await Promise.all([1, 2].map(() => exported(old, 'twice', { report: (line) => lines.push(line) })));
    const read = await Backup.open(file('twice'));
    await read.verify();
    await read.close();
    expect(lines).toContainEqual(expect.stringContaining(left));
    expect((await readdir(place.folder)).filter((name) => name.startsWith('twice'))).toEqual([
      'twice.tar',
      'twice.tar.1.part',
    ]);
  });

  test('give mining the time of the last full export; an erasure list gives none', async () => {
    const from = await system('noted');
    await withKeysOf(from, old);
    const noted = () => from.client.db('cord_mining').collection('backups').find().toArray();
    await exported(from, 'noted-list', { erasuresOnly: true });
    expect(await noted()).toEqual([]);
    const { instant } = await exported(from, 'noted');
    expect(await noted()).toEqual([{ _id: 'last', atMs: Date.parse(instant) }]);
    await expect(exportTo({ file: place.folder, uri: from.uri, ...where(from), secrets: {} })).rejects.toThrow(
      'is not a regular file',
    );
    const later = await exported(from, 'noted');
    expect(await noted()).toEqual([{ _id: 'last', atMs: Date.parse(later.instant) }]);
  });

  test('use a plain tar with a manifest that describes it', async () => {
    const { stdout } = await promisify(execFile)('tar', ['-tf', file('plain')]);
    expect(stdout).toContain('mining/accounts/000001.bson.gz\n');
    const last = ['manifest.json', 'manifest.json.sha256', 'manifest.json.hmac'];
    expect(stdout.trimEnd().split('\n').slice(-3)).toEqual(last);
    const read = await Backup.open(file('plain'));
    expect(read.manifest).toMatchObject({ format: 'cord-backup', version: 2, mode: 'local', secrets: null });
    expect(read.manifest.databases.mining?.entries).toMatchObject({ documents: 9 });
    await read.close();
  });
});

describe('an import into a stopped system', () => {
  const report = () => undefined;

  test('starts the store, stops it, and deletes only CORD’s NATS streams', async () => {
    const dataDir = join(place.folder, 'stopped');
    await withKeysOf({ dataDir }, old);
    const kept = ['CORD_BALANCE', 'KV_of_another'].map((name) => join(dataDir, 'nats/jetstream/CORD/streams', name));
    for (const folder of kept) await mkdir(folder, { recursive: true });
    expect(await importStopped({ file: file('plain') }, { ...where({ dataDir }), report })).toMatch(/3 accounts/);
    expect(kept.map((folder) => existsSync(folder))).toEqual([false, true]);
    // A second server on the folder is refused, so this proves that no process holds it.
    const stopped = await system('stopped');
    const [after, expected] = [await restOf(stopped), await restOf(restored)];
    const names = Object.keys(expected).filter((name) => !NOT_CARRIED.test(name));
    for (const name of names) expect(after[name], name).toEqual(expected[name]);
  });

  test('needs NATS_URL with a MONGODB_URI, and no running service', async () => {
    const env = { MONGODB_URI: restored.uri };
    const elsewhere = { ...where({ dataDir: join(place.folder, 'elsewhere') }), report };
    const order = { file: file('plain') };
    await expect(importStopped(order, { ...elsewhere, env })).rejects.toThrow('set NATS_URL as well');
    const leases = restored.client.db('cord_mining').collection('leases');
    const lease = { _id: 'sweep.3' as never, holder: 'mining-1', untilMs: Date.now() + 60_000 };
    await leases.insertOne(lease);
    const named = { ...env, NATS_URL: 'nats://127.0.0.1:9' };
    await expect(importStopped(order, { ...elsewhere, env: named })).rejects.toThrow(
      /mining is still running: mining-1 holds the lease sweep\.3/,
    );
    // Leases expire by the store's clock, which services use, not by the operator's machine.
    const ahead = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 120_000);
    try {
      await expect(importStopped(order, { ...elsewhere, env: named })).rejects.toThrow('mining is still running');
    } finally {
      ahead.mockRestore();
    }
    await leases.deleteOne({ _id: lease._id });
  });

  test('changes nothing when NATS cannot be reached', async () => {
    const dataDir = join(place.folder, 'unreached');
    await withKeysOf({ dataDir }, old);
    const elsewhere = { ...where({ dataDir }), report };
    const env = { MONGODB_URI: restored.uri, NATS_URL: 'nats://127.0.0.1:9' };
    const before = await restOf(restored);
    await expect(importStopped({ file: file('plain') }, { ...elsewhere, env })).rejects.toThrow(
      'NATS at 127.0.0.1:9 did not respond',
    );
    expect(await restOf(restored)).toEqual(before);
  });
});

test('users erased since the backup are erased again, also from the erasure list of a lost system', async () => {
  const auth = restored.client.db('cord_auth');
  await auth.collection('users').deleteOne({ _id: 'u1' as never });
  await auth.collection('erasures').insertOne({ _id: 'u1' as never, atMs: 9, seq: 2, outbox: [] });
  await auth.collection('tombstones').insertOne({ _id: 'tombstone-u1' as never });
  // Made every few minutes, even with a full disk, so it must not copy the store.
  expect((await exported(restored, 'list', { erasuresOnly: true })).how).toBe('as the store stands');

  const fresh = await system('fresh');
  await withKeysOf(fresh, old);
  for (const [target, order] of [[restored, {}] as const, [fresh, { erasures: file('list') }] as const]) {
    expect(await imported(target, 'plain', order)).toMatch(/1 users erased again/);
    const restored = target.client.db('cord_auth');
    expect(await restored.collection('users').distinct('_id')).toEqual(['u0', 'u2']);
    expect(await restored.collection('tombstones').distinct('_id')).toEqual(['tombstone-gone', 'tombstone-u1']);
    // auth's sweep finds it due and finishes it.
    expect(await restored.collection('erasures').distinct('_id', { dueAtMs: { $lte: 0 } })).toEqual(['going', 'u1']);
  }
  await expect(imported(fresh, 'list')).rejects.toThrow('erasures only');
});

test('an erasure that was in progress at the backup resumes, even if it has finished since', async () => {
  const erasures = restored.client.db('cord_auth').collection('erasures');
  const due = { _id: 'going' as never, dueAtMs: 0 };
  await erasures.updateOne({ _id: 'going' as never }, { $unset: { dueAtMs: 1 } });
  await imported(restored, 'plain');
  expect(await erasures.countDocuments(due)).toBe(1);
  // An erasure that the file has as finished is not due.
  expect(await erasures.countDocuments({ _id: 'gone' as never, dueAtMs: { $exists: true } })).toBe(0);
});

test('an import never sets the signed log of the ledger back, and an erasure list holds no log', async () => {
  const mining = restored.client.db('cord_mining');
  const confirms = () => mining.collection('root_log').find().toArray();
  // In a store without records, a file without any may predate a root that users saw.
  expect(await confirms()).toEqual([{ _id: 'restored', records: 0 }]);
  await mining.collection('root_log').deleteMany({});
  const record = { day: '2026-11-25', text: 'x', run: 'r', shuffle: '', accounts: 0 };
  const own = { _id: 1 as never, root: 'own' };
  await mining.collection('root_heads').insertOne(own);
  await mining.collection('root_records').insertOne({ _id: 0 as never, ...record });
  await exported(restored, 'listed', { erasuresOnly: true });
  await exported(restored, 'logged');
  const list = await Backup.open(file('listed'));
  expect(list.manifest.databases.mining).toEqual({});
  await list.close();
  await mining.collection('root_heads').insertOne({ _id: 2 as never, root: 'later' });
  await imported(restored, 'logged', { erasures: file('listed') });
  expect(await mining.collection('root_heads').distinct('root')).toEqual(['later', 'own']);
  // A log that existed before is not from the file; the import still reports its errors.
  expect(await confirms()).toEqual([]);
  await mining.collection('root_heads').deleteMany({});
  await mining.collection('root_records').deleteMany({});
  const lines: string[] = [];
  await imported(restored, 'logged', {}, { report: (line) => void lines.push(line) });
  expect(await mining.collection('root_heads').distinct('root')).toEqual(['own']);
  expect(lines).toContain('the log of roots: record 0 is not the record of 2026-11-25');
  // Users may have seen later roots, so a person must confirm it (`npx cord log continue`).
  expect(await confirms()).toEqual([{ _id: 'restored', records: 1 }]);
  // A mark in a file belongs to the exporting store.
  await exported(restored, 'marked');
  await mining.collection('root_log').deleteMany({});
  await imported(restored, 'marked');
  expect(await confirms()).toEqual([]);
  for (const name of ['root_heads', 'root_records', 'root_log']) await mining.dropCollection(name);
});

test('an import killed before any step changes nothing, or blocks all work until it is repeated', async () => {
  const to = await system('killed');
  await withKeysOf(to, old);
  await fill(to.client, 5);
  const before = await to.everything();
  const some = ['mark', 'load auth'];
  for (const killedAt of process.env.PROOF === '1' ? STEPS : some) {
    const dying = imported(
      to,
      'plain',
      {},
      {
        atEach: async (step) => {
          if (step === killedAt) throw Error();
        },
      },
    );
    await expect(dying, killedAt).rejects.toThrow();
    if (killedAt === 'mark') expect(await to.everything()).toEqual(before);
    else await expect(migrateAll(to.uri), killedAt).rejects.toThrow('an import is incomplete');
    if (killedAt === 'load auth') await expect(exported(to, 'half')).rejects.toThrow('an import is incomplete');
  }
  const steps: string[] = [];
  await imported(to, 'plain', {}, { atEach: (step) => void steps.push(step) });
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
/** The steps of an import, in order. */
const STEPS = [
  ...['mark', 'secrets', ...each('clear'), ...each('load')],
  ...['erasures', 'migrate', 'files', 'audit', 'streams', ...each('end')],
];
