import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Reader } from '../../bench/live/reader.ts';
import { referrersOf } from '../../bench/load/figures.ts';
import { Mix } from '../../bench/load/mix.ts';
import { Checks } from '../kit/checks.ts';
import { startSystem } from '../kit/system.ts';
import { Crew } from './replicas/crew.ts';
import { everythingOnce } from './replicas/once.ts';
import { judge } from './rolling/judge.ts';

/*
 * npm run proof -- replicas: two processes of each service and two gateways on one port. First runs every feature once.
 * Then, while users read, save, claim and sign in and live streams are open, kills each process (kill -9) in turn, and
 * stops each (SIGTERM) in turn. For a stop it requires: no call fails twice, every live stream reconnects at its second
 * attempt, no drift, no dead letter, every node rate x time, every commission a tenth, every claim paid once.
 * --nodes N (10) that save every ten seconds, half of them invited, --streams N (10). Ends with RESULT lines and `N
 * passed, N failed`.
 */

const { values } = parseArgs({
  options: { nodes: { type: 'string', default: '10' }, streams: { type: 'string', default: '10' } },
});
const referrers = referrersOf(Number(values.nodes), 0.5);
/** Time of undisturbed use before and after each, ms. */
const CALM_MS = 1_000;
const STREAMS_BACK_MS_MAX = 30_000;

const system = await startSystem(['--replicas', '2']);
const checks = new Checks();
try {
  let missing = 0;
  try {
    for await (const through of everythingOnce(system.origin)) console.log(`succeeded: ${through}`);
  } catch (error) {
    missing = 1;
    console.log((error as Error).message);
  }
  const crew = new Crew(system);
  const mix = new Mix(system.origin, { retries: 1 });
  await mix.prepare(referrers);
  mix.begin();
  await mix.startNodes();
  const readers = [...Array(Number(values.streams)).keys()]
    .flatMap((n) => mix.people[n % mix.people.length] ?? [])
    .map((person) => new Reader(() => system.origin, person));
  for (const reader of readers) await reader.open();

  const names = await crew.names();
  const counts = () => ({ calls: mix.calls, retried: mix.retried(), failed: mix.failures.length });
  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    const before = counts();
    for (const name of names) {
      await sleep(CALM_MS);
      const soFar = counts();
      const ms = await crew.replace(name, signal);
      const { retried, failed } = counts();
      const since = `${retried - soFar.retried} calls retried, ${failed - soFar.failed} failed`;
      console.log(`${signal} ${name}: all ready again after ${(ms / 1_000).toFixed(1)} s; ${since}`);
    }
    const after = counts();
    console.log(`RESULT ${signal.toLowerCase()}_calls=${after.calls - before.calls}`);
    console.log(`RESULT ${signal.toLowerCase()}_made_again=${after.retried - before.retried}`);
  }
  // A closing stream gives the reconnect time, different for each stream.
  const isBackMs = performance.now() + STREAMS_BACK_MS_MAX;
  while (!readers.every(({ isOpen }) => isOpen) && performance.now() < isBackMs) await sleep(100);
  const lost = readers.filter(({ statuses, isOpen }) => !isOpen || failedTwice(statuses));
  for (const { statuses } of lost) console.log(`a stream: ${statuses.join(' ')}`);
  for (const reader of readers) reader.close();
  await mix.end();
  await mix.stopNodes();
  for (const failure of mix.failures.slice(0, 10)) console.log(`failed: ${failure}`);
  console.log(`RESULT replaced=${2 * names.length}`);
  checks.allZero([...(await judge(system, mix)), ['lost_streams', lost.length], ['missing', missing]]);
} catch (error) {
  console.log(system.printed.slice(-4_000));
  throw error;
} finally {
  await system.stop();
}
checks.close();
process.exit();

/** Whether a stream was refused twice in a row. */
function failedTwice(statuses: readonly (number | string)[]) {
  return statuses.some((status, n) => n > 0 && status !== 200 && statuses[n - 1] !== 200);
}
