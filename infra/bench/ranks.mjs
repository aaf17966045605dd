/**
 * npm run bench -- ranks: ranks per second of the leaderboard's own ranking against Redis ZREVRANK, and pages of 100 per
 * second of the leaderboard service against the same Koa handler (same guard, same presenter) on Redis ZREVRANGE and
 * HMGET, 100,000 users, windows in turns, medians of the pairs. Then a rebuild of a million accounts from the ledger's
 * scan. The services must be built. `--users N --rebuild N`; PAIRS and SECONDS change the length.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { createClient } from '@redis/client';
import autocannon from 'autocannon';
import { mongo } from 'mongoose';
import { findBinary } from '../dev/starter/binaries.mjs';
import { ROOT } from '../dev/starter/paths.mjs';
import { freePorts } from '../dev/starter/ports.mjs';
import { acceptsOn, answersOk } from '../dev/starter/probes.mjs';
import { accountOf, idOf, profileOf } from './ranks/crowd.mjs';
import { REDIS_KEYS } from './ranks/redis-keys.mjs';
import { median } from './report/median.mjs';
import { connectTo, Processes, startNats, startService, startStore } from './system/processes.mjs';

const { values } = parseArgs({
  options: { users: { type: 'string', default: '100000' }, rebuild: { type: 'string', default: '1000000' } },
});
const USERS = Number(values.users);
const REBUILD = Number(values.rebuild);
const PAIRS = Number(process.env.PAIRS ?? 7);
const WINDOW_S = Number(process.env.SECONDS ?? 2);
const BOARD = 'services/leaderboard/dist/main.js';
const CONNECTIONS = 32;
/** ZREVRANKs on their way at once: more than one round trip must not be what is measured. */
const IN_FLIGHT = 256;
const SEED_BATCH = 5_000;
const REBUILD_MS_MAX = 900_000;

const own = await Processes.create();
let auth;
const nowMs = Date.now();
try {
  const redis = await startRedis();
  const store = await startStore(own);
  const natsUrl = await startNats(own);
  auth = await prepare(natsUrl, store.uri, redis.client);

  const ranks = await rankWindows(redis.client);
  const ledger = await startLedger(natsUrl, USERS);
  const ours = await startService(own, { file: BOARD, mongodbUri: store.uri, natsUrl });
  const theirs = await startService(own, {
    file: 'infra/bench/ranks/redis-board.mjs',
    mongodbUri: store.uri,
    natsUrl,
    env: { BENCH_REDIS: redis.url, CORD_REPLICA: '1' },
  });
  await sameFirst(ours, theirs);
  const pages = await pageWindows(ours, theirs);
  for (const each of [ours, theirs, ledger]) await own.end(each);

  const rebuildMs = await rebuild(natsUrl, store.uri);
  console.log(`RESULT ranks_per_second=${Math.round(median(ranks.map(({ ours: seen }) => seen)))}`);
  console.log(`RESULT redis_ranks_per_second=${Math.round(median(ranks.map(({ redis: seen }) => seen)))}`);
  console.log(`RESULT pages_per_second=${Math.round(median(pages.map(({ ours: seen }) => seen)))}`);
  console.log(`RESULT redis_pages_per_second=${Math.round(median(pages.map(({ redis: seen }) => seen)))}`);
  console.log(`RESULT ratio_rank=${median(ranks.map(ratio)).toFixed(2)}`);
  console.log(`RESULT ratio_page=${median(pages.map(ratio)).toFixed(2)}`);
  console.log(`RESULT rebuild_1m_s=${((rebuildMs / 1_000) * (1_000_000 / REBUILD)).toFixed(1)}`);
  redis.client.destroy();
} finally {
  await auth?.drain();
  await own.close();
}

/** Debian's redis-server, in memory alone. */
async function startRedis() {
  const command = await findBinary('redis-server');
  if (!command) throw new Error('redis-server is not on PATH: apt-get install redis-server');
  const [port] = await freePorts(1);
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', own.folder];
  await own.start({ command, args, isReady: acceptsOn(port) });
  const url = `redis://127.0.0.1:${port}`;
  const client = createClient({ url });
  await client.connect();
  return { url, client };
}

/** The same crowd for both: profiles in the service's store, sorted sets and miners in Redis. */
async function prepare(natsUrl, mongodbUri, redis) {
  const [{ ensureTopology }, { createSigner }] = await Promise.all([
    import('@cord/kit/topology'),
    import('@cord/kit/testing/index'),
  ]);
  const { newMiner, takeAccount } = await import(
    pathToFileURL(join(ROOT, 'services/leaderboard/dist/domain/miner.js')).href
  );
  const nats = await connectTo(natsUrl);
  await ensureTopology(nats);
  // Stands in for auth until the end: a service without it is not ready.
  await createSigner(nats);
  const client = await new mongo.MongoClient(mongodbUri).connect();
  const profiles = client.db('cord_leaderboard').collection('profiles');
  for (let from = 0; from < USERS; from += SEED_BATCH) {
    const batch = Array.from({ length: Math.min(SEED_BATCH, USERS - from) }, (_, n) => from + n);
    await profiles.insertMany(batch.map((n) => ({ _id: idOf(n), seq: 1, ...profileOf(n, nowMs) })));
    const miners = batch.map((n) => {
      const miner = Object.assign(newMiner(idOf(n)), profileOf(n, nowMs), { profileSeq: 1 });
      takeAccount(miner, 7, accountOf(n, nowMs));
      return miner;
    });
    const scored = (of) => miners.map((miner) => ({ value: miner.userId, score: of(miner) }));
    await Promise.all([
      redis.zAdd(
        REDIS_KEYS['all-time'],
        scored((miner) => miner.totalMicro),
      ),
      redis.zAdd(
        REDIS_KEYS.monthly,
        scored((miner) => miner.month.totalMicro),
      ),
      redis.zAdd(
        REDIS_KEYS.weekly,
        scored((miner) => miner.week.totalMicro),
      ),
      redis.zAdd(
        REDIS_KEYS.daily,
        scored((miner) => miner.day.totalMicro),
      ),
      redis.hSet(REDIS_KEYS.miners, Object.fromEntries(miners.map((miner) => [miner.userId, JSON.stringify(miner)]))),
    ]);
  }
  await client.close();
  console.log(`${USERS} users in the store and in Redis`);
  return nats;
}

/** Ranks of random users, in turns. */
async function rankWindows(redis) {
  const { Ranking } = await import(pathToFileURL(join(ROOT, 'services/leaderboard/dist/domain/ranking.js')).href);
  const ranking = new Ranking();
  ranking.load(
    Array.from({ length: USERS }, (_, n) => {
      const { userId, total, totalReachedAt } = accountOf(n, nowMs);
      return { userId, totalMicro: Number(total), reachedAtMs: totalReachedAt };
    }),
  );
  const asked = Array.from({ length: 50_000 }, () => idOf(Math.floor(Math.random() * USERS)));
  let differing = 0;
  for (const id of asked.slice(0, 1_000)) {
    if ((await redis.zRevRank(REDIS_KEYS['all-time'], id)) + 1 !== ranking.rankOf(id)) differing += 1;
  }
  // Redis orders equal totals by name, we by who was first: a handful of equal totals among so many may differ.
  if (differing > 20) throw new Error(`${differing} of 1,000 ranks differ`);

  // Once before anything counts, so that both run compiled code.
  ranksOfOurs(ranking, asked);
  await ranksOfRedis(redis, asked);
  const pairs = [];
  for (let pair = 1; pair <= PAIRS; pair += 1) {
    const seen = {};
    for (const which of turn(pair)) {
      seen[which] = which === 'ours' ? ranksOfOurs(ranking, asked) : await ranksOfRedis(redis, asked);
    }
    pairs.push(seen);
    console.log(
      `ranks ${pair}: ours ${shown(seen.ours)}   Redis ${shown(seen.redis)}   ratio ${ratio(seen).toFixed(2)}`,
    );
  }
  return pairs;
}

function ranksOfOurs(ranking, asked) {
  const fromMs = performance.now();
  const untilMs = fromMs + WINDOW_S * 1_000;
  let ranked = 0;
  for (let n = 0; performance.now() < untilMs; ) {
    for (let batch = 0; batch < 1_000; batch += 1) {
      if (ranking.rankOf(asked[n]) === null) throw new Error('an unranked user');
      n = (n + 1) % asked.length;
    }
    ranked += 1_000;
  }
  return (ranked * 1_000) / (performance.now() - fromMs);
}

async function ranksOfRedis(redis, asked) {
  const fromMs = performance.now();
  const untilMs = fromMs + WINDOW_S * 1_000;
  let ranked = 0;
  for (let n = 0; performance.now() < untilMs; ) {
    const batch = Array.from({ length: IN_FLIGHT }, () => {
      n = (n + 1) % asked.length;
      return redis.zRevRank(REDIS_KEYS['all-time'], asked[n]);
    });
    if ((await Promise.all(batch)).includes(null)) throw new Error('an unranked user');
    ranked += IN_FLIGHT;
  }
  return (ranked * 1_000) / (performance.now() - fromMs);
}

/** Pages of 100 over HTTP, in turns. */
async function pageWindows(ours, theirs) {
  for (const each of [ours, theirs]) await pagesOf(each, { amount: 3_000 });
  const pairs = [];
  for (let pair = 1; pair <= PAIRS; pair += 1) {
    const seen = {};
    for (const which of turn(pair))
      seen[which] = await pagesOf(which === 'ours' ? ours : theirs, { duration: WINDOW_S });
    pairs.push(seen);
    console.log(
      `pages ${pair}: ours ${shown(seen.ours)}   Redis ${shown(seen.redis)}   ratio ${ratio(seen).toFixed(2)}`,
    );
  }
  return pairs;
}

async function pagesOf({ url }, length) {
  const result = await autocannon({ url: `${url}/api/leaderboard?limit=100`, connections: CONNECTIONS, ...length });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} no 2xx, ${result.errors} errors`);
  return result.requests.total / result.duration;
}

/** Both must answer the same page before they are compared. */
async function sameFirst(ours, theirs) {
  const page = async ({ url }) => (await fetch(`${url}/api/leaderboard?limit=100`)).json();
  const [mine, other] = await Promise.all([page(ours), page(theirs)]);
  if (mine.length !== 100) throw new Error(`a page of ${mine.length}`);
  const differing = mine.filter((entry, n) => JSON.stringify(entry) !== JSON.stringify(other[n]));
  if (differing.length > 2)
    throw new Error(`${differing.length} entries of the first page differ: ${JSON.stringify(differing[0])}`);
}

function startLedger(natsUrl, count) {
  return own.start({
    command: process.execPath,
    args: [join(ROOT, 'infra/bench/ranks/ledger.mjs')],
    env: { NATS_URL: natsUrl, COUNT: String(count), NOW_MS: String(nowMs) },
    isReady: async (said) => said().includes('listening'),
  });
}

/** An empty leaderboard beside a ledger of a million accounts: from the start of the process until it is ready. @returns ms */
async function rebuild(natsUrl, mongodbUri) {
  const ledger = await startLedger(natsUrl, REBUILD);
  const client = await new mongo.MongoClient(mongodbUri).connect();
  await client.db('cord_leaderboard').dropDatabase();
  await client.close();
  const fromMs = performance.now();
  const endMs = fromMs + REBUILD_MS_MAX;
  const board = await startService(own, { file: BOARD, mongodbUri, natsUrl, isReady: async () => true });
  while (!(await answersOk(`${board.url}/readyz`)().catch(() => false))) {
    if (performance.now() > endMs || board.child.exitCode !== null) throw new Error('the rebuild did not end');
    await sleep(100);
  }
  const ms = performance.now() - fromMs;
  const { totalMiners } = await (await fetch(`${board.url}/api/leaderboard/stats`)).json();
  console.log(
    `${totalMiners} accounts rebuilt from the ledger's scan in ${(ms / 1_000).toFixed(1)} s, the start included`,
  );
  if (totalMiners !== REBUILD) throw new Error(`${REBUILD} were there`);
  for (const each of [board, ledger]) await own.end(each);
  return ms;
}

function turn(pair) {
  return pair % 2 === 1 ? ['redis', 'ours'] : ['ours', 'redis'];
}

function ratio({ ours, redis }) {
  return ours / redis;
}

function shown(perSecond) {
  return `${String(Math.round(perSecond)).padStart(8)}/s`;
}
