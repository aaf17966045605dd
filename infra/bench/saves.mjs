import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ROOT } from '../dev/starter/paths.mjs';
import { median } from './report/median.mjs';
import { openNodes, post, prepareUsers, USERS, window } from './saves/miners.mjs';
import { profileParts } from './saves/profile.mjs';
import { countOperations } from './saves/replicas.mjs';
import { Processes, startNats, startService, startStore } from './system/processes.mjs';

/*
 * npm run bench -- saves: saves per second through mining (HTTP, a real session token, the ledger's compare-and-set, NATS
 * behind it) against a bare Koa + mongoose findOneAndUpdate handler, on the same store in the same run. Windows of the
 * two take turns, so that both meet the same machine; the ratio is the median of the pairs. Then one profiled run says
 * where mining's time goes. SECONDS and PAIRS change the length, PROFILE=DIR keeps the profile; the services must be
 * built (npm run build). `-- --replicas N` counts store operations instead: saves/replicas.mjs.
 */

/** Calls of each before anything counts, so that both run compiled code. */
const WARM_UP = 8_000;
const WINDOW_S = Number(process.env.SECONDS ?? 2);
const PAIRS = Number(process.env.PAIRS ?? 11);

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
  const saves = await openNodes(natsUrl, users, mining.url);

  await window(bare, bare.requests, { amount: WARM_UP });
  await window(mining, saves, { amount: WARM_UP });
  const pairs = [];
  for (let pair = 1; pair <= PAIRS; pair += 1) {
    const first = pair % 2 === 1 ? ['bare', 'mining'] : ['mining', 'bare'];
    const seen = {};
    for (const which of first) {
      seen[which] =
        which === 'bare'
          ? await window(bare, bare.requests, { duration: WINDOW_S })
          : await window(mining, saves, { duration: WINDOW_S });
    }
    pairs.push(seen);
    console.log(
      `pair ${pair}: bare ${shown(seen.bare)}   mining ${shown(seen.mining)}   ratio ${ratio(seen).toFixed(3)}`,
    );
  }
  await own.end(mining);

  const folder = process.env.PROFILE ?? join(own.folder, 'profile');
  await mkdir(folder, { recursive: true });
  const flags = ['--import', join(ROOT, 'infra/bench/saves/profiled.mjs')];
  const profiled = await startMining(store.uri, natsUrl, flags, { PROFILE_DIR: folder });
  const again = await openNodes(natsUrl, users, profiled.url);
  await window(profiled, again, { amount: WARM_UP });
  profiled.child.kill('SIGUSR2');
  await window(profiled, again, { duration: 2 * WINDOW_S });
  profiled.child.kill('SIGUSR2');
  await sleep(1_000);
  await own.end(profiled);
  console.log(`\nwhere mining's own time goes (${store.said}):`);
  for (const { part, share } of await profileParts(folder))
    console.log(`  ${(share * 100).toFixed(1).padStart(5)} %  ${part}`);

  console.log(`\nRESULT bare_per_second=${Math.round(median(pairs.map(({ bare: seen }) => seen.perSecond)))}`);
  console.log(`RESULT saves_per_second=${Math.round(median(pairs.map(({ mining: seen }) => seen.perSecond)))}`);
  console.log(`RESULT ratio=${median(pairs.map(ratio)).toFixed(3)}`);
}

async function startBare(mongodbUri) {
  const started = await own.start({
    command: process.execPath,
    args: [join(ROOT, 'infra/bench/saves/bare-server.mjs')],
    env: { MONGODB_URI: mongodbUri, USERS: String(USERS), NODE_ENV: 'production' },
    isReady: async (said) => /listening on \d+/.test(said()),
  });
  const port = /listening on (\d+)/.exec(started.said())[1];
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

function shown({ perSecond, p99Ms, cpuPerSave }) {
  return `${String(Math.round(perSecond)).padStart(6)}/s p99 ${p99Ms} ms cpu ${Math.round(cpuPerSave)} µs`;
}
