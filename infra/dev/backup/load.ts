import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { mongo } from 'mongoose';
import { CLOCK_FILE, offsetMsIn } from '../../../services/kit/clock-file.ts';
import { writeWhole } from '../../../services/kit/whole-file.ts';
import type { LogDoc, RecordDoc, RestoredDoc } from '../../../services/mining/roots/store.js';
import { StartError } from '../starter/problems.mjs';
import { documentOf, valuesOf } from './bson.ts';
import { isIn, KEPT, LOCAL_FILES, withoutAddresses } from './contents.ts';
import type { Backup } from './read.ts';

const DUPLICATE_KEY = 11000;
/** Id of the mark at the log; the mark in a file belongs to the store of the export. */
const RESTORED: RestoredDoc['_id'] = 'restored';
const JOURNALED: mongo.BulkWriteOptions = { writeConcern: { w: 'majority', journal: true } };

/** Removes from a database everything that the import replaces. */
export async function clear(service: string, db: mongo.Db): Promise<void> {
  const kept = ['imports', ...(KEPT[service] ?? [])];
  for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray())
    if (!kept.includes(name)) await db.dropCollection(name);
}

/**
 * Loads a service's documents and their schema versions; the migration makes the indexes.
 * @param withAddresses whether the system has the key of their address hashes
 */
export async function load(backup: Backup, service: string, db: mongo.Db, withAddresses: boolean): Promise<void> {
  const names = Object.keys(backup.manifest.databases[service] ?? {});
  // Records come before the head: after an aborted import, a head without records would let a new log take its place.
  const isFirst = (name: string) => Number(name === 'root_records');
  for (const name of names.sort((a, b) => isFirst(b) - isFirst(a))) {
    if (!isIn(service, name, withAddresses)) continue;
    const change = withAddresses ? undefined : withoutAddresses(service, name);
    const isKept = KEPT[service]?.includes(name) === true;
    for await (const batch of backup.batches(service, name)) {
      const documents = batch.map(documentOf).filter(({ _id }) => !(isKept && _id === RESTORED));
      if (change) for (const document of documents) change(document);
      if (documents.length > 0) await insert(db.collection(name), documents, isKept);
    }
  }
  const states = Object.entries(backup.manifest.schemas[service] ?? {});
  const kept = states.map(([_id, version]) => ({ _id, version, indexes: [], gone: [] }));
  if (kept.length > 0) await db.collection<{ _id: string }>('schema').insertMany(kept, JOURNALED);
}

/**
 * Marks the log of roots when records of it come from the file, or accounts come into a store without records: users may
 * have seen what was signed later. Called before the records, so that an aborted and repeated import has the mark too.
 * @param db of mining
 * @returns whether it set the mark
 */
export async function markLog({ manifest }: Backup, db: mongo.Db): Promise<boolean> {
  const { root_records, accounts } = manifest.databases.mining ?? {};
  const records = root_records?.documents ?? 0;
  const here = await db.collection('root_records').countDocuments();
  const areFirst = here === 0 && (accounts?.documents ?? 0) > 0;
  if (records <= here && !areFirst) return false;
  const marks = db.collection<RestoredDoc>('root_log');
  await marks.replaceOne({ _id: RESTORED }, { records }, { ...JOURNALED, upsert: true });
  return true;
}

/**
 * Refuses a file with a different log of roots than the store's, which stays: records of both would be mixed.
 * @param db of mining
 * @throws {StartError} naming both
 */
export async function refuseOtherLog(backup: Backup, db: mongo.Db): Promise<void> {
  const filed = (await allOf(backup, 'root_records')) as unknown as RecordDoc[];
  const here = await db.collection<RecordDoc>('root_records').find().sort({ _id: 1 }).toArray();
  const texts = new Map(here.map(({ _id, text }) => [Number(_id), text]));
  const other = filed.find(({ _id, text }) => (texts.get(Number(_id)) ?? text) !== text);
  if (!other) return;
  const [at, logs] = [Number(other._id), await db.collection<LogDoc>('root_log').find().toArray()];
  const filedLogs = (await allOf(backup, 'root_log')) as unknown as LogDoc[];
  throw new StartError(
    `the log of roots here differs from that of ${backup.path}: record ${at} belongs to ${nameOf(at, here, logs)} here, to ${nameOf(at, filed, filedLogs)} in the file. Import it into an empty store; if users saw a different log than that of the file, begin the log anew there (npx cord log begin).`,
  );
}

async function allOf(backup: Backup, collection: string): Promise<mongo.BSON.Document[]> {
  const documents: mongo.BSON.Document[] = [];
  for await (const bytes of backup.documents('mining', collection)) documents.push(valuesOf(bytes));
  return documents;
}

/** Returns the log that a record belongs to. The first record has its name once it is signed. */
function nameOf(at: number, records: readonly RecordDoc[], logs: readonly LogDoc[]): string {
  const begun = records.findLast(({ _id, origin }) => Number(_id) <= at && origin !== undefined);
  return begun?.origin ?? logs.find(({ _id }) => _id === 'log')?.origin ?? 'an unsigned log';
}

/** Inserts documents. Those never removed may exist already: from before, or from an aborted import. */
async function insert(collection: mongo.Collection, documents: mongo.BSON.Document[], mayBeThere: boolean) {
  try {
    await collection.insertMany(documents, { ...JOURNALED, ordered: false });
  } catch (error) {
    const errors = [(error as mongo.MongoBulkWriteError).writeErrors ?? []].flat();
    const isThere = mayBeThere && errors.length > 0 && errors.every(({ code }) => code === DUPLICATE_KEY);
    if (!isThere) throw error;
  }
}

/**
 * Restores the stand-ins' files of local mode. The clock never goes back and the chain only grows: the log of roots is
 * kept, and it refers to that time and to memos on that chain.
 */
export async function localFiles(backup: Backup, dataDir: string): Promise<void> {
  for (const { name, file } of backup.manifest.files) {
    if (!LOCAL_FILES.includes(file)) continue;
    const filed = await backup.bytesOf(name);
    const own = await readFile(join(dataDir, file)).catch(() => null);
    if (!own || !IS_NEWER[file]?.(own, filed)) await inFolder(dataDir, file, filed);
  }
}

/** Whether the system's own file is newer than the backup's, and stays. */
const IS_NEWER: Record<string, (own: Buffer, filed: Buffer) => boolean> = {
  [CLOCK_FILE]: (own, filed) => clockIn(own) > clockIn(filed),
  'solana/journal.jsonl': (own, filed) => own.subarray(0, filed.length).equals(filed),
};

/** How far ahead a clock is, in ms; -1 for a damaged one. */
function clockIn(file: Buffer): number {
  try {
    return offsetMsIn(file.toString());
  } catch {
    return -1;
  }
}

/** Writes a file of the data folder atomically. */
export async function inFolder(dataDir: string, name: string, content: string | Buffer): Promise<void> {
  const file = join(dataDir, name);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  if (!(await readFile(file).catch(() => null))?.equals(Buffer.from(content))) await writeWhole(file, content);
}
