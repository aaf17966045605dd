/**
 * Starts today's system on the data of release 1.0.0, twice, and checks that nothing of it is lost, doubled or forgotten;
 * then again on further copies, with referrals and mining killed by -9 at several moments while they take it over.
 * `--example`: one start. Closes with `N passed, N failed`.
 */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { advance } from '../../bench/system/clock.mjs';
import { startSystem } from '../../bench/system/system.mjs';
import * as checks from './checks.mjs';
import { breakOffStarts, copyOfRelease, readStopped } from './copy.mjs';
import { PEOPLE_FILE } from './fixture.mjs';
import { checkIn, startNode, stopNode } from './people.mjs';

/** How long after they have appeared referrals and mining are killed, ms: before, while and after they take the data over. */
const MOMENTS_MS = [
  [150, 300, 450],
  [600, 900],
  [1_200, 2_000],
];

const { values } = parseArgs({ options: { example: { type: 'boolean', default: false } } });
const known = JSON.parse(await readFile(PEOPLE_FILE, 'utf8'));
const outcomes = [];

await takeOver('started', []);
if (!values.example)
  for (const moments of MOMENTS_MS) await takeOver(`killed ${moments.join(', ')} ms after they appeared`, moments);

const failed = outcomes.filter((held) => !held).length;
console.log(`${outcomes.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

async function takeOver(title, momentsMs) {
  const check = (promise, wrong) => {
    outcomes.push(wrong.length === 0);
    console.log(`${wrong.length === 0 ? 'held  ' : 'BROKEN'} ${title}: ${promise}`);
    for (const line of wrong) console.log(`         ${line}`);
  };
  const { dataDir, remove } = await copyOfRelease(known.nowMs);
  const before = await readStopped(dataDir);
  check('the data of the release has no drift, and two payments without an answer', [
    ...checks.drift(before.audited),
    ...checks.unanswered(before),
  ]);
  await breakOffStarts(dataDir, momentsMs);
  let system = await startSystem([], { dataDir });
  try {
    const people = checks.signedIn(known.people, system.origin);
    check('sign-ins stay, and only what was erased is gone', await checks.signIns(people));
    check('who signs in again is the same person', await checks.samePeople(people));
    await checks.comeToRest(system);
    const taken = await checks.booksOf(system);
    check('documents have the form of this release', checks.migrated(before, taken));
    check('every entry stands as it stood', checks.entriesKept(before, taken));
    check('balances are the same, but for what was due', checks.balances(before, taken, people));
    check('commission is a tenth of what friends earned', checks.commission(taken, people));
    check('nothing of a payment of the release is left', checks.payments(taken));
    check('referrers are shown their friends and what they brought', await checks.shown(taken, people));
    check('the audit finds no drift, and no dead letters', checks.drift(taken.audited, taken.deadLetters));
    if (values.example) return;

    for (const person of Object.values(people)) {
      if (person.gone) continue;
      await startNode(person);
      await checkIn(person);
    }
    await advance(system.origin, '65m');
    for (const person of Object.values(people)) if (!person.gone) await stopNode(person);
    await checks.comeToRest(system);
    const later = await checks.booksOf(system);
    check('what was mined before and after is exactly rate x time', checks.mined(later, people));
    check('all earn on', checks.earnOn(taken, later, people));
    check('commission goes on exactly', checks.commission(later, people));
    check('referrers are shown what their friends brought since', await checks.shown(later, people));
    check('the audit still finds no drift, and no dead letters', checks.drift(later.audited, later.deadLetters));

    await system.halt();
    system = await startSystem([], { dataDir });
    const again = checks.signedIn(known.people, system.origin);
    check('a second start keeps the sign-ins', await checks.signIns(again));
    await checks.comeToRest(system);
    const second = await checks.booksOf(system);
    check('a second start changes nothing', checks.same(later, second));
    check('the audit finds no drift after it, and no dead letters', checks.drift(second.audited, second.deadLetters));
  } finally {
    await system.halt();
    await remove();
  }
}
