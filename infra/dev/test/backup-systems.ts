import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type EmbeddedMongo, startEmbeddedMongo } from '@cord/embedded-mongo';
import { scratch } from '@cord/kit/testing/scratch';
import { mongo } from 'mongoose';
import { afterAll, beforeAll, expect } from 'vitest';
import { documentsIn } from '../backup/bson.ts';
import { exportTo } from '../backup/export.ts';
import { type ImportOrder, type ImportTarget, runImport } from '../backup/import.ts';
import { secretsOf } from '../backup/keys.ts';
import { Backup } from '../backup/read.ts';
import { TarWriter } from '../backup/tar.ts';
import { everything, fill } from './backup.js';

export const PASSPHRASE = 'correct horse battery';
/** A cheap cost of a passphrase guess; the real one takes half a second of a core. */
const SEAL_COST = { N: 2 ** 10, r: 8, p: 1 };

export let place: Awaited<ReturnType<typeof scratch>>;
const open: (() => Promise<unknown>)[] = [];

export interface System {
  uri: string;
  dataDir: string;
  client: mongo.MongoClient;
  everything(): Promise<Record<string, string[]>>;
}

/** Starts the store of a stopped system, in its own data folder. */
export async function system(name: string): Promise<System> {
  const dataDir = join(place.folder, name);
  const server: EmbeddedMongo = await startEmbeddedMongo({ port: 0, dataDir: join(dataDir, 'store') });
  open.push(() => server.close());
  const client = await mongo.MongoClient.connect(server.uri);
  open.push(() => client.close());
  return { uri: server.uri, dataDir, client, everything: () => everything(client) };
}

export const file = (name: string) => join(place.folder, `${name}.tar`);
/** Returns the content of a system, without the audit log lines of imports. */
export async function restOf(system: Pick<System, 'everything'>): Promise<Record<string, string[]>> {
  const { 'auth/audit': audit = [], ...rest } = await system.everything();
  return { ...rest, 'auth/audit': audit.filter((hex) => !Buffer.from(hex, 'hex').includes('data.import')) };
}
export const where = ({ dataDir }: Pick<System, 'dataDir'>) => ({ env: {}, dataDir, local: true });
export async function exported(from: System, name: string, more: Partial<Parameters<typeof exportTo>[0]> = {}) {
  const secrets = await secretsOf(where(from));
  return exportTo({ file: file(name), uri: from.uri, ...where(from), secrets, ...more });
}
/** Copies the keys of another system into the folder of this one. */
export async function withKeysOf(to: Pick<System, 'dataDir'>, from: System): Promise<void> {
  const { TOMBSTONE_KEY } = await secretsOf(where(from));
  await secretsOf(where(to));
  await writeFile(join(to.dataDir, 'secrets/tombstone-key'), TOMBSTONE_KEY ?? '');
}
export function imported(
  to: System,
  name: string,
  order: Partial<ImportOrder> = {},
  more: Partial<ImportTarget> = {},
): Promise<string> {
  const target = { uri: to.uri, ...where(to), remakeStreams: async () => undefined, ...more };
  return runImport({ file: file(name), ...order }, target, async () => undefined);
}

/**
 * Rewrites a file with one part changed and matching hashes and counts, as an attacker could.
 * @param sign makes the HMAC of the manifest; defaults to the old HMAC
 */
export async function forged(
  from: string,
  name: string,
  part: string,
  change: (bytes: Buffer) => Buffer,
  sign?: (manifest: Buffer) => string | undefined,
): Promise<void> {
  const read = await Backup.open(file(from));
  const tar = await TarWriter.create(file(name));
  const { manifest } = read;
  for (const entry of [...read.entries.keys()].filter((each) => !each.startsWith('manifest.json'))) {
    const bytes: Buffer = await read.bytesOf(entry);
    if (entry !== part) {
      await tar.add(entry, bytes);
      continue;
    }
    const changed = change(gunzipSync(bytes));
    const [service, collection] = part.split('/') as [string, string];
    const documents = [...documentsIn(changed)].length;
    const written = { ...(await tar.add(entry, gzipSync(changed))), documents };
    Object.assign(manifest.databases[service] ?? {}, { [collection]: { documents, parts: [written] } });
  }
  const text = Buffer.from(JSON.stringify(manifest));
  const { sha256 } = await tar.add('manifest.json', text);
  await tar.add('manifest.json.sha256', Buffer.from(sha256));
  const mac = sign ? sign(text) : read.mac;
  if (mac) await tar.add('manifest.json.hmac', Buffer.from(mac));
  await tar.close();
  await read.close();
}

/** The chain of its local mode. */
export const CHAIN = '{"kind":"genesis","hash":"h","atMs":0}\n';

/** A system with three accounts; `plain` and `sealed` are exports of it. */
export let old: System;
/** The target system of imports. */
export let restored: System;

/** Creates the systems before the tests of a file, and stops them after. */
export function prepareSystems(): void {
  beforeAll(async () => {
    place = await scratch();
    old = await system('old');
    await fill(old.client);
    await old.client
      .db('cord_auth')
      .collection('audit')
      .insertOne({ _id: 'before' as never, action: 'role.admin' });
    await writeFile(join(old.dataDir, 'clock.json'), '{"offsetMs":5}');
    await mkdir(join(old.dataDir, 'solana'), { recursive: true });
    await writeFile(join(old.dataDir, 'solana/journal.jsonl'), CHAIN);
    await exported(old, 'plain');
    await exported(old, 'sealed', { passphrase: PASSPHRASE, sealCost: SEAL_COST });
    restored = await system('restored');
    await withKeysOf(restored, old);
    expect(await imported(restored, 'plain')).toMatch(/3 accounts, 0 users erased again/);
  });
  afterAll(async () => {
    for (const close of open.splice(0).reverse()) await close();
    await place.stop();
  });
}
