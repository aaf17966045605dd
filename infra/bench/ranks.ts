/**
 * npm run bench -- ranks: ranks per second of the leaderboard's board against Redis ZREVRANK, and pages of 100 per second of
 * the leaderboard service against the same Koa handler (same guard and presenter) on Redis ZREVRANGE and HMGET. 100,000
 * users, alternating windows, medians of the pairs. Then the start of a board of a million from its snapshot and a stream in
 * which a tenth has changed since. The services must be built. `--users N --board N`; PAIRS and SECONDS change the length.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Nats } from '@cord/kit/nats';
import { createClient } from '@redis/client';
import autocannon from 'autocannon';
import { opsUrlOf } from '../../services/kit/ops-port.ts';
import type { Board } from '../../services/leaderboard/domain/board.ts';
import { findBinary } from '../dev/starter/binaries.ts';
import { freePorts } from '../dev/starter/ports.ts';
import { acceptsOn, answersOk, hasEnded } from '../dev/starter/probes.ts';
import { cpuMicros, residentBytes } from '../test/kit/proc.ts';
import { connectTo, Processes, startNats, startService, startStore } from '../test/kit/processes.ts';
import { accountOf, idOf } from './ranks/crowd.ts';
import { REDIS_KEYS } from './ranks/redis-keys.ts';
import { boardOf, saveSnapshot } from './ranks/snapshot.ts';
import { median } from './shared/median.ts';

const { values } = parseArgs({
  options: { users: { type: 'string', default: '100000' }, board: { type: 'string', default: '1000000' } },
});
const USERS = Number(values.users);
const MINERS = Number(values.board);
const PAIRS = Number(process.env.PAIRS ?? 7);
const WINDOW_S = Number(process.env.SECONDS ?? 2);
const BOARD = 'services/leaderboard/dist/main.js';
const CONNECTIONS = 32;
/** Concurrent ZREVRANKs, so that more than round trips is measured. */
const IN_FLIGHT = 256;
const SEED_BATCH = 5_000;
const READY_MS_MAX = 900_000;
/** One of this many miners has changed since the snapshot. */
const CHANGED_ONE_IN = 10;

const { createSigner, signTestCaller, testCallerKey } = await import('@cord/kit/testing/signer');
/** Services reject calls without a gateway's token. */
const headers = { authorization: `Bearer ${await signTestCaller()}` };
const own = await Processes.create();
let auth: Nats | undefined;
const nowMs = Date.now();
try {
  const redis = await startRedis();
  const store = await startStore(own);
  const natsUrl = await startNats(own);
  const board = await boardOf(USERS, nowMs);
  auth = await prepare(natsUrl, store.uri, board, redis.client);

  const ranks = await rankWindows(board, redis.client);
  const ours = await startService(own, { file: BOARD, mongodbUri: store.uri, natsUrl });
  const theirs = await startService(own, {
    file: 'infra/bench/ranks/redis-board.ts',
    flags: ['--import', 'tsx'],
    mongodbUri: store.uri,
    natsUrl,
    env: { BENCH_REDIS: redis.url, CORD_REPLICA: '1', CALLER_KEY: testCallerKey('leaderboard') },
  });
  await sameFirst(ours, theirs);
  const pages = await pageWindows(ours, theirs);
  for (const each of [ours, theirs]) await own.end(each);

  const { readyMs, cpuMs, mib } = await boardReady(auth, natsUrl, store.uri);
  console.log(`RESULT ranks_per_second=${Math.round(median(ranks.map((pair) => pair.ours)))}`);
  console.log(`RESULT redis_ranks_per_second=${Math.round(median(ranks.map((pair) => pair.redis)))}`);
  console.log(`RESULT pages_per_second=${Math.round(median(pages.map((pair) => pair.ours)))}`);
  console.log(`RESULT redis_pages_per_second=${Math.round(median(pages.map((pair) => pair.redis)))}`);
  console.log(`RESULT ratio_rank=${median(ranks.map(ratio)).toFixed(2)}`);
  console.log(`RESULT ratio_page=${median(pages.map(ratio)).toFixed(2)}`);
  console.log(
    `RESULT board_ready_s=${seconds(readyMs)} cpu_s=${seconds(cpuMs)} mib=${mib.toFixed(0)} miners=${MINERS}`,
  );
  redis.client.destroy();
} finally {
  await auth?.drain();
  await own.close();
}

/** Operations per second of both. */
interface Pair {
  ours: number;
  redis: number;
}

type Redis = Awaited<ReturnType<typeof startRedis>>['client'];

/** Starts Debian's redis-server, in memory only. */
async function startRedis() {
  const command = await findBinary('redis-server');
  if (!command) throw new Error('redis-server is not on PATH: apt-get install redis-server');
  const [port] = await freePorts(1);
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', own.folder];
  await own.start({ command, args, isReady: acceptsOn(port) });
  const url = `redis://127.0.0.1:${port}`;
  const client = createClient({ url });
  // A failed call rejects by itself. Without this handler, a Redis that ends first would hide the original error.
  client.on('error', () => undefined);
  await client.connect();
  return { url, client };
}

/** Fills both with the same users: a snapshot in the service's store, sorted sets and miners in Redis. */
async function prepare(natsUrl: string, mongodbUri: string, board: Board, redis: Redis): Promise<Nats> {
  const { ensureTopology } = await import('@cord/kit/topology');
  const nats = await connectTo(natsUrl);
  await ensureTopology(nats);
  // Stands in for auth until the end, since services without it are not ready.
  await createSigner(nats);
  await saveSnapshot(nats, mongodbUri, board, nowMs);
  const everybody = [...board.miners()];
  for (let from = 0; from < USERS; from += SEED_BATCH) {
    const miners = everybody.slice(from, from + SEED_BATCH);
    const scored = (of: (miner: (typeof everybody)[number]) => number) =>
      miners.map((miner) => ({ value: miner.userId, score: of(miner) }));
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
  console.log(`${USERS} users in the store and in Redis`);
  return nats;
}

/** Measures ranks of random users, in turn. */
async function rankWindows(board: Board, redis: Redis): Promise<Pair[]> {
  const ids = Array.from({ length: 50_000 }, () => idOf(Math.floor(Math.random() * USERS)));
  let differing = 0;
  for (const id of ids.slice(0, 1_000)) {
    const before = await redis.zRevRank(REDIS_KEYS['all-time'], id);
    if (before === null || before + 1 !== board.rankOf(id)) differing += 1;
  }
  // Redis orders equal totals by name, we by who was first, so a few of so many may differ.
  if (differing > 20) throw new Error(`${differing} of 1,000 ranks differ`);

  // Warm-up, so that both run compiled code.
  ranksOfOurs(board, ids);
  await ranksOfRedis(redis, ids);
  const pairs: Pair[] = [];
  for (let pair = 1; pair <= PAIRS; pair += 1) {
    const seen: Pair = { ours: 0, redis: 0 };
    for (const which of turn(pair)) {
      seen[which] = which === 'ours' ? ranksOfOurs(board, ids) : await ranksOfRedis(redis, ids);
    }
    pairs.push(seen);
    console.log(
      `ranks ${pair}: ours ${shown(seen.ours)}   Redis ${shown(seen.redis)}   ratio ${ratio(seen).toFixed(2)}`,
    );
  }
  return pairs;
}

function ranksOfOurs(board: Board, ids: string[]) {
  const fromMs = performance.now();
  const untilMs = fromMs + WINDOW_S * 1_000;
  let ranked = 0;
  for (let n = 0; performance.now() < untilMs; ) {
    for (let batch = 0; batch < 1_000; batch += 1) {
      if (board.rankOf(ids[n] ?? '') === null) throw new Error('a user has no rank');
      n = (n + 1) % ids.length;
    }
    ranked += 1_000;
  }
  return (ranked * 1_000) / (performance.now() - fromMs);
}

async function ranksOfRedis(redis: Redis, ids: string[]) {
  const fromMs = performance.now();
  const untilMs = fromMs + WINDOW_S * 1_000;
  let ranked = 0;
  for (let n = 0; performance.now() < untilMs; ) {
    const batch = Array.from({ length: IN_FLIGHT }, () => {
      n = (n + 1) % ids.length;
      return redis.zRevRank(REDIS_KEYS['all-time'], ids[n] ?? '');
    });
    if ((await Promise.all(batch)).includes(null)) throw new Error('a user has no rank');
    ranked += IN_FLIGHT;
  }
  return (ranked * 1_000) / (performance.now() - fromMs);
}

/** A server of pages of 100 over HTTP. */
interface Served {
  url: string;
}

async function pageWindows(ours: Served, theirs: Served): Promise<Pair[]> {
  for (const each of [ours, theirs]) await pagesOf(each, { amount: 3_000 });
  const pairs: Pair[] = [];
  for (let pair = 1; pair <= PAIRS; pair += 1) {
    const seen: Pair = { ours: 0, redis: 0 };
    for (const which of turn(pair))
      seen[which] = await pagesOf(which === 'ours' ? ours : theirs, { duration: WINDOW_S });
    pairs.push(seen);
    console.log(
      `pages ${pair}: ours ${shown(seen.ours)}   Redis ${shown(seen.redis)}   ratio ${ratio(seen).toFixed(2)}`,
    );
  }
  return pairs;
}

async function pagesOf({ url }: Served, length: { amount: number } | { duration: number }) {
  const result = await autocannon({
    url: `${url}/api/leaderboard?limit=100`,
    headers,
    connections: CONNECTIONS,
    ...length,
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} responses were not 2xx, ${result.errors} errors`);
  return result.requests.total / result.duration;
}

/** Checks that both return the same page before they are compared. */
async function sameFirst(ours: Served, theirs: Served) {
  const page = async ({ url }: Served): Promise<unknown[]> =>
    (await fetch(`${url}/api/leaderboard?limit=100`, { headers })).json() as Promise<unknown[]>;
  const [mine, other] = await Promise.all([page(ours), page(theirs)]);
  if (mine.length !== 100) throw new Error(`a page has ${mine.length} entries`);
  const differing = mine.filter((entry, n) => JSON.stringify(entry) !== JSON.stringify(other[n]));
  if (differing.length > 2)
    throw new Error(`${differing.length} entries of the first page differ: ${JSON.stringify(differing[0])}`);
}

/** Publishes a change of each tenth miner, as mining does. */
async function publishChanges({ js }: Nats) {
  const changed = Math.floor(MINERS / CHANGED_ONE_IN);
  for (let from = 0; from < changed; from += SEED_BATCH) {
    const batch = Array.from({ length: Math.min(SEED_BATCH, changed - from) }, (_, n) => (from + n) * CHANGED_ONE_IN);
    const published = batch.map((n) => {
      const { userId, ...state } = accountOf(n, nowMs);
      const event = { v: 1, id: `balance:${userId}:8`, at: nowMs, userId, ...state, seq: '8' };
      return js.publish(`cord.balance.v1.changed.${userId}`, JSON.stringify(event));
    });
    await Promise.all(published);
  }
  return changed;
}

/** Measures the start of a board from its snapshot and the streams: time from process start until ready, CPU time and memory. */
async function boardReady(nats: Nats, natsUrl: string, mongodbUri: string) {
  await saveSnapshot(nats, mongodbUri, await boardOf(MINERS, nowMs), nowMs);
  const changed = await publishChanges(nats);
  const fromMs = performance.now();
  const endMs = fromMs + READY_MS_MAX;
  const board = await startService(own, { file: BOARD, mongodbUri, natsUrl, isReady: async () => true });
  while (!(await answersOk(`${opsUrlOf(board.url)}/readyz`)().catch(() => false))) {
    if (performance.now() > endMs || hasEnded(board.child)) throw new Error('the board did not become ready');
    await sleep(100);
  }
  const readyMs = performance.now() - fromMs;
  const { pid = 0 } = board.child;
  const [cpuMs, mib] = [cpuMicros(pid) / 1_000, residentBytes(pid) / 1024 ** 2];
  const stats = await fetch(`${board.url}/api/leaderboard/stats`, { headers });
  const { totalMiners } = (await stats.json()) as { totalMiners: number };
  console.log(
    `${totalMiners} miners from the snapshot, ${changed} of them changed since, in ${seconds(readyMs)} s, the start included`,
  );
  if (totalMiners !== MINERS) throw new Error(`${MINERS} were there`);
  await own.end(board);
  return { readyMs, cpuMs, mib };
}

function seconds(ms: number) {
  return (ms / 1_000).toFixed(1);
}

function turn(pair: number): (keyof Pair)[] {
  return pair % 2 === 1 ? ['redis', 'ours'] : ['ours', 'redis'];
}

function ratio({ ours, redis }: Pair) {
  return ours / redis;
}

function shown(perSecond: number) {
  return `${String(Math.round(perSecond)).padStart(8)}/s`;
}
