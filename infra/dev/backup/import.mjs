import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CHECKOUT, migrateAll } from '../starter/migrate.mjs';
import { ROOT } from '../starter/paths.mjs';
import { StartError } from '../starter/problems.mjs';
import { databaseOf, SERVICES } from './contents.mjs';
import { replayErasures } from './erasures.mjs';
import { checkLedger } from './ledger-check.mjs';
import { clear, inFolder, load, localFiles } from './load.mjs';
import { connect } from './source.mjs';

/**
 * What stands in a file that will come into a system, checked before anything is touched.
 * @param {import('./read.mjs').Backup} backup
 * @param {{service: string, main: string}[]} [running] what the services run that will read it
 * @param {{acceptDrift?: boolean, say?: (line: string) => void}} [how] acceptDrift: a ledger that does not add up is better than none
 * @throws {StartError} with what is wrong
 */
export async function checkBackup(backup, running = CHECKOUT, { acceptDrift = false, say = () => {} } = {}) {
  const { manifest, path } = backup;
  if (manifest.erasuresOnly)
    throw new StartError(`${path} holds erasures alone: give it as --erasures, beside a whole export.`);
  await backup.verify();
  await refuseNewer(backup, running);
  const { accounts, entries, wrong } = await checkLedger(backup);
  const drift = wrong && `the ledger of ${path} does not add up: ${wrong}`;
  if (drift && !acceptDrift) throw new StartError(`${drift}. With --accept-drift it is taken as it is.`);
  say(drift ?? `${path} of ${manifest.instant} is whole: ${accounts} accounts, ${entries} entries`);
}

/**
 * Replaces all data of a system whose services stand still. While it goes on a mark in each database keeps services and migration
 * off; broken off anywhere it is done again from the beginning, and what may be there from the last time does not matter.
 * @param {import('./read.mjs').Backup} backup checked
 * @param {object} target
 * @param {string} target.uri of the store @param {string} target.dataDir @param {boolean} target.local
 * @param {object} target.keys of keysAfter
 * @param {import('./read.mjs').Backup} [target.erasures] who was erased since, of a system that is no more
 * @param {{service: string, main: string}[]} [target.running] what the services run, for the migration
 * @param {boolean} [target.acceptDrift] @param {() => Promise<void>} target.remakeStreams
 * @param {(line: string) => void} [target.say]
 * @param {(step: string) => void | Promise<void>} [target.atEach] before each step; what it throws ends the import there, as a crash would
 * @returns {Promise<{accounts: number, erased: number}>}
 */
export async function importInto(backup, target) {
  const { keys, say = () => {}, atEach = () => {} } = target;
  const client = await connect(target.uri);
  const databases = SERVICES.map((service) => [service, client.db(databaseOf(service))]);
  const { endImport, markImport } = await import('@cord/kit/migration/half-import');
  const asStore = (db) => ({ collection: (name) => db.collection(name) });
  try {
    await atEach('mark');
    for (const [, db] of databases) await markImport(asStore(db), backup.path, Date.now());
    await atEach('secrets');
    for (const [file, value] of keys.files) await inFolder(target.dataDir, join('secrets', file), value);
    for (const [service, db] of databases) {
      await atEach(`clear ${service}`);
      await clear(service, db);
    }
    for (const [service, db] of databases) {
      await atEach(`load ${service}`);
      await load(backup, service, db, keys.withAddresses);
      say(`${service} is loaded`);
    }
    await atEach('erasures');
    const erased = await replayErasures(client.db(databaseOf('auth')), target.erasures);
    if (erased > 0) say(`${erased} people were erased since: they are erased again`);
    await atEach('migrate');
    await migrateAll(target.uri, target.running, say, { importing: true });
    await atEach('files');
    if (target.local) await localFiles(backup, target.dataDir);
    await atEach('audit');
    const accounts = await audit(target, say);
    await noteImport(client.db(databaseOf('auth')), backup, target);
    await atEach('streams');
    await target.remakeStreams();
    for (const [service, db] of databases) {
      await atEach(`end ${service}`);
      await endImport(asStore(db));
    }
    return { accounts, erased };
  } finally {
    await client.close();
  }
}

/** The act in auth's audit log, which the import has just replaced: one line, also when a broken-off import was begun anew. */
async function noteImport(authDb, { path, manifest }, { local, dataDir }) {
  const [{ openAuditLog }, { NOBODY }, clock] = await Promise.all([
    import('@cord/kit/audit-log'),
    import('@cord/contracts/events/envelope'),
    local ? import('@cord/kit/dev-clock').then(({ loadDevClock }) => loadDevClock(dataDir)) : Date,
  ]);
  const detail = { by: userInfo().username, instant: manifest.instant };
  await openAuditLog(authDb, clock).write({ adminId: NOBODY, action: 'data.import', target: basename(path), detail });
}

/** Whether a store holds half of an import. @param {string} uri */
export async function isHalf(uri) {
  const { isHalfImported } = await import('@cord/kit/migration/half-import');
  const client = await connect(uri);
  try {
    for (const service of SERVICES) if (await isHalfImported(client.db(databaseOf(service)))) return true;
    return false;
  } finally {
    await client.close();
  }
}

/** A release that knows less than the file would pass over what it cannot read. */
async function refuseNewer({ manifest, path }, running) {
  const { withKit, versionOf } = await import('@cord/kit/migration/plan');
  for (const { service, main } of running) {
    const plan = join(dirname(main), 'data.js');
    if (!existsSync(plan)) continue;
    const { data } = await import(pathToFileURL(plan).href);
    const known = new Map(withKit(data).map((collection) => [collection.name, versionOf(collection)]));
    for (const [name, schema] of Object.entries(manifest.schemas[service] ?? {})) {
      const reads = known.get(name) ?? 1;
      // Beside collections stand their backfills.
      if (schema > reads && !name.includes(':'))
        throw new StartError(
          `${path} is of a newer release: ${service}.${name} is of schema ${schema} there, this one reads up to ${reads}.`,
        );
    }
  }
}

/** @returns {Promise<number>} accounts @throws {StartError} on drift, which the file did not have */
async function audit({ uri, acceptDrift }, say) {
  const [{ auditSums }, { readingOf }, { mongoSource }] = await Promise.all([
    import('@cord/audit/audit'),
    import('@cord/audit/reading'),
    import('@cord/audit/store/mongo-source'),
  ]);
  const client = await connect(uri, { useBigInt64: true });
  try {
    const source = mongoSource((service) => client.db(databaseOf(service)), await readingOf(ROOT));
    const { accounts, driftMicro, findings } = await auditSums(source, ({ of, what }) => say(`${of}: ${what}`));
    const found = { atMs: Date.now(), driftMicro, accounts, findings };
    await client.db(databaseOf('mining')).collection('audits').replaceOne({ _id: 'last' }, found, { upsert: true });
    say(`RESULT drift_micro=${driftMicro} accounts=${accounts}`);
    if (findings > 0 && !acceptDrift) throw new StartError('the ledger does not add up after the import.');
    return accounts;
  } finally {
    await client.close();
  }
}
