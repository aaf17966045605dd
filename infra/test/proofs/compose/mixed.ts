/**
 * The load mix of the benches on a deployment through its ingress: `mixed.ts FOLDER NODES`, half of the nodes invited; who reads, claims and
 * comes beside them. A call that fails is made once more. Goes on until there is a file FOLDER/rest; writes FOLDER/load.json every second.
 * Fails where a call failed twice, or the node of who has invited nobody has not brought exactly rate x time.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeWhole } from '../../../../services/kit/whole-file.ts';
import { referrersOf } from '../../../bench/load/figures.ts';
import { Mix } from '../../../bench/load/mix.ts';
import { call, inParallel, type Newcomer } from '../../kit/people.ts';
import { judge, untilDone } from '../chaos/load.ts';
import { arrive } from './arrive.ts';
import { useHosts } from './hosts.ts';
import { PUBLIC_ORIGIN } from './names.ts';

const [folder = '', nodes = ''] = process.argv.slice(2);
const LANES = 6;
const LOOK_EVERY_MS = 1_000;
const REST_MS_MAX = 60_000;

useHosts();
const mix = new Mix(PUBLIC_ORIGIN, { retries: 1, signIn: arrive });
await mix.prepare(referrersOf(Number(nodes), 0.5));
mix.begin();
await mix.startNodes();
for (; !existsSync(join(folder, 'rest')); await sleep(LOOK_EVERY_MS))
  await writeWhole(join(folder, 'load.json'), JSON.stringify(counts()));
await mix.end();
await mix.stopNodes();
// What is open of an inviter holds commission, too: the audit judges them.
const alone = mix.people.filter(({ id }) => !mix.friendsOf.has(id));
const wrong = (await inParallel(alone, LANES, wrongOf)).filter((line) => line !== null);
for (const [name, value] of Object.entries(counts())) console.log(`RESULT ${name}=${value}`);
for (const line of [...wrong, ...mix.failures.slice(0, 10)]) console.log(line);
process.exit(wrong.length + mix.failures.length === 0 ? 0 : 1);

function counts() {
  return { calls: mix.calls, made_again: mix.retried, failed: mix.failures.length };
}

/** What is wrong with what a node has brought, once what is on its way has come. */
async function wrongOf(person: Newcomer): Promise<string | null> {
  const [session] = await untilDone(() => call(person, 'GET', `/users/${person.id}/mining/history?limit=1`));
  let wrong = await judge(person, session);
  for (const endMs = performance.now() + REST_MS_MAX; wrong !== null && performance.now() < endMs; await sleep(1_000))
    wrong = await judge(person, session);
  return wrong;
}
