/**
 * kill -9 of mining, auth, NATS and the store, in turn, while 200 users save and one bursts (200 starts, stops and saves
 * at once, a claim among them): everything comes back by itself, the audit says drift 0, and each user has exactly what
 * was due. `--rounds N` kills each N times; in `npm test` once. `--victims store` kills that alone.
 * Closes with the RESULT lines and `N passed, N failed`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Burster } from './chaos/burst.mjs';
import { judge, Saver } from './chaos/load.mjs';
import { audit, driftOf } from './system/audit.mjs';
import { inParallel, signIn } from './system/people.mjs';
import { startSystem } from './system/system.mjs';

const SAVE_EVERY_MS = 1_000;
/** Undisturbed saving before and after each kill, ms. */
const CALM_MS = 2_000;

const { values } = parseArgs({
  options: {
    users: { type: 'string', default: '200' },
    rounds: { type: 'string', default: '5' },
    victims: { type: 'string', default: 'mining,auth,nats,store' },
  },
});
const victims = values.victims.split(',');
const [users, rounds] = [Number(values.users), Number(values.rounds)];
const checks = [];
const check = (promise, held, detail = '') => {
  checks.push(held);
  console.log(`${held ? 'held  ' : 'BROKEN'} ${promise}${held ? '' : `: ${detail}`}`);
};

const system = await startSystem();
try {
  const people = await inParallel([...Array(users).keys()], 8, (n) =>
    signIn(system.origin, { years: 0.5 + (n % 10), username: `chaos.${n}` }),
  );
  const savers = people.map((person) => new Saver(person, SAVE_EVERY_MS));
  await inParallel(savers, 16, (saver) => saver.start());
  console.log(`${users} users mine and save every ${SAVE_EVERY_MS} ms`);

  const backMs = [];
  const bursters = [];
  for (let round = 1; round <= rounds; round += 1) {
    for (const victim of victims) {
      await sleep(CALM_MS);
      const burster = await Burster.signIn(system.origin, `burst.${round}.${victim}`);
      bursters.push(burster);
      const [ms] = await Promise.all([system.crash(victim), burster.burst()]);
      backMs.push(ms);
      console.log(`${victim} killed, everything ready again after ${(ms / 1000).toFixed(1)} s`);
      check(`${victim} comes back by itself (round ${round})`, true);
    }
  }
  await sleep(CALM_MS);

  const sessions = await inParallel(savers, 16, (saver) => saver.stop());
  const wrong = await inParallel(savers, 8, async ({ person }, index) => judge(person, sessions[index]));
  for (const text of wrong.filter(Boolean).slice(0, 5)) console.log(text);
  check(
    'every user has exactly rate x time',
    wrong.every((text) => text === null),
    `${wrong.filter(Boolean).length} users`,
  );
  const lost = await inParallel(bursters, 2, (burster) => burster.judge());
  for (const text of lost.filter(Boolean)) console.log(text);
  check(
    'a burst of 200 calls loses and doubles no entry',
    lost.every((text) => text === null),
    `${lost.filter(Boolean).length} users`,
  );
  const audited = await audit(system.dataDir);
  check('the audit finds no drift', /drift_micro=0 /.test(audited), audited);

  const sum = (name, of = savers) => of.reduce((total, one) => total + one[name], 0);
  console.log(`${sum('saves')} saves went through, ${sum('failures')} were refused or lost while something was down`);
  console.log(`${sum('answered', bursters)} calls of bursts went through, ${sum('failures', bursters)} did not`);
  console.log(`RESULT kills=${rounds * victims.length}`);
  console.log(`RESULT back_ms_max=${Math.round(Math.max(...backMs))}`);
  console.log(`RESULT drift_micro=${driftOf(audited)}`);
} finally {
  await system.stop();
}
const failed = checks.filter((held) => !held).length;
console.log(`${checks.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
