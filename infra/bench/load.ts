import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { audit, driftOf } from '../test/kit/cord.ts';
import { Processes, startStore } from '../test/kit/processes.ts';
import { type System, startSystem } from '../test/kit/system.ts';
import { between, byKind, perNode, referrersOf } from './load/figures.ts';
import { Mix } from './load/mix.ts';
import { counting, sentBy } from './shared/commands.ts';

/*
 * npm run bench -- load: a whole local system through its gateway. Readers, claimers and newcomers (some with a friend's
 * code) act continuously. After a window without nodes all nodes start and save every ten seconds; a share of them is
 * invited by the others. A node's writes are the majority writes that all services then send to the store, less those of the
 * first window. Counts, not times, so a loaded machine gives the same. Hourly entries and days fall into a long window only.
 * --nodes N (40), --referred SHARE of invited nodes (0.5), --seconds S while nodes run (300). S is a multiple of 300: the
 * books of a friend with a running node move every five minutes, commission is published once a minute and a state twice.
 * The first window takes half of it.
 */

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '40' },
    referred: { type: 'string', default: '0.5' },
    seconds: { type: 'string', default: '300' },
  },
});
const nodes = Number(values.nodes);
const runMs = Number(values.seconds) * 1_000;
if (!(runMs > 0 && runMs % 300_000 === 0)) throw new Error('--seconds must be a multiple of 300');
const referrers = referrersOf(nodes, Number(values.referred));
const beforeMs = runMs / 2;
const SETTLE_MS = 30_000;
/** Sign-ins leave work behind: outboxes, boards, first payments. */
const QUIET_MS = 5_000;

const own = await Processes.create();
let system: System | undefined;
try {
  const store = await startStore(own);
  const { monitoredUri } = await import('@cord/kit/testing/command-monitor');
  process.env.MONGODB_URI = monitoredUri(store.uri);
  const folder = join(own.folder, 'commands');
  await mkdir(folder);
  system = await startSystem([], { env: { NODE_OPTIONS: counting(folder).join(' ') } });
  const mix = new Mix(system.origin);
  await mix.prepare(referrers);
  mix.begin();
  await sleep(QUIET_MS);
  const before = await written(folder, beforeMs);
  await mix.startNodes();
  await sleep(SETTLE_MS);
  const running = await written(folder, runMs);
  await mix.end();

  const seen = { before, running, nodes };
  const { writesPerMinute, bytesPerDay } = perNode(seen);
  console.log(`${mix.calls} calls; ${before.commands} writes in ${beforeMs / 1_000} s without a node,`);
  console.log(`${running.commands} in ${runMs / 1_000} s while ${nodes} ran; a node's by kind, a minute:`);
  for (const [kind, count] of byKind(seen)) {
    if (Math.abs(count) >= 0.05) console.log(`  ${count.toFixed(2).padStart(6)}  ${kind}`);
  }
  for (const failure of mix.failures.slice(0, 5)) console.log(`failed: ${failure}`);
  const audited = await audit(system.dataDir);
  console.log(`RESULT nodes=${nodes}`);
  console.log(`RESULT nodes_with_a_referrer=${referrers.filter((one) => one !== null).length}`);
  console.log(`RESULT majority_writes_per_node_minute=${writesPerMinute.toFixed(2)}`);
  console.log(`RESULT bytes_per_node_day=${Math.round(bytesPerDay)}`);
  console.log(`RESULT failed_requests=${mix.failures.length}`);
  console.log(`RESULT drift_micro=${driftOf(audited)}`);
  if (mix.failures.length > 0 || driftOf(audited) !== '0') process.exitCode = 1;
} finally {
  await system?.stop();
  await own.close();
}

/** Counts the writes from now on, for `ms`. */
async function written(folder: string, ms: number) {
  const first = await sentBy(folder);
  const beganMs = performance.now();
  await sleep(ms);
  return between(first, await sentBy(folder), performance.now() - beganMs);
}
