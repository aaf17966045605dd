/**
 * Kills mining, auth, NATS and the store with -9 in turn, while 200 users save and one bursts (200 concurrent starts,
 * stops and saves, one claim among them). Everything must recover, the audit must find drift 0, and each user must have
 * exactly what is due. `--rounds N` kills each N times (once in `npm test`). `--victims store` kills only that.
 * `--kills N` kills N times in all, without rest, `--at-once N` different ones at a time, with an audit after each
 * hundred. Ends with RESULT lines and `N passed, N failed`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Checks } from '../kit/checks.ts';
import { audit, driftOf, noDrift } from '../kit/cord.ts';
import { inParallel, signIn } from '../kit/people.ts';
import { startSystem } from '../kit/system.ts';
import { Burster, settle } from './chaos/burst.ts';
import { Saver, untilDone } from './chaos/load.ts';

const SAVE_EVERY_MS = 1_000;
/** Time of undisturbed saving before and after each kill, ms. */
const CALM_MS = 2_000;
/** Approximate length of a burst, ms; a kill comes at a random moment in it. */
const BURST_MS = 600;
const KILLS_BETWEEN_AUDITS = 100;
/** Maximum recovery time per killed process, ms; several at once share the machine. */
const BACK_MS_MAX = 60_000;

const { values } = parseArgs({
  options: {
    users: { type: 'string', default: '200' },
    rounds: { type: 'string', default: '5' },
    kills: { type: 'string' },
    'at-once': { type: 'string', default: '1' },
    victims: { type: 'string', default: 'mining,auth,nats,store' },
  },
});
const victims = values.victims.split(',');
const users = Number(values.users);
const inTurn = values.kills !== undefined;
const kills = inTurn ? Number(values.kills) : Number(values.rounds) * victims.length;
const atOnce = Number(values['at-once']);
if (!(users > 0) || !(kills > 0)) throw new Error('--users, --rounds and --kills must be whole numbers of at least 1');
if (!(atOnce > 0 && atOnce <= victims.length))
  throw new Error('--at-once must be a whole number from 1 to the number of victims');
const startedMs = performance.now();
const checks = new Checks();

const system = await startSystem();
try {
  const people = await inParallel([...Array(users).keys()], 8, (n) =>
    signIn(system.origin, { years: 0.5 + (n % 10), username: `chaos.${n}` }),
  );
  const savers = people.map((person) => new Saver(person, SAVE_EVERY_MS));
  await inParallel(savers, 16, (saver) => saver.start());
  console.log(`${users} users mine and save every ${SAVE_EVERY_MS} ms`);

  const back = new Map(victims.map((victim): [string, number[]] => [victim, []]));
  const bursters: Burster[] = [];
  let failure = '';
  for (let n = 0; n < kills && !failure; n += atOnce) {
    const chosen = [...Array(Math.min(atOnce, kills - n)).keys()].flatMap(
      (i) => victims[(n + i) % victims.length] ?? [],
    );
    if (!inTurn) await sleep(CALM_MS);
    const burster = await untilDone(() => Burster.signIn(system.origin, `burst.${n}`));
    bursters.push(burster);
    const [times = []] = await Promise.all([killAtSomeMoment(chosen), burster.burst()]).catch((error: Error) => {
      failure = error.message;
      return [];
    });
    if (failure) break;
    times.forEach((ms, i) => void back.get(chosen[i] ?? '')?.push(ms));
    const done = n + chosen.length;
    console.log(`${done}: ${chosen} killed, everything ready again after ${(Math.max(...times) / 1000).toFixed(1)} s`);
    if (inTurn && Math.floor(done / KILLS_BETWEEN_AUDITS) > Math.floor(n / KILLS_BETWEEN_AUDITS)) {
      const audited = await audit(system.dataDir);
      if (driftOf(audited) !== '0') failure = audited;
      console.log(`drift_micro=${driftOf(audited)} after ${done} kills, ${seconds()} s`);
    }
  }
  const backMs = [...back.values()].flat();
  checks.add(`${[...back].map(([victim, times]) => `${victim} ${times.length}`).join(', ')}: each recovers by itself`, [
    failure || null,
  ]);
  await sleep(CALM_MS);

  await settle(checks, savers, bursters);
  const driftMicro = await noDrift(checks, system.dataDir);
  console.log(`RESULT kills=${backMs.length}`);
  console.log(`RESULT seconds=${seconds()}`);
  console.log(`RESULT back_ms_max=${Math.round(Math.max(...backMs))}`);
  console.log(`RESULT drift_micro=${driftMicro}`);
} finally {
  await system.stop();
}
checks.close();

function seconds() {
  return Math.round((performance.now() - startedMs) / 1_000);
}

/** @returns ms until everything was ready again, by victim */
async function killAtSomeMoment(chosen: readonly string[]): Promise<number[]> {
  await sleep(Math.random() * BURST_MS);
  return Promise.all(chosen.map((victim) => system.crash(victim, chosen.length * BACK_MS_MAX)));
}
