import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { referrersOf } from '../../bench/load/figures.ts';
import { Mix } from '../../bench/load/mix.ts';
import { ROOT } from '../../dev/starter/paths.mjs';
import { Checks } from '../kit/checks.ts';
import { checkOut } from '../kit/release.ts';
import { Fleet } from './rolling/fleet.ts';
import { judge } from './rolling/judge.ts';

/*
 * npm run proof -- rolling; `node --import tsx infra/test/proofs/rolling.ts --from REF`: the services of another
 * release (a commit or a tag, 2.0.0 or later) and of this one together under the load mix. Two replicas of each: first
 * all of the other release, then half and half, all of this one, half and half, all of the other again, process by
 * process under load. Users connect to a gateway of each release in turn. Required: no call fails twice, no drift, no
 * dead letter, every node rate x time, every commission a tenth, every claim paid.
 * --from REF (HEAD), --nodes N (20) that save every ten seconds, half of them invited, --seconds S (20) in each state.
 * Ends with RESULT lines and `N passed, N failed`.
 */

const { values } = parseArgs({
  options: {
    from: { type: 'string', default: 'HEAD' },
    nodes: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '20' },
  },
});
const stayMs = Number(values.seconds) * 1_000;
if (!(stayMs >= 0)) throw new Error('--seconds must be a number');
const referrers = referrersOf(Number(values.nodes), 0.5);

const folder = await mkdtemp(join(tmpdir(), 'cord-release-'));
const checks = new Checks();
let fleet: Fleet | undefined;
try {
  const before = join(folder, 'tree');
  await checkOut(values.from, before, ['--node']);
  fleet = await Fleet.start(before);
  const alsoAt = [await fleet.addGateway(before)];
  const mix = new Mix(fleet.origin, { alsoAt, retries: 1 });
  await mix.prepare(referrers);
  mix.begin();
  await mix.startNodes();
  const states: [state: string, replica: number | undefined, root: string][] = [
    [`all of ${values.from}`, undefined, before],
    ['half and half', 1, ROOT],
    ['all of this release', 0, ROOT],
    ['half and half again', 1, before],
    [`all of ${values.from} again`, 0, before],
  ];
  for (const [state, replica, root] of states) {
    const soFar = { calls: mix.calls, retried: mix.retried(), failed: mix.failures.length };
    if (replica !== undefined) await fleet.roll(replica, root);
    await sleep(stayMs);
    const counts = `${mix.calls - soFar.calls} calls, ${mix.retried() - soFar.retried} retried`;
    console.log(`${state}: ${counts}, ${mix.failures.length - soFar.failed} failed`);
  }
  await mix.end();
  await mix.stopNodes();
  const results = await judge(fleet, mix);
  for (const failure of mix.failures.slice(0, 10)) console.log(`failed: ${failure}`);
  console.log(`RESULT replaced=${fleet.replaced}`);
  console.log(`RESULT requests=${mix.calls}`);
  console.log(`RESULT made_again=${mix.retried()}`);
  checks.allZero(results);
} finally {
  await fleet?.stop();
  await rm(folder, { recursive: true, force: true });
}
checks.close();
process.exit();
