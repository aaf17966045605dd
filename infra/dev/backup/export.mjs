import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { ROOT } from '../starter/paths.mjs';
import { StartError } from '../starter/problems.mjs';
import { macOf } from './authenticity.mjs';
import { bytesOf, documentOf } from './bson.mjs';
import {
  databaseOf,
  isIn,
  KEPT,
  LOCAL_FILES,
  orderOf,
  SERVICES,
  UNDER_TOMBSTONE_KEY,
  withoutAddresses,
} from './contents.mjs';
import { fingerprint, sealSecrets } from './secrets.mjs';
import { advised, openSource } from './source.mjs';
import { TarWriter } from './tar.mjs';

const compress = promisify(gzip);

/** The format of a backup, as README.md has it; a file of a later one is refused by its number. Version 1 had no HMAC. */
export const FORMAT = { format: 'cord-backup', version: 2 };
export const MANIFEST = 'manifest.json';
export const MANIFEST_HASH = 'manifest.json.sha256';
export const MANIFEST_MAC = 'manifest.json.hmac';
export const SECRETS = 'secrets.json';

/** Documents of a part, before it is compressed: what is in memory at a time. */
const PART_BYTES = 4 * 1024 * 1024;
const BATCH = 1_000;

/**
 * Writes a backup: every database at one instant, in parts of bounded size, then the manifest. The file has its name once it is whole.
 * @param {object} given
 * @param {string} given.file @param {string} given.uri of the store, with its password
 * @param {string} given.dataDir @param {boolean} given.local whether the stand-ins' files belong to it
 * @param {Record<string, string>} given.secrets of the system; TOMBSTONE_KEY is needed, for its fingerprint and the HMAC of the manifest
 * @param {string} [given.passphrase] seals the secrets into the file; without one neither they nor what needs them are in it
 * @param {{N: number, r: number, p: number}} [given.sealCost] what a guess of the passphrase costs, where not the usual
 * @param {boolean} [given.erasuresOnly] nothing but who was erased, for an import of an older file
 * @param {(line: string) => void} [given.say]
 * @returns {Promise<{databases: Record<string, Record<string, {documents: number}>>, bytes: number, instant: string, how: string}>} the manifest
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
  say = () => {},
}) {
  const source = await openSource(uri);
  const draft = `${file}.part`;
  const tar = await TarWriter.create(draft).catch(async (error) => {
    await source.close();
    throw new StartError(`${draft} cannot be written (${error.code}).`);
  });
  try {
    await refuseHalf(source);
    const { version: release } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
    const { instant, how } = source;
    const manifest = { ...FORMAT, release, instant, how, mode: local ? 'local' : 'production', erasuresOnly };
    Object.assign(manifest, { databases: {}, schemas: {} });
    for (const service of SERVICES) {
      const of = { source, tar, service, withSecrets: passphrase !== undefined };
      manifest.databases[service] = await databaseInto(of, erasuresOnly);
      manifest.schemas[service] = await schemasIn(source, service);
      say(`${service}: ${countOf(manifest.databases[service])} documents`);
    }
    manifest.keys = { TOMBSTONE_KEY: fingerprint(secrets.TOMBSTONE_KEY) };
    manifest.files = local && !erasuresOnly ? await localFilesInto(tar, dataDir) : [];
    manifest.secrets =
      passphrase === undefined
        ? null
        : await tar.add(SECRETS, await sealSecrets(secrets, passphrase, instant, sealCost));
    const text = Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`);
    const { sha256 } = await tar.add(MANIFEST, text);
    await tar.add(MANIFEST_HASH, Buffer.from(`${sha256}\n`));
    await tar.add(MANIFEST_MAC, Buffer.from(`${macOf(text, secrets.TOMBSTONE_KEY)}\n`));
    manifest.bytes = await tar.close();
    await rename(draft, file);
    return manifest;
  } catch (error) {
    await tar.abandon().catch(() => {});
    await rm(draft, { force: true });
    throw advised(error);
  } finally {
    await source.close();
  }
}

const countOf = (collections) => Object.values(collections).reduce((sum, { documents }) => sum + documents, 0);

/** How many documents of a manifest are hashes under TOMBSTONE_KEY. */
export const hashesIn = ({ databases }) =>
  UNDER_TOMBSTONE_KEY.reduce((sum, [service, name]) => sum + (databases[service]?.[name]?.documents ?? 0), 0);

async function refuseHalf({ client, session }) {
  const { IMPORT_AGAIN } = await import('@cord/kit/migration/half-import');
  for (const service of SERVICES)
    if (await client.db(databaseOf(service)).collection('imports').findOne({}, { session }))
      throw new StartError(`${IMPORT_AGAIN}.`);
}

async function databaseInto({ source, tar, service, withSecrets }, erasuresOnly) {
  const db = source.client.db(databaseOf(service));
  const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name).sort();
  const wanted = erasuresOnly ? (KEPT[service] ?? []) : names.filter((name) => isIn(service, name, withSecrets));
  const { session } = source;
  const found = {};
  for (const name of wanted.filter((one) => names.includes(one))) {
    const change = withSecrets ? undefined : withoutAddresses(service, name);
    const read = db.collection(name).find({}, { raw: true, batchSize: BATCH, session }).sort(orderOf(service, name));
    found[name] = await collectionInto(tar, `${service}/${name}`, read, change);
  }
  return found;
}

/** How far collections are migrated, and backfills, where that is further than the first release's. */
async function schemasIn({ client, session }, service) {
  const states = client
    .db(databaseOf(service))
    .collection('schema')
    .find({ version: { $gt: 1 } }, { session });
  return Object.fromEntries((await states.toArray()).map(({ _id, version }) => [_id, Number(version)]));
}

/** @returns {Promise<{documents: number, parts: {name: string, bytes: number, sha256: string, documents: number}[]}>} */
async function collectionInto(tar, path, cursor, change) {
  const parts = [];
  let [waiting, size, documents] = [[], 0, 0];
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

function changed(raw, change) {
  const document = documentOf(raw);
  change(document);
  return bytesOf(document);
}

async function localFilesInto(tar, dataDir) {
  const found = [];
  for (const name of LOCAL_FILES) {
    const bytes = await readFile(join(dataDir, name)).catch(() => undefined);
    if (bytes) found.push({ ...(await tar.add(`files/${name}`, bytes)), file: name });
  }
  return found;
}
