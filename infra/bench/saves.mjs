import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { ROOT } from '../dev/starter/paths.mjs';
import { median } from './report/median.mjs';
import { cpuMicros } from './saves/cpu-time.mjs';
import { profileParts } from './saves/profile.mjs';
import { connectTo, Processes, startNats, startService, startStore } from './system/processes.mjs';

/*
 * npm run bench -- saves: saves per second through mining (HTTP, a real session token, the ledger's compare-and-set, NATS
 * behind it) against a bare Koa + mongoose findOneAndUpdate handler, on the same store in the same run. Windows of the
 * two take turns, so that both meet the same machine; the ratio is the median of the pairs. Then one profiled run says
 * where mining's time goes. SECONDS and PAIRS change the length, PROFILE=DIR keeps the profile; the services must be
 * built (npm run build).
 */

const USERS = 200;
const CONNECTIONS = 32;
/** Calls of each before anything counts, so that both run compiled code. */
const WARM_UP = 8_000;
const WINDOW_S = Number(process.env.SECONDS ?? 2);
const PAIRS = Number(process.env.PAIRS ?? 11);
const HOUR_MS = 3_600_000;
const body = JSON.stringify({ earningsToAdd: 0.08, miningRate: 0.5 });

const own = await Processes.create();
let users;
let auth;
try {
  const store = await startStore(own);
  const natsUrl = await startNats(own);
  ({ users, auth } = await prepareUsers(natsUrl));
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
} finally {
  await auth?.drain();
  await own.close();
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

/** Users with session tokens, and who stands in for auth until the end: a service without it is not ready. */
async function prepareUsers(natsUrl) {
  const [{ ensureTopology }, { createSigner, randomId }] = await Promise.all([
    import('@cord/kit/topology'),
    import('@cord/kit/testing/index'),
  ]);
  const nats = await connectTo(natsUrl);
  await ensureTopology(nats);
  const signer = await createSigner(nats);
  const users = [];
  for (let n = 0; n < USERS; n += 1) {
    const id = randomId();
    users.push({ id, token: await signer.sign(id, { nowMs: Date.now() }) });
  }
  return { users, auth: nats };
}

/** Opens the accounts, starts a node for each, and gives the saves of all as requests. */
async function openNodes(natsUrl, users, url) {
  const { openAccount } = await import('@cord/contracts/rpc/ledger');
  const nats = await connectTo(natsUrl);
  const requests = [];
  for (const { id, token } of users) {
    await nats.request(openAccount, { userId: id, discordCreatedAt: Date.now() - HOUR_MS, at: Date.now() });
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${url}/api/users/${id}/mining/start`, { method: 'POST', headers });
    const session = await answer.json();
    if (!answer.ok) throw new Error(`a node did not start: ${JSON.stringify(session)}`);
    requests.push(post(`/api/users/${id}/mining/${session.id}/save`, headers));
  }
  await nats.drain();
  return requests;
}

function post(path, headers) {
  return { method: 'POST', path, body, headers: { 'content-type': 'application/json', ...headers } };
}

/** One window of load; every answer must be 200. */
async function window({ url, child }, requests, length) {
  const cpuBefore = cpuMicros(child.pid);
  const share = Math.ceil(requests.length / CONNECTIONS);
  let connection = 0;
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    ...length,
    requests: [{ method: 'GET', path: '/' }],
    setupClient: (client) => {
      const from = (connection * share) % requests.length;
      connection += 1;
      client.setRequests(requests.slice(from, from + share));
    },
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} answers were no 2xx, ${result.errors} errors`);
  await sleep(200);
  const { total } = result.requests;
  const cpuPerSave = (cpuMicros(child.pid) - cpuBefore) / total;
  return { perSecond: total / result.duration, p99Ms: result.latency.p99, cpuPerSave };
}

function ratio({ bare, mining }) {
  return mining.perSecond / bare.perSecond;
}

function shown({ perSecond, p99Ms, cpuPerSave }) {
  return `${String(Math.round(perSecond)).padStart(6)}/s p99 ${p99Ms} ms cpu ${Math.round(cpuPerSave)} µs`;
}
