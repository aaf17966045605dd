import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '../starter/problems.mjs';
import { storeOf } from '../starter/store-of.ts';
import { connectAsSetup, remakeStreams } from '../starter/streams.ts';
import { databaseOf, SERVICES } from './contents.ts';
import { type ImportOrder, runImport } from './import.ts';
import { connect } from './source.ts';

/**
 * Imports into a system that does not run on this machine: starts its store and stops it again.
 * @returns what was done
 */
export async function importStopped(
  order: ImportOrder,
  {
    dataDir,
    env,
    local,
    report,
  }: { dataDir: string; env: NodeJS.ProcessEnv; local: boolean; report: (line: string) => void },
): Promise<string> {
  if (env.MONGODB_URI && !env.NATS_URL && !existsSync(natsFolder(dataDir)))
    throw new StartError(
      `the streams of this data are not in ${dataDir}: set NATS_URL as well. Otherwise consumers would see the old events in them and miss the new ones.`,
    );
  const store = await storeOf(dataDir, env, { make: true });
  try {
    if (env.MONGODB_URI) await refuseServices(store.uri);
    // Streams are recreated last, so test the connection before any data is replaced.
    if (env.NATS_URL) await (await connectAsSetup(dataDir, env)).drain();
    const remake = () => (env.NATS_URL ? remakeStreams(dataDir, env) : forgetStreams(dataDir));
    return await runImport(
      order,
      { uri: store.uri, dataDir, env, local, report, remakeStreams: remake },
      async () => {},
    );
  } finally {
    await store.close();
  }
}

const natsFolder = (dataDir: string) => join(dataDir, 'nats');

/** Deletes the streams: the next start recreates them and their owners publish again. Other NATS data stays. */
async function forgetStreams(dataDir: string) {
  const { STREAMS } = await import('@cord/contracts/events/streams');
  const folder = join(natsFolder(dataDir), 'jetstream');
  for (const account of await readdir(folder).catch(() => []))
    for (const { name } of STREAMS) await rm(join(folder, account, 'streams', name), { recursive: true, force: true });
}

/** Refuses when services of another machine write to this MongoDB. Leases show them, by MongoDB's clock, which the services use. */
async function refuseServices(uri: string) {
  const client = await connect(uri);
  try {
    const { localTime } = await client.db('admin').command({ hello: 1 });
    const held = { untilMs: { $gt: localTime.getTime() } };
    for (const service of SERVICES) {
      const lease = await client.db(databaseOf(service)).collection('leases').findOne(held);
      if (lease)
        throw new StartError(
          `${service} is still running: ${lease.holder} holds the lease ${lease._id} until ${new Date(Number(lease.untilMs)).toISOString()}. Stop every service first. The lease of a killed service ends at that time.`,
        );
    }
  } finally {
    await client.close();
  }
}
