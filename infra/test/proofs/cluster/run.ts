/**
 * A whole system on a cluster of three NATS servers with three replicas of each stream. `npx cord streams` creates
 * them, no start lowers them, and each server is killed with -9 in turn while 40 users save and one bursts. `--users N
 * --rounds N`. Ends with `N passed, N failed`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Nats } from '@cord/kit/nats';
import type { StreamInfo } from '@nats-io/jetstream';
import { Checks } from '../../kit/checks.ts';
import { cord, noDeadLetters, noDrift } from '../../kit/cord.ts';
import { inParallel, signIn } from '../../kit/people.ts';
import { connectTo } from '../../kit/processes.ts';
import { comeToRest } from '../../kit/rest.ts';
import { type System, startSystem } from '../../kit/system.ts';
import { Burster, settle } from '../chaos/burst.ts';
import { Saver } from '../chaos/load.ts';
import { Books, type OfUser } from '../life/books.ts';
import { NatsCluster } from './servers.ts';

const COPIES = 3;
const SAVE_EVERY_MS = 1_000;
/** Time of undisturbed saving before each kill, and of saving on two of three servers, ms. */
const CALM_MS = 2_000;
const WITHOUT_MS = 6_000;
const WHOLE_MS_MAX = 60_000;

const { values } = parseArgs({
  options: { users: { type: 'string', default: '40' }, rounds: { type: 'string', default: '2' } },
});
const checks = new Checks();

const cluster = await NatsCluster.start();
let nats: Nats | undefined;
let system: System | undefined;
try {
  const made = await topology({ NATS_REPLICAS: String(COPIES) });
  checks.add(
    'npx cord streams creates every stream with three copies before any service runs',
    made.filter((line) => !line.includes(`${COPIES} copies`)),
  );
  system = await startSystem([], { env: { NATS_URL: cluster.url } });
  nats = await connectTo(cluster.url);
  checks.add('a start without NATS_REPLICAS removes no copy', await streamsWithLess());
  await underKills(system);
  await comeToRest(system);
  const books = await Books.open(system);
  const accounts = [...(await books.read()).values()].map(({ account }) => account);
  await books.close();
  await noDrift(checks, system.dataDir);
  await noDeadLetters(checks, system.dataDir);
  checks.add('the stream has the ledger’s balance of every user', await inParallel(accounts, 8, difference));
  await topology({});
  checks.add(
    'every stream has three complete copies, also after npx cord streams without options',
    await streamsWithLess(),
  );
} finally {
  await nats?.drain();
  await system?.stop();
  await cluster.stop();
}
checks.close();

/** Has everybody save while each server is killed and restarted. */
async function underKills(system: System) {
  const people = await inParallel([...Array(Number(values.users)).keys()], 8, (n) =>
    signIn(system.origin, { years: 0.5 + (n % 10), username: `cluster.${n}` }),
  );
  const savers = people.map((person) => new Saver(person, SAVE_EVERY_MS));
  await inParallel(savers, 16, (saver) => saver.start());
  const saves = () => savers.reduce((sum, saver) => sum + saver.saves, 0);
  const bursters: Burster[] = [];
  for (let round = 1; round <= Number(values.rounds); round += 1) {
    for (const name of cluster.names) {
      await sleep(CALM_MS);
      const burster = await Burster.signIn(system.origin, `burst.${round}.${name}`);
      bursters.push(burster);
      const led = await ledBy(name);
      await Promise.all([cluster.kill(name), burster.burst()]);
      const before = saves();
      await sleep(WITHOUT_MS);
      const meanwhile = saves() - before;
      await cluster.startServer(name);
      const wholeMs = await whole();
      console.log(
        `killed server ${name}, leader of ${led} streams: ${meanwhile} saves without it, all copies complete ${(wholeMs / 1000).toFixed(1)} s after its restart`,
      );
      checks.add(`saves continue without server ${name} (round ${round})`, meanwhile > 0 ? [] : ['none did']);
    }
  }
  await sleep(CALM_MS);
  await settle(checks, savers, bursters);
}

/**
 * Runs `npx cord streams` on the cluster.
 * @returns its lines
 */
async function topology(env: { NATS_REPLICAS?: string }) {
  const dataDir = system ? system.dataDir : `${cluster.folder}/none`;
  const given = { ...process.env, NATS_URL: cluster.url, ...env };
  const { code, stdout, stderr } = await cord(['streams', '--data', dataDir], given);
  if (code !== 0) throw new Error(stderr);
  return stdout.trim().split('\n');
}

async function streamInfos() {
  const infos: StreamInfo[] = [];
  if (nats) for await (const info of nats.jsm.streams.list()) infos.push(info);
  return infos;
}

/** Returns the streams with too few or lagging replicas. */
async function streamsWithLess() {
  const infos = await streamInfos();
  const less = infos.filter(
    ({ config, cluster: of }) => config.num_replicas !== COPIES || (of?.replicas ?? []).some(({ current }) => !current),
  );
  return infos.length === 0 ? ['there are no streams'] : less.map(({ config }) => config.name);
}

async function ledBy(name: string) {
  return (await streamInfos()).filter((info) => info.cluster?.leader === name).length;
}

/**
 * Waits until every replica of every stream is current again.
 * @returns ms
 */
async function whole() {
  const startMs = performance.now();
  for (; performance.now() - startMs < WHOLE_MS_MAX; await sleep(250)) {
    const less = await streamsWithLess().catch((error: Error) => [error.message]);
    if (less.length === 0) return performance.now() - startMs;
  }
  throw new Error(`not complete after ${WHOLE_MS_MAX / 1000} s: ${(await streamsWithLess()).join(', ')}`);
}

/** Returns the difference between stream and ledger, or null. */
async function difference({ _id: userId, seq, balanceMicro }: OfUser['account']): Promise<string | null> {
  const message = await nats?.jsm.streams.getMessage('CORD_BALANCE', {
    last_by_subj: `cord.balance.v1.changed.${userId}`,
  });
  const published = message?.json<{ balance: string; seq: string }>();
  if (published && published.balance === String(balanceMicro) && BigInt(published.seq) <= BigInt(seq)) return null;
  return `${userId}: the ledger has ${balanceMicro} at ${seq}, the stream ${published?.balance} at ${published?.seq}`;
}
