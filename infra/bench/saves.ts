import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Nats } from '@cord/kit/nats';
import { ROOT } from '../dev/starter/paths.mjs';
import type { Started } from '../dev/starter/process-group.ts';
import { cpuMicros } from '../test/kit/proc.ts';
import { connectTo, Processes, startNats, startService, startStore } from '../test/kit/processes.ts';
import { openNodes, post, type Save, type Seen, type Server, USERS, window } from './saves/miners.ts';
import { paced } from './saves/paced.ts';
import { countOperations, type System } from './saves/replicas.ts';
import { median } from './shared/median.ts';
import { prepareUsers } from './shared/users.ts';

/*
 * npm run bench -- saves: saves per second through mining (HTTP, a real session token, the ledger's compare-and-set, NATS
 * behind it) against a bare Koa + mongoose findOneAndUpdate handler, on the same store in the same run. Windows alternate,
 * so that both run on the same machine state; the ratio is the median of the pairs. Then both get 70 % of their own peak
 * at a fixed rate (saves/paced.ts), alternating too: the ratio of their p99. SECONDS and PAIRS change the length; the
 * services must be built (npm run build). `-- --replicas N` counts store operations instead: saves/replicas.ts.
 */

/** Warm-up calls of each, so that both run compiled code. */
const WARM_UP = 8_000;
const WINDOW_S = Number(process.env.SECONDS ?? 2);
const PAIRS = Number(process.env.PAIRS ?? 11);
/** Share of its peak that a service must carry. */
const LOAD = 0.7;

const { values: flags } = parseArgs({ options: { replicas: { type: 'string' } } });
const own = await Processes.create();
let auth: Nats | undefined;
try {
  const store = await startStore(own);
  const natsUrl = await startNats(own);
  auth = await connectTo(natsUrl);
  const system = { store, natsUrl, users: await prepareUsers(auth, USERS) };
  if (flags.replicas === undefined) await compare(system);
  else await countOperations(own, system, { replicas: Number(flags.replicas), seconds: WINDOW_S });
} finally {
  await auth?.drain();
  await own.close();
}

/** A value of the yardstick and one of mining. */
interface Pair<Value> {
  bare: Value;
  mining: Value;
}

type Target = Server & { requests: Save[] };

/** `child` is set when the store was started here. */
type OwnSystem = System & { store: { description: string } & Partial<Started> };

async function compare({ store, natsUrl, users }: OwnSystem) {
  const bare = await startBare(store.uri);
  const mining = await startService(own, { file: 'services/mining/dist/main.js', mongodbUri: store.uri, natsUrl });
  const both: Pair<Target> = { bare, mining: { ...mining, requests: await openNodes(natsUrl, users, mining.url) } };

  const storeCpu = () => (store.child?.pid === undefined ? Number.NaN : cpuMicros(store.child.pid));
  for (const each of Object.values(both)) await window(each, each.requests, { amount: WARM_UP });
  const pairs = await inTurns(both, async (each) => {
    const before = storeCpu();
    const seen = await window(each, each.requests, { duration: WINDOW_S });
    return { ...seen, storeCpu: (storeCpu() - before) / seen.total };
  });
  const peak = (name: keyof Pair<Target>) => median(pairs.map((seen) => seen[name].perSecond));
  const rates = { bare: LOAD * peak('bare'), mining: LOAD * peak('mining') };
  const waits = await inTurns(both, (each, name) => paced(each, { perSecond: rates[name], seconds: WINDOW_S }));
  const p99 = (name: keyof Pair<Target>) => median(waits.map((seen) => seen[name].p99Ms));
  for (const each of Object.values(both)) await own.end(each);

  console.log(`\nRESULT bare_per_second=${Math.round(peak('bare'))}`);
  console.log(`RESULT saves_per_second=${Math.round(peak('mining'))}`);
  console.log(`RESULT ratio=${median(pairs.map(ratio)).toFixed(3)}`);
  console.log(`RESULT bare_p99_at_70_ms=${p99('bare').toFixed(1)}`);
  console.log(`RESULT saves_p99_at_70_ms=${p99('mining').toFixed(1)}`);
  console.log(`RESULT p99_ratio=${median(waits.map(({ bare, mining }) => mining.p99Ms / bare.p99Ms)).toFixed(3)}`);
}

/** Measures both PAIRS times; they alternate in who is first. */
async function inTurns<Value extends Seen>(
  both: Pair<Target>,
  measure: (target: Target, name: keyof Pair<Target>) => Promise<Value>,
): Promise<Pair<Value>[]> {
  const pairs: Pair<Value>[] = [];
  for (let pair = 1; pair <= PAIRS; pair += 1) {
    const bareFirst = pair % 2 === 1 ? await measure(both.bare, 'bare') : undefined;
    const mining = await measure(both.mining, 'mining');
    const seen = { bare: bareFirst ?? (await measure(both.bare, 'bare')), mining };
    pairs.push(seen);
    console.log(
      `pair ${pair}: bare ${shown(seen.bare)}   mining ${shown(seen.mining)}   ratio ${ratio(seen).toFixed(3)}`,
    );
  }
  return pairs;
}

async function startBare(mongodbUri: string): Promise<Target> {
  const started = await own.start({
    command: process.execPath,
    args: ['--import', 'tsx', join(ROOT, 'infra/bench/saves/bare-server.ts')],
    env: { MONGODB_URI: mongodbUri, USERS: String(USERS), NODE_ENV: 'production' },
    isReady: async (printed) => /listening on \d+/.test(printed()),
  });
  const port = /listening on (\d+)/.exec(started.printed())?.[1];
  const requests = Array.from({ length: USERS }, (_, n) => post(`/save/user${n}`, {}));
  return { ...started, url: `http://127.0.0.1:${port}`, requests };
}

function ratio({ bare, mining }: Pair<Seen>) {
  return mining.perSecond / bare.perSecond;
}

function shown({ perSecond, p99Ms, cpuPerSave, storeCpu }: Seen & { storeCpu?: number }) {
  const times = `cpu ${Math.round(cpuPerSave)} µs${storeCpu ? `, the store's ${Math.round(storeCpu)}` : ''}`;
  return `${String(Math.round(perSecond)).padStart(6)}/s p99 ${p99Ms.toFixed(1)} ms ${times}`;
}
