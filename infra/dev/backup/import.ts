import { basename, join } from 'node:path';
import type { mongo } from 'mongoose';
import type { Finding } from '../../audit/findings.js';
import { CHECKOUT, migrateAll, planOf } from '../starter/migrate.ts';
import { ROOT } from '../starter/paths.mjs';
import { StartError } from '../starter/problems.mjs';
import { userName } from '../starter/user-name.ts';
import { databaseOf, SERVICES } from './contents.ts';
import { replayErasures } from './erasures.ts';
import { type KeysAfter, keysAfter } from './keys.ts';
import { checkLedger } from './ledger-check.ts';
import { clear, inFolder, load, localFiles, markLog, refuseOtherLog } from './load.ts';
import { Backup } from './read.ts';
import { asConnection, connect } from './source.ts';

/** Maximum number of root log findings printed; after a restore of older data each account has one. */
const ROOTS_SHOWN_MAX = 20;

/** The target system of an import, and what the import needs. */
export interface ImportTarget {
  /** of the store */
  uri: string;
  dataDir: string;
  local: boolean;
  /** from keysAfter */
  keys: KeysAfter;
  /** list of later erasures, of a lost system */
  erasures?: Backup | undefined;
  /** the services' programs, for the migration */
  running?: { service: string; main: string }[];
  acceptDrift?: boolean | undefined;
  remakeStreams: () => Promise<void>;
  report?: (line: string) => void;
  /** called before each step; an error ends the import there, as a crash would */
  atEach?: (step: string) => void | Promise<void>;
}

/** A command of `npx cord data import`. */
export interface ImportOrder {
  verb?: 'import';
  file: string;
  /** a file of `export --erasures-only` */
  erasures?: string | undefined;
  passphrase?: string | undefined;
  acceptDrift?: boolean | undefined;
  /** accepts a file without proof that this system wrote it */
  unverified?: boolean | undefined;
  /** of the file checked earlier: a different file is refused */
  manifestHash?: string | undefined;
}

/**
 * Runs a whole import. Services keep running until the file has been checked.
 * @param standStill pauses the services, once everything is checked
 * @returns a sentence that says what was done
 * @throws {StartError} with the reason
 */
export async function runImport(
  order: ImportOrder,
  target: Omit<ImportTarget, 'keys' | 'erasures' | 'acceptDrift'> & { env: NodeJS.ProcessEnv },
  standStill: () => Promise<void>,
): Promise<string> {
  const { file, erasures, passphrase, acceptDrift, unverified, manifestHash } = order;
  const opened: Backup[] = [];
  const open = async (path: string) => {
    const backup = await Backup.open(path);
    opened.push(backup);
    return backup;
  };
  try {
    const backup = await open(file);
    if (manifestHash !== undefined && manifestHash !== backup.manifestHash)
      throw new StartError(`${file} has changed since its admins were listed. Start again.`);
    const list = erasures === undefined ? undefined : await open(erasures);
    if (list && !list.manifest.erasuresOnly) throw new StartError(`${erasures} is not a list of erasures.`);
    await list?.verify();
    await checkBackup(backup, target.running, { acceptDrift, report: target.report });
    const keys = await keysAfter(backup, target, passphrase, list, unverified);
    await standStill();
    const { accounts, erased } = await importInto(backup, { ...target, keys, erasures: list, acceptDrift });
    return `imported ${file} of ${backup.manifest.instant}: ${accounts} accounts, ${erased} users erased again; everyone must sign in again`;
  } finally {
    for (const backup of opened) await backup.close();
  }
}

/**
 * Checks the content of a backup before anything changes.
 * @param running the services that will read it, with their programs
 * @param how acceptDrift: a ledger with drift is better than none
 * @throws {StartError} with what is wrong
 */
export async function checkBackup(
  backup: Backup,
  running: { service: string; main: string }[] = CHECKOUT,
  {
    acceptDrift = false,
    report = () => {},
  }: { acceptDrift?: boolean | undefined; report?: ((line: string) => void) | undefined } = {},
): Promise<void> {
  const { manifest, path } = backup;
  if (manifest.erasuresOnly)
    throw new StartError(`${path} has erasures only: pass it as --erasures, with a full export.`);
  await backup.verify();
  await refuseNewer(backup, running);
  const { accounts, entries, wrong } = await checkLedger(backup);
  const drift = wrong && `the ledger of ${path} does not add up: ${wrong}`;
  if (drift && !acceptDrift) throw new StartError(`${drift}. --accept-drift imports it anyway.`);
  report(drift ?? `${path} of ${manifest.instant} is valid: ${accounts} accounts, ${entries} entries`);
}

/**
 * Replaces all data of a system whose services are paused. A mark in each database keeps services and migration off
 * meanwhile. An aborted import is repeated from the beginning, whatever the last attempt left.
 * @param backup checked
 * @throws {StartError} when its log of roots is a different one: nothing is changed
 */
export async function importInto(backup: Backup, target: ImportTarget): Promise<{ accounts: number; erased: number }> {
  const { keys, report = () => {}, atEach = () => {} } = target;
  const client = await connect(target.uri);
  const databases = SERVICES.map((service) => ({ service, db: client.db(databaseOf(service)) }));
  const { endImport, markImport } = await import('@cord/kit/migration/half-import');
  try {
    await refuseOtherLog(backup, client.db(databaseOf('mining')));
    await atEach('mark');
    for (const { db } of databases) await markImport(asConnection(db), backup.path, Date.now());
    await atEach('secrets');
    for (const [file, value] of keys.files) await inFolder(target.dataDir, join('secrets', file), value);
    for (const { service, db } of databases) {
      await atEach(`clear ${service}`);
      await clear(service, db);
    }
    for (const { service, db } of databases) {
      await atEach(`load ${service}`);
      if (service === 'mining' && (await markLog(backup, db)))
        report('the log of roots is restored from the file: no new root until "npx cord log continue" confirms it');
      await load(backup, service, db, keys.withAddresses);
      report(`${service} is loaded`);
    }
    await atEach('erasures');
    const erased = await replayErasures(client.db(databaseOf('auth')), backup, target.erasures);
    if (erased > 0) report(`${erased} users who were erased after the backup are erased again`);
    await atEach('migrate');
    await migrateAll(target.uri, target.running, report, { importing: true });
    await atEach('files');
    if (target.local) await localFiles(backup, target.dataDir);
    await atEach('audit');
    const accounts = await audit(target, report);
    await noteImport(client.db(databaseOf('auth')), backup, target);
    await atEach('streams');
    await target.remakeStreams();
    for (const { service, db } of databases) {
      await atEach(`end ${service}`);
      await endImport(asConnection(db));
    }
    return { accounts, erased };
  } finally {
    await client.close();
  }
}

/** Adds the import to auth's audit log, which it has just replaced. A repeated import adds one line only. */
async function noteImport(authDb: mongo.Db, { path, manifest }: Backup, { local, dataDir }: ImportTarget) {
  const [{ openAuditLog }, { NOBODY }, { clockOffsetMs }] = await Promise.all([
    import('@cord/kit/audit-log'),
    import('@cord/contracts/events/envelope'),
    import('@cord/kit/clock-file'),
  ]);
  const nowMs = Date.now() + (local ? clockOffsetMs(dataDir) : 0);
  const detail = { by: userName(), instant: manifest.instant };
  await openAuditLog(asConnection(authDb), { now: () => nowMs }).write({
    adminId: NOBODY,
    action: 'data.import',
    target: basename(path),
    detail,
  });
}

/** Whether a store contains a half-finished import. */
export async function isHalf(uri: string): Promise<boolean> {
  const { isHalfImported } = await import('@cord/kit/migration/half-import');
  const client = await connect(uri);
  try {
    for (const service of SERVICES) if (await isHalfImported(asConnection(client.db(databaseOf(service))))) return true;
    return false;
  } finally {
    await client.close();
  }
}

/** Refuses a file of a newer release: an older one would skip what it cannot read. */
async function refuseNewer({ manifest, path }: Backup, running: { service: string; main: string }[]) {
  const { withKit, versionOf } = await import('@cord/kit/migration/plan');
  for (const { service, main } of running) {
    const data = await planOf({ service, main });
    const known = new Map(withKit(data).map((collection) => [collection.name, versionOf(collection)]));
    for (const [name, schema] of Object.entries(manifest.schemas[service] ?? {})) {
      const reads = known.get(name) ?? 1;
      // Names with a colon are backfills of collections.
      if (schema > reads && !name.includes(':'))
        throw new StartError(
          `${path} is from a newer release: ${service}.${name} has schema ${schema}, this release reads up to ${reads}.`,
        );
    }
  }
}

/**
 * Audits the ledger and its log of roots. A log that existed before differs from older accounts; the daily job and the
 * audit report that, and the import succeeds.
 * @returns number of accounts
 * @throws {StartError} on drift that the file did not have
 */
async function audit({ uri, acceptDrift }: ImportTarget, report: (line: string) => void): Promise<number> {
  const [{ auditSums }, { auditRoots }, { readingOf, rootRules }, { mongoSource }] = await Promise.all([
    import('@cord/audit/audit'),
    import('@cord/audit/ledger/roots'),
    import('@cord/audit/reading'),
    import('@cord/audit/store/mongo-source'),
  ]);
  const client = await connect(uri, { useBigInt64: true });
  try {
    const source = mongoSource((service) => client.db(databaseOf(service)), await readingOf(ROOT));
    const print = ({ of, what }: Finding) => report(`${of}: ${what}`);
    const { accounts, driftMicro, findings } = await auditSums(source, print);
    let shown = 0;
    const roots = await auditRoots(client.db(databaseOf('mining')), await rootRules(ROOT), (each) => {
      shown += 1;
      if (shown <= ROOTS_SHOWN_MAX) print(each);
    });
    if (shown > ROOTS_SHOWN_MAX)
      report(`and ${shown - ROOTS_SHOWN_MAX} more in the log of roots; npx cord audit prints them`);
    const sums = { driftMicro: driftMicro + roots.driftMicro, findings: findings + roots.findings };
    const found = { atMs: Date.now(), accounts, ...sums };
    await client
      .db(databaseOf('mining'))
      .collection<{ _id: string }>('audits')
      .replaceOne({ _id: 'last' }, found, { upsert: true });
    report(`RESULT drift_micro=${driftMicro} accounts=${accounts}`);
    if (findings > 0 && !acceptDrift) throw new StartError('the ledger does not add up after the import.');
    return accounts;
  } finally {
    await client.close();
  }
}
