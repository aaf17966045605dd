import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Command } from 'commander';
import type { Connection, mongo } from 'mongoose';
import { isUnencrypted } from '../../services/kit/unencrypted.ts';
import { databaseOf, SERVICES } from '../dev/backup/contents.ts';
import { inSnapshot } from '../dev/backup/source.ts';
import { commandEnvironment } from '../dev/starter/command-environment.ts';
import { CHECKOUT, planOf } from '../dev/starter/migrate.ts';
import { ROOT } from '../dev/starter/paths.mjs';
import { StartError } from '../dev/starter/problems.mjs';
import { refusing } from './system.ts';

/** The minimum MongoDB version; the services are tested with its behaviour. */
const MAJOR_MIN = 7;
const CONNECT_MS_MAX = 10_000;
const WRITE_MS_MAX = 5_000;
/** Database for test writes; dropped afterwards. */
const OWN_DATABASE = 'cord_doctor';

/** The result of one check. */
export interface Finding {
  of: string;
  found: string;
  isGood: boolean;
}

/** `cord doctor`: checks whether a MongoDB is suitable for a deployment. */
export function doctorCommand(): Command {
  return new Command('doctor')
    .summary('check a MongoDB before a deployment uses it')
    .description(
      'Connects like a service and checks version, replica set, encryption, write and read concern, snapshots, indexes and clock. Writes ' +
        `to the database ${OWN_DATABASE} only, and drops it. Exit code 1 when a check fails. MONGODB_URI, or the file that ` +
        'MONGODB_URI_FILE names, is its address, with a user for all databases.',
    )
    .option(
      '--suite',
      'also runs the conformance suite of the embedded server against it, from a checkout with its development packages',
    )
    .action(
      refusing(async ({ suite }: { suite?: boolean }) => {
        const uri = commandEnvironment().MONGODB_URI;
        if (!uri) throw new StartError('MONGODB_URI is missing: the address of the MongoDB.');
        const findings = await examine(uri);
        for (const { of, found, isGood } of findings) console.log(`${isGood ? 'good' : 'BAD '} ${of}: ${found}`);
        const passes = suite ? conforms(uri) : true;
        process.exitCode = passes && findings.every(({ isGood }) => isGood) ? 0 : 1;
      }),
    );
}

/**
 * Checks a store in the way that services use it.
 * @param how `now`: time of this machine, ms since epoch; `withinMs`: connection timeout
 * @throws {StartError} when nothing responds in time
 */
export async function examine(uri: string, { now = Date.now, withinMs = CONNECT_MS_MAX } = {}): Promise<Finding[]> {
  const [{ connectStore, storeTimeMs }, { createLogger }, { CLOCK_OFF_MS_MAX }] = await Promise.all([
    import('@cord/kit/store'),
    import('@cord/kit/log'),
    import('@cord/kit/bounds'),
  ]);
  const stopped = AbortSignal.timeout(withinMs);
  const log = createLogger('doctor', 'fatal');
  const within = { serverSelectionTimeoutMS: withinMs };
  const store = await connectStore(uri, OWN_DATABASE, log, stopped, within).catch(() => {
    throw new StartError(`no response from MONGODB_URI within ${withinMs / 1000} s, or wrong password.`);
  });
  const findings: Finding[] = [];
  const look = async (of: string, work: () => Promise<[found: string, isGood: boolean]>) => {
    const [found, isGood] = await work().catch((error: Error): [string, boolean] => [error.message, false]);
    findings.push({ of, found, isGood });
  };
  try {
    const admin = store.getClient().db('admin') as unknown as mongo.Db;
    const hello = await admin.command({ hello: 1 });
    await look('version', async () => {
      const { version } = await admin.command({ buildInfo: 1 });
      return [`${version}, wire version ${hello.maxWireVersion}`, Number.parseInt(version, 10) >= MAJOR_MIN];
    });
    await look('replica set', async () => {
      if (!hello.setName) return ['none: its failure stops everything, and writes are not retried', false];
      const found = `${hello.setName} of ${hello.hosts?.length}, primary ${hello.primary}`;
      return [found, hello.hosts?.length >= 3 && hello.hosts.length % 2 === 1];
    });
    await look('encryption', async () => (isUnencrypted(uri) ? ['none', false] : ['TLS, or loopback only', true]));
    await look('write and read concern', () => majority(store));
    await look('snapshots, for backups', () => snapshot(admin));
    await look('indexes', () => indexes(admin));
    await look('clock', async () => {
      const before = now();
      const theirs = await storeTimeMs(store);
      const offMs = Math.round(theirs - (before + now()) / 2);
      return [`${offMs} ms off this machine's, maximum ${CLOCK_OFF_MS_MAX}`, Math.abs(offMs) <= CLOCK_OFF_MS_MAX];
    });
  } finally {
    await store.close();
  }
  return findings;
}

/** Checks a write with majority concern, and reading it. */
async function majority(store: Connection): Promise<[string, boolean]> {
  const probes = store.collection('probes');
  const startMs = performance.now();
  try {
    const { insertedId: _id } = await probes.insertOne(
      {},
      { writeConcern: { w: 'majority', journal: true, wtimeoutMS: WRITE_MS_MAX } },
    );
    const tookMs = (performance.now() - startMs).toFixed(1);
    const read = await probes.findOne({ _id }, { readConcern: 'majority' });
    return [`a majority journaled a write after ${tookMs} ms`, read !== null];
  } finally {
    await store.dropDatabase();
  }
}

/** Checks that one session reads the databases of all services, as an export does. */
async function snapshot({ client }: mongo.Db): Promise<[string, boolean]> {
  const session = client.startSession({ snapshot: true });
  try {
    for (const service of SERVICES)
      await client.db(databaseOf(service)).collection('schema').findOne({}, inSnapshot(session));
    return ['one session reads a snapshot of all databases', true];
  } finally {
    await session.endSession();
  }
}

/** Checks that each existing database has the indexes of this release. */
async function indexes(admin: mongo.Db): Promise<[string, boolean]> {
  const { indexName, withKit } = await import('@cord/kit/migration/plan');
  const { databases } = await admin.command({ listDatabases: 1, nameOnly: true });
  const there = new Set(databases.map(({ name }: { name: string }) => name));
  const missing: string[] = [];
  let count = 0;
  for (const { service, main } of CHECKOUT.filter((one) => there.has(`cord_${one.service}`))) {
    for (const { name, indexes: planned, dropped } of withKit(await planOf({ service, main }))) {
      if (dropped) continue;
      const made = await admin.client
        .db(`cord_${service}`)
        .collection(name)
        .indexes()
        .catch(() => []);
      const names = new Set(made.map((index) => index.name));
      count += planned.length;
      missing.push(
        ...planned
          .map(indexName)
          .filter((one) => !names.has(one))
          .map((one) => `cord_${service}.${name}.${one}`),
      );
    }
  }
  if (missing.length > 0) return [`missing; npx cord migrate creates them: ${missing.join(', ')}`, false];
  return [count === 0 ? 'no data yet' : `all ${count} exist`, true];
}

/** @returns whether the conformance suite passes on it */
function conforms(uri: string): boolean {
  const suite = ['run', 'infra/embedded-mongo/test/conformance'];
  const { status } = spawnSync(process.execPath, [join(ROOT, 'node_modules/vitest/vitest.mjs'), ...suite], {
    cwd: ROOT,
    env: { ...process.env, MONGODB_URI: uri },
    stdio: 'inherit',
  });
  return status === 0;
}
