import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { lstat, mkdir, readdir, readFile, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../cli/in-process.ts';
import { cord } from '../../test/kit/cord.ts';
import { bytesOf, documentOf, documentsIn } from '../backup/bson.ts';
import { checkBackup } from '../backup/import.ts';
import { adminsIn, Backup } from '../backup/read.ts';
import { macOf } from '../backup/secrets.ts';
import { processStart } from '../starter/pids.ts';
import { fill } from './backup.js';
import {
  exported,
  file,
  forged,
  imported,
  old,
  PASSPHRASE,
  place,
  prepareSystems,
  restored,
  system,
  withKeysOf,
} from './backup-systems.js';

prepareSystems();

/** Returns the content of the system, without the mark of an export. */
async function standing(): Promise<Record<string, string[]>> {
  const { 'mining/backups': _mark, ...rest } = await restored.everything();
  return rest;
}

describe('without any change, the system rejects', () => {
  let before: Record<string, string[]>;
  beforeAll(async () => {
    before = await standing();
  });
  async function expectRefused(name: string, reason: string | RegExp): Promise<void> {
    await expect(imported(restored, name)).rejects.toThrow(reason);
    expect(await standing()).toEqual(before);
  }

  test('a file that is cut off, changed in one bit, or from another program', async () => {
    const whole = await readFile(file('plain'));
    await writeFile(file('cut'), whole);
    await truncate(file('cut'), whole.length - 4_096);
    await expectRefused('cut', /is truncated|has no manifest/);
    const read = await Backup.open(file('plain'));
    for (const name of ['mining/entries/000001.bson.gz', 'files/clock.json', 'manifest.json']) {
      const changed = Buffer.from(whole);
      const at = (read.entries.get(name)?.offset ?? 0) + 5;
      changed[at] = changed.readUInt8(at) ^ 1;
      await writeFile(file('changed'), changed);
      await expectRefused('changed', `damaged: the hash of ${name} does not match`);
    }
    await read.close();
    await writeFile(file('noise'), 'noise'.repeat(1_000));
    await expectRefused('noise', 'is not a CORD export');
  });

  test('an export onto a path that is not a file: a folder, a link to stdout', async () => {
    await mkdir(file('folder'));
    await symlink('/dev/stdout', file('output'));
    for (const name of ['folder', 'output'])
      await expect(exported(restored, name)).rejects.toThrow(`${file(name)} exists and is not a regular file`);
    expect((await lstat(file('output'))).isSymbolicLink()).toBe(true);
    expect(await readdir(join(file('folder'), '..'))).not.toContainEqual(expect.stringMatching(/\.part$/));
  });

  test('an import whose log of roots differs from the store’s, naming both logs', async () => {
    const mining = restored.client.db('cord_mining');
    const [records, logs] = [mining.collection('root_records'), mining.collection('root_log')];
    const marks = await logs.find().toArray();
    const days = [0, 1, 2].map((_id) => ({ _id: _id as never, text: `a${_id}` }));
    const insertLog = async (origin: string, own: typeof days) => {
      for (const collection of [records, logs]) await collection.deleteMany({});
      await logs.insertOne({ _id: 'log' as never, origin });
      await records.insertMany(own);
    };
    await insertLog('a.example/ledger', days);
    await exported(restored, 'log');
    const begun = [{ _id: 2 as never, text: 'begun', origin: 'a.example/ledger/2' }];
    const others = [
      { origin: 'b.example/ledger', own: days.map((day) => ({ ...day, text: 'b' })), at: 0, here: 'b.example/ledger' },
      { origin: 'a.example/ledger', own: [...days.slice(0, 2), ...begun], at: 2, here: 'a.example/ledger/2' },
    ];
    for (const { origin, own, at, here } of others) {
      await insertLog(origin, own);
      const all = await standing();
      await expect(imported(restored, 'log')).rejects.toThrow(
        `record ${at} belongs to ${here} here, to a.example/ledger in the file. Import it into an empty store`,
      );
      expect(await standing()).toEqual(all);
    }
    for (const collection of [records, logs]) await collection.deleteMany({});
    await logs.insertMany(marks);
    expect(await standing()).toEqual(before);
  });

  test('tombstones and used signatures under another TOMBSTONE_KEY, by its name', async () => {
    const other = await system('other-key');
    await expect(imported(other, 'plain')).rejects.toThrow('made with another TOMBSTONE_KEY');
    expect(await other.everything()).toEqual({});
    // With a different key, the system would forget a user erased here.
    await other.client
      .db('cord_auth')
      .collection('tombstones')
      .insertOne({ _id: 'own' as never });
    await expect(imported(other, 'sealed', { passphrase: PASSPHRASE })).rejects.toThrow(
      /erased here with a TOMBSTONE_KEY other/,
    );
  });

  test('a file changed after it was made, even with new hashes or another HMAC; an erasure list likewise', async () => {
    const makesAdmins = (users: Buffer) =>
      Buffer.concat([...documentsIn(users)].map((bytes) => bytesOf({ ...documentOf(bytes), isAdmin: true })));
    await forged('plain', 'forged', 'auth/users/000001.bson.gz', makesAdmins);
    const read = await Backup.open(file('forged'));
    await read.verify();
    expect((await adminsIn(read)).map(({ username }: { username: string }) => username)).toEqual(['u0', 'u1', 'u2']);
    await read.close();
    await expectRefused('forged', /was changed after the export/);
    // Signing it with another key, or removing the signature, does not help either.
    await forged('plain', 'signed', 'auth/users/000001.bson.gz', makesAdmins, (text) => macOf(text, 'k'.repeat(64)));
    await expectRefused('signed', /was changed after the export/);
    await forged('plain', 'unsigned', 'auth/users/000001.bson.gz', makesAdmins, () => undefined);
    await expectRefused('unsigned', /has no manifest.json.hmac/);
    await exported(old, 'erased', { erasuresOnly: true });
    await forged('erased', 'erasing', 'auth/erasures/000001.bson.gz', () => bytesOf({ _id: 'u0', atMs: 1 }));
    await expect(imported(restored, 'plain', { erasures: file('erasing') })).rejects.toThrow(/was changed after/);
    expect(await standing()).toEqual(before);
    // Sealed secrets are bound to the instant of their own file.
    await forged('sealed', 'sealed-forged', 'auth/users/000001.bson.gz', makesAdmins);
    await expect(imported(restored, 'sealed-forged', { passphrase: PASSPHRASE })).rejects.toThrow(/was changed after/);
    expect(await standing()).toEqual(before);
  });

  test('a file replaced since it was inspected; an unverifiable file needs an explicit flag', async () => {
    const read = await Backup.open(file('plain'));
    await read.close();
    const looked = { manifestHash: read.manifestHash };
    await expect(imported(restored, 'forged', { ...looked, unverified: true })).rejects.toThrow(/Start again/);
    expect(await standing()).toEqual(before);
    const to = await system('on-demand');
    await withKeysOf(to, old);
    expect(await imported(to, 'forged', { unverified: true })).toMatch(/3 accounts/);
    expect(await to.client.db('cord_auth').collection('users').countDocuments({ isAdmin: true })).toBe(3);
  });

  test('an import by the command until the admins in the file are confirmed with --yes', async () => {
    const dataDir = join(place.folder, 'prompted');
    await withKeysOf({ dataDir }, old);
    const command = (...args: string[]) => cord(['data', 'import', file('plain'), '--data', dataDir, ...args]);
    const refusal = await command();
    expect(refusal.code).toBe(1);
    expect(refusal.stdout).toContain('makes admins of:\n  u2 (Discord du2)\n');
    expect(refusal.stderr).toContain('needs --yes');
    expect(existsSync(join(dataDir, 'store'))).toBe(false);
    expect((await command('--yes')).stdout).toMatch(/3 accounts, 0 users erased again/);
  });

  test('a reset while MONGODB_URI is set: it would delete the secrets and keep the databases', async () => {
    const env = { MONGODB_URI: restored.uri };
    const refusal = await run(['data', 'reset', '--data', restored.dataDir], env);
    expect(refusal).toMatchObject({ status: 1, stderr: expect.stringContaining('MONGODB_URI') });
    expect(await standing()).toEqual(before);
    expect(existsSync(join(restored.dataDir, 'secrets/tombstone-key'))).toBe(true);
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
    await expectRefused('orphaned', /u1 has entries, but no account/);
    // Accepted with acceptDrift, when nothing else is left.
    const drifted = await Backup.open(file('drifted'));
    await checkBackup(drifted, undefined, { acceptDrift: true });
    await drifted.close();
  });

  test('data of a newer release, naming the collection', async () => {
    const newer = await system('newer');
    await withKeysOf(newer, old);
    await fill(newer.client);
    const state = { _id: 'accounts' as never, version: 9, indexes: [], gone: [] };
    await newer.client.db('cord_mining').collection('schema').insertOne(state);
    await exported(newer, 'newer');
    await expectRefused('newer', 'mining.accounts has schema 9, this release reads up to 1');
  });
});

test('a reset ends the processes of a killed start before it deletes the data', async () => {
  const dataDir = join(place.folder, 'left');
  await mkdir(join(dataDir, 'store'), { recursive: true });
  const left = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  const ended = once(left, 'exit');
  await once(left, 'spawn');
  const services = { store: [{ pid: left.pid, startedAt: processStart(left.pid ?? 0), metricsUrl: null }] };
  await writeFile(join(dataDir, 'run.json'), JSON.stringify({ mode: 'local', services }));
  expect((await run(['data', 'reset', '--data', dataDir])).stdout).toContain('removed: store');
  await ended;
  expect(await readdir(dataDir)).toEqual([]);
});
