import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ROOT } from '../dev/starter/paths.mjs';
import { cpuMicros } from '../test/kit/proc.ts';
import { Processes, startNats, startService, startStore } from '../test/kit/processes.ts';
import { median } from './report/median.ts';
import { openNodes, post, prepareUsers, USERS, window } from './saves/miners.mjs';
import { paced } from './saves/paced.mjs';
import { profileParts } from './saves/profile.mjs';
import { countOperations } from './saves/replicas.mjs';

/*
 * npm run bench -- saves: saves per second through mining (HTTP, a real session token, the ledger's compare-and-set, NATS
 * behind it) against a bare Koa + mongoose findOneAndUpdate handler, on the same store in the same run. Windows of the
 * two take turns, so that both meet the same machine; the ratio is the median of the pairs. Then both get 70 % of their own
 * peak by the clock (saves/paced.mjs), in turns too: the ratio of their p99. Then a profiled run of each says where the time of
 * a call goes. SECONDS and PAIRS change the length, PROFILE=DIR keeps the profiles; the services must be
 * built (npm run build). `-- --replicas N` counts store operations instead: saves/replicas.mjs.
 */

/** Calls of each before anything counts, so that both run compiled code. */
const WARM_UP = 8_000;
const WINDOW_S = Number(process.env.SECONDS ?? 2);
const PAIRS = Number(process.env.PAIRS ?? 11);
/** How much of its peak a service is meant to carry. */
const LOAD = 0.7;

const { values: flags } = parseArgs({ options: { replicas: { type: 'string' } } });
const own = await Processes.create();
let auth;
try {
  const store = await startStore(own);
  const natsUrl = await startNats(own);
  let users;
  ({ users, auth } = await prepareUsers(natsUrl));
  const system = { store, natsUrl, users };
  if (flags.replicas === undefined) await compare(system);
  else await countOperations(own, system, { replicas: Number(flags.replicas), seconds: WINDOW_S });
} finally {
  await auth?.drain();
  await own.close();
}

async function compare({ store, natsUrl, users }) {
  const bare = await startBare(store.uri);
  const mining = await startMining(store.uri, natsUrl);
  const both = { bare, mining: { ...mining, requests: await openNodes(natsUrl, users, mining.url) } };

  for (const each of Object.values(both)) await window(each, each.requests, { amount: WARM_UP });
  const pairs = await inTurns(both, async (each) => {
    const before = store.child && cpuMicros(store.child.pid);
    const seen = await window(each, each.requests, { duration: WINDOW_S });
    return { ...seen, storeCpu: store.child ? (cpuMicros(store.child.pid) - before) / seen.total : Number.NaN };
  });
  const peak = (name) => median(pairs.map((seen) => seen[name].perSecond));
  const rates = { bare: LOAD * peak('bare'), mining: LOAD * peak('mining') };
  const waits = await inTurns(both, (each, name) => paced(each, { perSecond: rates[name], seconds: WINDOW_S }));
  const p99 = (name) => median(waits.map((seen) => seen[name].p99Ms));
  for (const each of Object.values(both)) await own.end(each);

  await showProfiles({ store, natsUrl, users });
  console.log(`\nRESULT bare_per_second=${Math.round(peak('bare'))}`);
  console.log(`RESULT saves_per_second=${Math.round(peak('mining'))}`);
  console.log(`RESULT ratio=${median(pairs.map(ratio)).toFixed(3)}`);
  console.log(`RESULT bare_p99_at_70_ms=${p99('bare').toFixed(1)}`);
  console.log(`RESULT saves_p99_at_70_ms=${p99('mining').toFixed(1)}`);
  console.log(`RESULT p99_ratio=${median(waits.map(({ bare, mining }) => mining.p99Ms / bare.p99Ms)).toFixed(3)}`);
}

/** PAIRS measures of both, each first in every other one. */
async function inTurns(both, measure) {
  const pairs = [];
  for (let pair = 1; pair <= PAIRS; pair += 1) {
    const seen = {};
    for (const name of pair % 2 === 1 ? ['bare', 'mining'] : ['mining', 'bare'])
      seen[name] = await measure(both[name], name);
    pairs.push(seen);
    console.log(
      `pair ${pair}: bare ${shown(seen.bare)}   mining ${shown(seen.mining)}   ratio ${ratio(seen).toFixed(3)}`,
    );
  }
  return pairs;
}

/** Microseconds of CPU that a call takes in either process, by part. */
async function showProfiles({ store, natsUrl, users }) {
  const folder = process.env.PROFILE ?? own.folder;
  const flags = ['--import', join(ROOT, 'infra/bench/saves/profiled.mjs')];
  const folderOf = { bare: join(folder, 'bare'), mining: join(folder, 'mining') };
  for (const each of Object.values(folderOf)) await mkdir(each, { recursive: true });
  const bare = await startBare(store.uri, flags, { PROFILE_DIR: folderOf.bare });
  const mining = await startMining(store.uri, natsUrl, flags, { PROFILE_DIR: folderOf.mining });
  const both = { bare, mining: { ...mining, requests: await openNodes(natsUrl, users, mining.url) } };
  const parts = {};
  for (const [name, each] of Object.entries(both)) {
    await window(each, each.requests, { amount: WARM_UP });
    each.child.kill('SIGUSR2');
    const { total } = await window(each, each.requests, { duration: 2 * WINDOW_S });
    each.child.kill('SIGUSR2');
    await sleep(1_000);
    await own.end(each);
    parts[name] = new Map((await profileParts(folderOf[name])).map(({ part, micros }) => [part, micros / total]));
  }
  console.log(`\nmicroseconds of a call, bare and mining (${store.description}):`);
  for (const [part, micros] of parts.mining)
    console.log(`  ${shownMicros(parts.bare.get(part) ?? 0)} ${shownMicros(micros)}  ${part}`);
}

async function startBare(mongodbUri, flags = [], env = {}) {
  const started = await own.start({
    command: process.execPath,
    args: [...flags, join(ROOT, 'infra/bench/saves/bare-server.mjs')],
    env: { MONGODB_URI: mongodbUri, USERS: String(USERS), NODE_ENV: 'production', ...env },
    isReady: async (printed) => /listening on \d+/.test(printed()),
  });
  const port = /listening on (\d+)/.exec(started.printed())[1];
  const requests = Array.from({ length: USERS }, (_, n) => post(`/save/user${n}`, {}));
  return { ...started, url: `http://127.0.0.1:${port}`, requests };
}

/** `flags` are of node. */
function startMining(mongodbUri, natsUrl, flags, env) {
  return startService(own, { file: 'services/mining/dist/main.js', mongodbUri, natsUrl, flags, env });
}

function ratio({ bare, mining }) {
  return mining.perSecond / bare.perSecond;
}

function shown({ perSecond, p99Ms, cpuPerSave, storeCpu }) {
  const times = `cpu ${Math.round(cpuPerSave)} µs${storeCpu ? `, the store's ${Math.round(storeCpu)}` : ''}`;
  return `${String(Math.round(perSecond)).padStart(6)}/s p99 ${p99Ms.toFixed(1)} ms ${times}`;
}

function shownMicros(micros) {
  return micros.toFixed(1).padStart(7);
}
