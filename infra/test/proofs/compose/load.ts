/**
 * Load on a deployment through its ingress: `load.ts FOLDER MINERS MS` signs users in at the Discord stand-in. Each
 * mines and saves every MS until the file FOLDER/rest exists. Writes the counts to FOLDER/load.json every second and
 * prints why saves failed. Fails when a node has not earned exactly rate x time.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { writeWhole } from '../../../../services/kit/whole-file.ts';
import { inParallel } from '../../kit/people.ts';
import { judgeAtRest, Saver, untilDone } from '../chaos/load.ts';
import { arrive } from './arrive.ts';
import { useHosts } from './hosts.ts';
import { PUBLIC_ORIGIN } from './names.ts';

const { positionals } = parseArgs({ allowPositionals: true });
const [folder = '', miners = '', everyMs = ''] = positionals;
const LANES = 16;
const POLL_MS = 1_000;

useHosts();
const people = await inParallel([...Array(Number(miners)).keys()], LANES, (n) =>
  untilDone(() => arrive(PUBLIC_ORIGIN, { years: 3.5, username: `miner.${n}` })),
);
const savers = people.map((person) => new Saver(person, Number(everyMs)));
await inParallel(savers, LANES, (saver) => saver.start());
console.log(`RESULT miners=${people.length}`);
for (; !existsSync(join(folder, 'rest')); await sleep(POLL_MS)) await writeWhole(join(folder, 'load.json'), counts());
// All at once, so the pause between two saves is waited for once, not once per user.
for (const saver of savers) saver.rest();
const wrong = (await inParallel(savers, LANES, async (saver) => judgeAtRest(saver.person, await saver.stop()))).filter(
  (line) => line !== null,
);
for (const [name, value] of Object.entries(JSON.parse(counts()))) console.log(`RESULT ${name}=${value}`);
const failedBy = new Map<string, number>();
for (const saver of savers)
  for (const [kind, count] of saver.failedBy) failedBy.set(kind, (failedBy.get(kind) ?? 0) + count);
for (const [kind, count] of failedBy) console.log(`failed saves: ${count} x ${kind}`);
for (const line of wrong) console.log(line);
process.exit(wrong.length === 0 ? 0 : 1);

/** Returns the counts of successful and failed saves as JSON. */
function counts(): string {
  const sum = (of: (saver: Saver) => number) => savers.reduce((total, saver) => total + of(saver), 0);
  return JSON.stringify({ saves: sum(({ saves }) => saves), not_saved: sum(({ failures }) => failures) });
}
