import { randomUUID } from 'node:crypto';
import { lstat, readdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip, type ZlibOptions } from 'node:zlib';
import { syncFolder } from '../../../services/kit/whole-file.ts';
import { ROOT } from '../starter/paths.mjs';
import { StartError } from '../starter/problems.mjs';
import { bytesOf, documentOf } from './bson.ts';
import {
  type Change,
  databaseOf,
  ERASURES,
  isIn,
  LOCAL_FILES,
  orderOf,
  SERVICES,
  UNDER_TOMBSTONE_KEY,
  withoutAddresses,
} from './contents.ts';
import { type Cost, fingerprint, macOf, sealSecrets } from './secrets.ts';
import { connect, inSnapshot, openLive, openSource, type Source, withAdvice } from './source.ts';
import { TarWriter } from './tar.ts';

const compress = promisify<Buffer, ZlibOptions, Buffer>(gzip);

/** The format of a backup (README.md); files of other versions are refused. */
export const FORMAT = { format: 'cord-backup', version: 2 };
export const MANIFEST = 'manifest.json';
export const MANIFEST_HASH = 'manifest.json.sha256';
export const MANIFEST_MAC = 'manifest.json.hmac';
export const SECRETS = 'secrets.json';

/** A file in a backup. */
export interface FileEntry {
  name: string;
  bytes: number;
  /** hex */
  sha256: string;
}

export interface Part extends FileEntry {
  documents: number;
}

interface Contained {
  documents: number;
  parts: Part[];
}

/** The manifest of a backup. */
export interface Manifest {
  format: string;
  version: number;
  /** the release that wrote it */
  release: string;
  /** ISO 8601 */
  instant: string;
  how: string;
  mode: string;
  erasuresOnly: boolean;
  /** collections by service */
  databases: Record<string, Record<string, Contained>>;
  /** schema version of each collection, by service */
  schemas: Record<string, Record<string, number>>;
  /** fingerprints */
  keys: { TOMBSTONE_KEY: string };
  /** files of local mode */
  files: (FileEntry & { file: string })[];
  secrets: FileEntry | null;
}

/** Maximum uncompressed size of a part, in bytes; bounds the memory in use. */
const PART_BYTES = 4 * 1024 * 1024;
const BATCH = 1_000;

/**
 * Writes a backup: every database at one instant, in parts of bounded size, then the manifest. It writes a draft beside
 * the file and renames it at the end. Drafts of other exports are reported and kept, since these may still run.
 * @returns the manifest
 */
export async function exportTo({
  file,
  uri,
  dataDir,
  local,
  secrets,
  passphrase,
  sealCost,
  erasuresOnly = false,
  report = () => {},
}: {
  file: string;
  /** of the store, with its password */
  uri: string;
  dataDir: string;
  /** whether to include the stand-ins' files */
  local: boolean;
  /** of the system; TOMBSTONE_KEY is required for its fingerprint and the HMAC of the manifest */
  secrets: Record<string, string>;
  /** encrypts the secrets in the file; without it the secrets and the data that need them are left out */
  passphrase?: string | undefined;
  /** cost of a passphrase guess, when not the default */
  sealCost?: Cost;
  /** only the list of erasures, for an import of an older file */
  erasuresOnly?: boolean;
  report?: (line: string) => void;
}): Promise<Manifest & { bytes: number }> {
  const there = await lstat(file).catch(() => null);
  // The rename replaces the target: a device such as /dev/stdout would be lost to the machine.
  if (there && !there.isFile()) throw new StartError(`${file} exists and is not a regular file.`);
  const source = await (erasuresOnly ? openLive : openSource)(uri);
  for (const other of await draftsOf(file))
    report(`${other} is the draft of another export: delete it if that export was aborted`);
  const draft = `${file}.${randomUUID()}.part`;
  const tar = await TarWriter.create(draft).catch(async (error) => {
    await source.close();
    throw new StartError(`${draft} cannot be written (${error.code}).`);
  });
  try {
    await refuseHalf(source);
    const { version: release } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
    const { instant, how } = source;
    const databases: Manifest['databases'] = {};
    const schemas: Manifest['schemas'] = {};
    for (const service of SERVICES) {
      const of = { source, tar, service, withSecrets: passphrase !== undefined };
      const collections = await databaseInto(of, erasuresOnly);
      databases[service] = collections;
      schemas[service] = await schemasIn(source, service);
      const count = Object.values(collections).reduce((sum, { documents }) => sum + documents, 0);
      report(`${service}: ${count} documents`);
    }
    const { TOMBSTONE_KEY: tombstoneKey = '' } = secrets;
    const manifest: Manifest = {
      ...FORMAT,
      release,
      instant,
      how,
      mode: local ? 'local' : 'production',
      erasuresOnly,
      databases,
      schemas,
      keys: { TOMBSTONE_KEY: fingerprint(tombstoneKey) },
      files: local && !erasuresOnly ? await localFilesInto(tar, dataDir) : [],
      secrets:
        passphrase === undefined
          ? null
          : await tar.add(SECRETS, await sealSecrets(secrets, passphrase, instant, sealCost)),
    };
    const text = Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`);
    const { sha256 } = await tar.add(MANIFEST, text);
    await tar.add(MANIFEST_HASH, Buffer.from(`${sha256}\n`));
    await tar.add(MANIFEST_MAC, Buffer.from(`${macOf(text, tombstoneKey)}\n`));
    const bytes = await tar.close();
    await rename(draft, file);
    await syncFolder(dirname(file));
    if (!erasuresOnly)
      await note(uri, instant).catch((error) =>
        report(`the backup is complete, but its time could not be stored: ${error.message}`),
      );
    return { ...manifest, bytes };
  } catch (error) {
    await tar.abandon().catch(() => {});
    await rm(draft, { force: true });
    throw withAdvice(error);
  } finally {
    await source.close();
  }
}

/** Stores the instant of a backup for mining's metric. */
async function note(uri: string, instant: string): Promise<void> {
  const client = await connect(uri);
  try {
    const backups = client.db(databaseOf('mining')).collection<{ _id: string }>('backups');
    await backups.replaceOne({ _id: 'last' }, { atMs: Date.parse(instant) }, { upsert: true });
  } finally {
    await client.close();
  }
}

async function draftsOf(file: string): Promise<string[]> {
  const [folder, begin] = [dirname(file), `${basename(file)}.`];
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => name.startsWith(begin) && name.endsWith('.part')).map((name) => join(folder, name));
}

/** Number of documents in a manifest that are hashes under TOMBSTONE_KEY. */
export const hashesIn = ({ databases }: Manifest): number =>
  UNDER_TOMBSTONE_KEY.reduce((sum, [service, name]) => sum + (databases[service]?.[name]?.documents ?? 0), 0);

async function refuseHalf({ client, session }: Source) {
  const { IMPORT_AGAIN } = await import('@cord/kit/migration/half-import');
  for (const service of SERVICES)
    if (await client.db(databaseOf(service)).collection('imports').findOne({}, inSnapshot(session)))
      throw new StartError(`${IMPORT_AGAIN}.`);
}

async function databaseInto(
  { source, tar, service, withSecrets }: { source: Source; tar: TarWriter; service: string; withSecrets: boolean },
  erasuresOnly: boolean,
) {
  const db = source.client.db(databaseOf(service));
  const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name).sort();
  const wanted = erasuresOnly ? (ERASURES[service] ?? []) : names.filter((name) => isIn(service, name, withSecrets));
  const found: Record<string, Contained> = {};
  for (const name of wanted.filter((one) => names.includes(one))) {
    const change = withSecrets ? undefined : withoutAddresses(service, name);
    const how = { raw: true, batchSize: BATCH, ...inSnapshot(source.session) };
    // With `raw` the driver returns a document as its bytes.
    const read = db.collection(name).find({}, how).sort(orderOf(service, name)) as unknown as AsyncIterable<Uint8Array>;
    found[name] = await collectionInto(tar, `${service}/${name}`, read, change);
  }
  return found;
}

/** Returns the schema versions of collections and backfills that are beyond the first release's. */
async function schemasIn({ client, session }: Source, service: string): Promise<Record<string, number>> {
  const states = client
    .db(databaseOf(service))
    .collection('schema')
    .find({ version: { $gt: 1 } }, inSnapshot(session));
  return Object.fromEntries((await states.toArray()).map(({ _id, version }) => [String(_id), Number(version)]));
}

async function collectionInto(
  tar: TarWriter,
  path: string,
  cursor: AsyncIterable<Uint8Array>,
  change: Change | undefined,
): Promise<Contained> {
  const parts: Part[] = [];
  let waiting: Buffer[] = [];
  let [size, documents] = [0, 0];
  const flush = async () => {
    const name = `${path}/${String(parts.length + 1).padStart(6, '0')}.bson.gz`;
    const part = await tar.add(name, await compress(Buffer.concat(waiting), { level: 3 }));
    parts.push({ ...part, documents: waiting.length });
    documents += waiting.length;
    [waiting, size] = [[], 0];
  };
  for await (const raw of cursor) {
    const bytes = change ? changed(raw, change) : Buffer.from(raw);
    waiting.push(bytes);
    size += bytes.length;
    if (size >= PART_BYTES) await flush();
  }
  if (waiting.length > 0) await flush();
  return { documents, parts };
}

function changed(raw: Uint8Array, change: Change) {
  const document = documentOf(raw);
  change(document);
  return bytesOf(document);
}

async function localFilesInto(tar: TarWriter, dataDir: string) {
  const found = [];
  for (const name of LOCAL_FILES) {
    const bytes = await readFile(join(dataDir, name)).catch(() => undefined);
    if (bytes) found.push({ ...(await tar.add(`files/${name}`, bytes)), file: name });
  }
  return found;
}
