/**
 * The consistency proof: users act for many simulated days through HTTP, an admin changes epochs, and services are
 * killed with -9 at random. Then every figure is recomputed from the rules. Finally every stream is republished: the
 * same must be shown, and nothing credited twice. `--users N --days D --seed S`; the seed is printed. Ends with RESULT
 * lines and `N passed, N failed`.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { chanceOf } from '../../../services/kit/testing/simulation/random.ts';
import { SERVICES } from '../../dev/starter/services.ts';
import { Checks } from '../kit/checks.ts';
import { advance, systemNow } from '../kit/clock.ts';
import { noDeadLetters, noDrift } from '../kit/cord.ts';
import { inParallel } from '../kit/people.ts';
import { comeToRest } from '../kit/rest.ts';
import { startSystem } from '../kit/system.ts';
import { until } from '../kit/until.ts';
import { EpochAdmin } from './life/admin.ts';
import { Books, type OfUser, sumMicro } from './life/books.ts';
import { ledgerChecks, shown, shownChecks } from './life/checks.ts';
import { Miner } from './life/miner.ts';
import { republishAll } from './life/streams.ts';

const DAY_MS = 86_400_000;
/** Rounds per day, 3 to 21 h apart: users return after less and after more than a lease (8 h). */
const ROUNDS_A_DAY = 2;
const ROUND_MIN = 0.25;
const ROUND_MAX = 1.75;
const LANES = 16;
/** Maximum time for events, credits and commission to come to rest at the end, ms. */
const REST_MS_MAX = 180_000;

const { values } = parseArgs({
  options: {
    users: { type: 'string', default: '300' },
    days: { type: 'string', default: '40' },
    seed: { type: 'string', default: String(randomInt(1, 1_000_000)) },
  },
});
const [users, days, seed] = [Number(values.users), Number(values.days), Number(values.seed)];
console.log(`${users} users, ${days} days, --seed ${seed}`);
const random = chanceOf(seed);
const checks = new Checks();

const startedMs = performance.now();
/** Ctrl-C ends the simulation at the next evening; the results so far are still checked. */
let ended = false;
process.once('SIGINT', () => {
  ended = true;
});
const system = await startSystem();
const books = await Books.open(system);
const miners: Miner[] = [];
let kills = 0;
try {
  for (let n = 0; n < users; n += 1) miners.push(new Miner(n, seed, system.origin, miners));
  const arrivalDay = miners.map((_, n) => (n < 4 ? 0 : random.next() * days * 0.5));
  const [first] = miners;
  if (!first) throw new Error('--users must be a whole number of at least 1');
  await first.arrive();
  const admin = new EpochAdmin(first);
  await admin.begin();

  const beginMs = await nowMs();
  let day = 0;
  for (; day < days && !ended; day = ((await nowMs()) - beginMs) / DAY_MS) {
    const newcomers = miners.filter(({ person }, n) => person === null && (arrivalDay[n] ?? 0) <= day);
    const killing = random.next() < 0.25 ? kill(random.pick(SERVICES)) : undefined;
    for (const newcomer of newcomers.slice(0, 4)) await newcomer.arrive();
    await inParallel(newcomers.slice(4), LANES / 2, (newcomer) => newcomer.arrive());
    const here = miners.filter(({ person }) => person !== null);
    if (random.next() < 0.3) await admin.change(await nowMs());
    await inParallel(here, LANES, (miner) => miner.live());
    await killing;
    await epochsInUse();
    const rounds = ROUND_MIN + random.next() * (ROUND_MAX - ROUND_MIN);
    const ms = Math.round((rounds * DAY_MS) / ROUNDS_A_DAY);
    await advance(system.origin, `${ms}ms`);
    if (Math.floor(day) !== Math.floor(day + ms / DAY_MS)) {
      console.log(
        `day ${Math.floor(day + ms / DAY_MS)}: ${here.length} users, ${kills} kills, ${admin.changes} epoch changes, ` +
          `${Math.round((performance.now() - startedMs) / 1_000)} s`,
      );
    }
  }
  await inParallel(
    miners.filter(({ person }) => person === null),
    LANES / 2,
    (miner) => miner.arrive(),
  );
  await inParallel(miners, LANES, (miner) => miner.stop());
  const restFromMs = performance.now();
  await comeToRest(system);
  const restMs = performance.now() - restFromMs;

  const epochs = await admin.table();
  const life = { miners, books: await books.read(), epochs, nowMs: await nowMs() };
  for (const [promise, wrong] of Object.entries(ledgerChecks(life))) checks.add(promise, wrong);
  for (const [promise, wrong] of Object.entries(shownChecks({ ...life, shown: await shown(miners) })))
    checks.add(promise, wrong);
  const driftMicro = await noDrift(checks, system.dataDir);
  await noDeadLetters(checks, system.dataDir);

  checks.add('every deleted and republished stream has the same content', await republishAll(system.dataDir));
  // Its snapshot belongs to the old streams.
  await system.crash('leaderboard');
  await comeToRest(system);
  const again = { ...life, books: await books.read(), nowMs: await nowMs() };
  checks.add('republished events credit nothing', balancesThatMoved(life.books, again.books));
  for (const [promise, wrong] of Object.entries(shownChecks({ ...again, shown: await shown(miners) })))
    checks.add(`${promise}, from republished streams`, wrong);
  await noDeadLetters(checks, system.dataDir, 'no republished event became a dead letter');

  const owns = [...life.books.values()];
  const entries = owns.flatMap((own) => own.entries);
  const counted = (source: string) => entries.filter((entry) => entry.source === source).length;
  const total = (name: 'calls' | 'refused') => miners.reduce((sum, miner) => sum + miner[name], 0);
  const seconds = (performance.now() - startedMs) / 1_000;
  console.log(
    `${total('calls')} calls, ${total('refused')} refused by rule, ${owns.flatMap(({ sessions }) => sessions).length} sessions, ` +
      `${counted('checkin')} check-ins, ${counted('task')} tasks, ${miners.filter(({ link }) => link).length} friends, ` +
      `${counted('commission')} commissions; at rest after ${(restMs / 1_000).toFixed(1)} s; ${seconds.toFixed(0)} s in all`,
  );
  console.log(`RESULT users=${users}`);
  console.log(`RESULT days=${Math.floor(day)}`);
  console.log(`RESULT seed=${seed}`);
  console.log(`RESULT kills=${kills}`);
  console.log(`RESULT epoch_changes=${admin.changes}`);
  console.log(`RESULT entries=${entries.length}`);
  console.log(`RESULT cord=${(Number(owns.reduce((sum, own) => sum + sumMicro(own), 0n)) / 1e6).toFixed(6)}`);
  console.log(`RESULT drift_micro=${driftMicro}`);
} finally {
  await books.close();
  await system.stop();
}
checks.close();

async function kill(name: string) {
  await sleep(Math.random() * 1_000);
  await system.crash(name, 120_000);
  kills += 1;
}

function nowMs() {
  return systemNow(system.origin);
}

/** An edit takes effect at least 25 s ahead (services/rewards/README.md); a clock jump must not outrun it. */
async function epochsInUse() {
  const areInUse = async () => {
    const { made, used } = await books.epochVersions();
    return made === used;
  };
  await until('an epoch change reaches mining', areInUse, REST_MS_MAX);
}

function balancesThatMoved(before: Map<string, OfUser>, after: Map<string, OfUser>) {
  const sumOf = (own: OfUser | undefined) => (own ? sumMicro(own) : undefined);
  return [...before].flatMap(([userId, own]) => {
    const [was, is] = [sumOf(own), sumOf(after.get(userId))];
    return was === is ? [] : [`${userId}: ${was} before, ${is} after`];
  });
}
