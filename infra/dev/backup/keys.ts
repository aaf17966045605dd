import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { RENEWED_VARIABLES } from '../../../services/kit/environment.ts';
import { ROOT } from '../starter/paths.mjs';
import { StartError } from '../starter/problems.mjs';
import {
  installationSecrets,
  makesSecrets,
  pick,
  renewableSecrets,
  type SecretsFrom,
  secretFile,
} from '../starter/services.ts';
import { SECRET_NAMES } from '../starter/settings.ts';
import { databaseOf } from './contents.ts';
import { hashesIn } from './export.ts';
import type { Backup } from './read.ts';
import { BACKED_UP, fingerprint } from './secrets.ts';
import { asConnection, connect } from './source.ts';

/** Keys of stored hashes: a system whose environment has different ones cannot take the data. */
const OF_HASHES = ['TOMBSTONE_KEY', 'ADDRESS_HASH_KEY'];

/** Keys of the log of roots and of its memos, whose account may hold SOL: a system keeps its own with its log. */
const OF_LOG = ['LEDGER_LOG_KEY', 'LEDGER_MEMO_KEY'];

/**
 * Secrets required in a backup with secrets: those that a start in production requires. No data depends on GATEWAY_KEY;
 * keys of memos and pushes are in the backup if the system has them.
 */
export const NEEDED_WITH_SECRETS = [...SECRET_NAMES.filter((name) => name !== 'GATEWAY_KEY'), 'DISCORD_CLIENT_SECRET'];

/**
 * Returns the secrets of a system as its services get them.
 * @throws {StartError} naming those that are required and missing
 */
export async function secretsOf(
  { env, dataDir }: SecretsFrom,
  needed: string[] = ['TOMBSTONE_KEY'],
): Promise<Record<string, string>> {
  const found = makesSecrets(env)
    ? await installationSecrets({ env, dataDir })
    : { ...pick(env, BACKED_UP), ...(await renewableSecrets({ env, dataDir })) };
  for (const name of BACKED_UP) {
    const file = found[`${name}_FILE`];
    if (file) found[name] = (await readFile(file, 'utf8')).trim();
  }
  const missing = needed.filter((name) => !found[name]);
  if (missing.length > 0)
    throw new StartError(`${missing.join(', ')} missing: run this command with the secrets of the services.`);
  return pick(found, BACKED_UP);
}

/** Secrets that an import writes into the data folder, and whether address hashes of the backup can be read. */
export interface KeysAfter {
  files: [file: string, value: string][];
  withAddresses: boolean;
}

/**
 * Determines the keys of the system after an import, and the files of its folder that contain them.
 * @param passphrase decrypts the secrets of the file; without it these and the data that need them are left out
 * @param erasures a list of later erasures
 * @param unverified accepts files without proof that they are unchanged
 * @throws {StartError} naming the key that does not match, or a file that its system did not write
 */
export async function keysAfter(
  backup: Backup,
  target: SecretsFrom & { uri: string },
  passphrase?: string,
  erasures?: Backup,
  unverified = false,
): Promise<KeysAfter> {
  const { manifest, path } = backup;
  const own = await secretsOf(target);
  const brought: Record<string, string> =
    manifest.secrets && passphrase !== undefined ? await backup.openSecrets(passphrase) : {};
  const isMade = makesSecrets(target.env);
  // A system that makes its secrets takes missing ones from the file; in production services use what they are given.
  for (const name of OF_HASHES)
    if (brought[name] && brought[name] !== (target.env[name] ?? (isMade ? brought[name] : undefined)))
      throw new StartError(`${name} in the environment differs from ${path}: give the services that value first.`);
  const tombstoneKey = brought.TOMBSTONE_KEY ?? own.TOMBSTONE_KEY ?? '';
  for (const one of erasures ? [backup, erasures] : [backup]) {
    refuseOtherKey(one, tombstoneKey);
    if (!unverified) refuseForeign(one, tombstoneKey);
  }
  if (tombstoneKey !== own.TOMBSTONE_KEY && (await erasedHere(target.uri)) > 0)
    throw new StartError(
      `users were erased here with a TOMBSTONE_KEY other than that of ${path}: their tombstones would be lost. Import into an empty system.`,
    );
  // No data depends on the secrets that `npx cord keys` renews: the system keeps its own, since that of the file may be revoked.
  const isNew = (name: string) => isMade && !target.env[name] && !RENEWED_VARIABLES.includes(name);
  const kept = brought.LEDGER_LOG_KEY && (await signsLog(backup, target.uri, own.LEDGER_LOG_KEY)) ? OF_LOG : [];
  const isKept = (name: string) => own[name] !== undefined && kept.includes(name);
  return {
    files: Object.entries(brought)
      .filter(([name, value]) => BACKED_UP.includes(name) && value && isNew(name) && !isKept(name))
      .map(([name, value]) => [secretFile(name), value]),
    withAddresses: brought.ADDRESS_HASH_KEY !== undefined,
  };
}

/**
 * Whether a key of the system signs the log of roots, and the log stays because the backup has no more records. Its key was
 * perhaps rotated since the export: then that of the backup can no longer sign.
 * @param key LEDGER_LOG_KEY: `NEW` or `NEW,OLD`
 */
async function signsLog({ manifest }: Backup, uri: string, key = ''): Promise<boolean> {
  const of = <M>(file: string): Promise<M> =>
    import(pathToFileURL(join(ROOT, 'services/mining/dist/roots', file)).href);
  const [{ newestLog }, { keySpans }, { logKey }] = await Promise.all([
    of<typeof import('../../../services/mining/roots/store.ts')>('store.js'),
    of<typeof import('../../../services/mining/roots/log.ts')>('log.js'),
    of<typeof import('../../../services/mining/roots/key.ts')>('key.js'),
  ]);
  const client = await connect(uri);
  try {
    const db = client.db(databaseOf('mining'));
    const filed = manifest.databases.mining?.root_records?.documents ?? 0;
    if (filed > (await db.collection('root_records').countDocuments())) return false;
    const store = await newestLog(asConnection(db));
    const [log, records] = [await store.log(), await store.records()];
    const current = log && keySpans(log, records).at(-1)?.vkey;
    return key.split(',').some((one) => log && logKey(one).vkey(log.origin) === current);
  } finally {
    await client.close();
  }
}

function refuseOtherKey({ path, manifest }: Backup, tombstoneKey: string) {
  const hashes = hashesIn(manifest);
  if (hashes === 0 || fingerprint(tombstoneKey) === manifest.keys.TOMBSTONE_KEY) return;
  throw new StartError(
    `${path} has ${hashes} tombstones and used signatures made with another TOMBSTONE_KEY: this system could not block a second welcome bonus, or a second use of one transfer. Give it that TOMBSTONE_KEY, or use an export made --with-secrets.`,
  );
}

/** Refuses a file without a valid HMAC: its writer could make any user an admin. Its hashes detect damage only. */
function refuseForeign(backup: Backup, tombstoneKey: string) {
  if (backup.isOf(tombstoneKey)) return;
  const { path, manifest } = backup;
  const why =
    fingerprint(tombstoneKey) === manifest.keys.TOMBSTONE_KEY
      ? 'was changed after the export: its HMAC does not match its manifest'
      : 'was made with another TOMBSTONE_KEY, so it cannot be verified here';
  throw new StartError(`${path} ${why}. --unverified imports it anyway; check the admins in it first.`);
}

async function erasedHere(uri: string) {
  const client = await connect(uri);
  try {
    return await client.db(databaseOf('auth')).collection('tombstones').countDocuments({}, { limit: 1 });
  } finally {
    await client.close();
  }
}
