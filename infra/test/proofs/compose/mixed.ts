/**
 * The benchmarks' load mix on a deployment through its ingress: `mixed.ts FOLDER NODES`. Half of the nodes are invited; other
 * users read, claim and sign in. A failed call is retried once after `--retry-after MS` (1000). With `--epochs` an operator
 * ends or begins an epoch every 40 s. Runs until the file FOLDER/rest exists and writes FOLDER/load.json every second. Fails
 * when a call failed twice, or a node without friends has not earned exactly rate x time, each epoch at its rate.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { writeWhole } from '../../../../services/kit/whole-file.ts';
import { referrersOf } from '../../../bench/load/figures.ts';
import { Mix } from '../../../bench/load/mix.ts';
import { call, inParallel, type Newcomer } from '../../kit/people.ts';
import { judgeAtRest, untilDone } from '../chaos/load.ts';
import { arrive } from './arrive.ts';
import { changeEpoch, epochsOf, roleOf } from './epochs.ts';
import { useHosts } from './hosts.ts';
import { PUBLIC_ORIGIN } from './names.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { 'retry-after': { type: 'string', default: '1000' }, epochs: { type: 'boolean', default: false } },
});
const [folder = '', nodes = ''] = positionals;
const LANES = 6;
const POLL_MS = 1_000;
const EPOCH_EVERY_MS = 40_000;
/** A change of epochs needs rewards and mining to reach each other: the operator retries after a cut of 8 s between NATS servers. */
const CUT_OVER_MS = 10_000;
const FAILURES_SHOWN = 40;

useHosts();
const mix = new Mix(PUBLIC_ORIGIN, { retries: 1, retryAfterMs: Number(values['retry-after']), signIn: arrive });
let epochsChanged = 0;
await mix.prepare(referrersOf(Number(nodes), 0.5));
mix.begin();
await mix.startNodes();
if (values.epochs) {
  await roleOf(PUBLIC_ORIGIN);
  mix.every(EPOCH_EVERY_MS, 0, async (n, tries) => {
    if (tries > 1) await sleep(CUT_OVER_MS);
    await changeEpoch(PUBLIC_ORIGIN, `proof-${n}-${tries}`);
    epochsChanged += 1;
  });
}
for (; !existsSync(join(folder, 'rest')); await sleep(POLL_MS))
  await writeWhole(join(folder, 'load.json'), JSON.stringify(counts()));
await mix.end();
await mix.stopNodes();
// An inviter's open amount includes commission, which the audit checks.
const epochs = await untilDone(() => epochsOf(PUBLIC_ORIGIN));
const alone = mix.people.filter(({ id }) => !mix.friendsOf.has(id));
const wrong = (await inParallel(alone, LANES, wrongOf)).filter((line) => line !== null);
for (const [name, value] of Object.entries(counts())) console.log(`RESULT ${name}=${value}`);
for (const [message, count] of mix.retriedBy) console.log(`retried calls: ${count} x ${message}`);
for (const line of [...wrong, ...mix.failures.slice(0, FAILURES_SHOWN)]) console.log(line);
process.exit(wrong.length + mix.failures.length === 0 ? 0 : 1);

function counts() {
  return {
    ...{ calls: mix.calls, made_again: mix.retried(), saves_made_again: mix.retried('/save: ') },
    ...{ failed: mix.failures.length, epochs_changed: epochsChanged },
  };
}

/** Returns the error in a node's earnings, or null. */
async function wrongOf(person: Newcomer): Promise<string | null> {
  const [session] = await untilDone(() => call(person, 'GET', `/users/${person.id}/mining/history?limit=1`));
  return judgeAtRest(person, session, epochs);
}
