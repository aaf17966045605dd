/**
 * npm run bench -- start: starts every service at once on the data of a million users and a million ended sessions,
 * written directly into the stores and the board's snapshot. Measures the time from process start until ready, and the
 * memory then. `--accounts N --revocations N`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { mongo } from 'mongoose';
import { opsUrlOf } from '../../services/kit/ops-port.ts';
import { answersOk, hasEnded } from '../dev/starter/probes.ts';
import { SERVICES } from '../dev/starter/services.ts';
import { cpuMicros, residentBytes } from '../test/kit/proc.ts';
import { connectTo, Processes, startNats, startService, startStore } from '../test/kit/processes.ts';
import { boardOf, saveSnapshot } from './ranks/snapshot.ts';
import { fillStores } from './start/fill.ts';

const READY_MS_MAX = 600_000;
const MIB = 1024 ** 2;
const key = (letter: string) => letter.repeat(64);
/** Secrets that services require; all on one machine, in local mode. */
const SECRETS = {
  SESSION_SECRET: key('a'),
  KEY_ENCRYPTION_KEY: key('b'),
  ADDRESS_HASH_KEY: key('c'),
  LEDGER_LOG_KEY: key('f'),
  TOMBSTONE_KEY: key('d'),
  SIGNATURES_KEY: key('e'),
};

const { values } = parseArgs({
  options: {
    accounts: { type: 'string', default: '1000000' },
    revocations: { type: 'string', default: '1000000' },
  },
});
const [users, revocations] = [Number(values.accounts), Number(values.revocations)];
const nowMs = Date.now();
const own = await Processes.create();
try {
  const store = await startStore(own);
  const natsUrl = await startNats(own);
  const { ensureTopology } = await import('@cord/kit/topology');
  const nats = await connectTo(natsUrl);
  await ensureTopology(nats);
  // First start on an empty store: creates indexes and the services' own notes.
  const client = new mongo.MongoClient(store.uri, { useBigInt64: true });
  const empty = await startAll(store.uri, natsUrl);
  await untilStreamsAreKnown(client);
  for (const { started } of empty) await own.end(started);
  await fillStores(client, { users, revocations, nowMs });
  await client.close();
  await saveSnapshot(nats, store.uri, await boardOf(users, nowMs), nowMs);
  await nats.drain();

  const storeMs = () => (store.child?.pid === undefined ? null : cpuMicros(store.child.pid) / 1_000);
  const storeBeforeMs = storeMs() ?? 0;
  const full = await startAll(store.uri, natsUrl);
  const seconds = (ms: number) => (ms / 1_000).toFixed(1);
  for (const [index, { service, readyMs, cpuMs, mib }] of full.entries()) {
    const before = empty[index];
    if (!before) throw new Error(`no start of ${service} without data`);
    console.log(
      `RESULT ready_s_${service}=${seconds(readyMs)} empty_s=${seconds(before.readyMs)} cpu_s=${seconds(cpuMs)} empty_cpu_s=${seconds(before.cpuMs)} mib=${mib.toFixed(0)}`,
    );
  }
  const storeAfterMs = storeMs();
  if (storeAfterMs !== null) console.log(`RESULT store_cpu_s=${seconds(storeAfterMs - storeBeforeMs)}`);
  const slowest = Math.max(...full.map(({ readyMs }) => readyMs));
  console.log(`RESULT ready_s_max=${(slowest / 1000).toFixed(1)} accounts=${users} revocations=${revocations}`);
} finally {
  await own.close();
}

/** Starts every service at once. @returns the time until each was ready, in the order of SERVICES */
function startAll(mongodbUri: string, natsUrl: string) {
  return Promise.all(
    SERVICES.map(async (service) => {
      const file = `services/${service}/dist/main.js`;
      const startMs = performance.now();
      const started = await startService(own, {
        file,
        mongodbUri,
        natsUrl,
        env: { ...SECRETS, NODE_ENV: 'test' },
        isReady: async () => true,
      });
      while (!(await answersOk(`${opsUrlOf(started.url)}/readyz`)().catch(() => false))) {
        if (hasEnded(started.child)) throw new Error(`${service} ended: ${started.printed()}`);
        if (performance.now() - startMs > READY_MS_MAX)
          throw new Error(`${service} did not become ready: ${started.printed()}`);
        await sleep(50);
      }
      const { pid = 0 } = started.child;
      const [readyMs, cpuMs] = [performance.now() - startMs, cpuMicros(pid) / 1_000];
      return { service, started, readyMs, cpuMs, mib: residentBytes(pid) / MIB };
    }),
  );
}

/** Waits until each owner has noted its streams: it would otherwise republish a million states, which is not part of a start. */
async function untilStreamsAreKnown(client: mongo.MongoClient) {
  const { STREAMS } = await import('@cord/contracts/events/streams');
  for (const { name, owner } of STREAMS.filter((stream) => stream.owner !== 'all')) {
    const marks = client.db(`cord_${owner}`).collection<{ _id: string }>('streams');
    while (!(await marks.findOne({ _id: name, created: { $exists: true } }))) await sleep(100);
  }
}
