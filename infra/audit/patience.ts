import { setTimeout as sleep } from 'node:timers/promises';
import { type Found, type OnFinding, report, type Sum } from './findings.js';

/** What does not hold is read again so often before it counts, with a pause in between: the system may be writing it. */
export interface Patience {
  tries: number;
  pauseMs: number;
  /** As many wait for the same pause, so that an audit of much that is wrong takes no pause for each. */
  together: number;
}

export const PATIENCE: Patience = { tries: 5, pauseMs: 200, together: 500 };

/** One thing as it was read first, and how it is read and checked again. */
export interface Checked {
  found: Found;
  again: () => Promise<Found>;
}

/** Adds to `sum` what is found of each thing, and hands each finding on. Sound while the system works: what does not hold at first is read again, alone. */
export async function auditEach(
  things: AsyncIterable<Checked>,
  patience: Patience,
  sum: Sum,
  onFinding: OnFinding,
): Promise<void> {
  for await (const found of settled(things, patience)) report(found, sum, onFinding);
}

/** What was found of each thing in its last try; those that hold come first. */
async function* settled(things: AsyncIterable<Checked>, { tries, pauseMs, together }: Patience): AsyncGenerator<Found> {
  let wrong: Checked[] = [];
  for await (const thing of things) {
    if (thing.found.findings.length === 0) yield thing.found;
    else wrong.push(thing);
    if (wrong.length < together) continue;
    yield* readAgain(wrong, tries, pauseMs);
    wrong = [];
  }
  yield* readAgain(wrong, tries, pauseMs);
}

async function* readAgain(things: Checked[], tries: number, pauseMs: number): AsyncGenerator<Found> {
  let wrong = things;
  for (let tried = 1; tried < tries && wrong.length > 0; tried += 1) {
    if (tried > 1) await sleep(pauseMs);
    const still: Checked[] = [];
    for (const { again } of wrong) {
      const found = await again();
      if (found.findings.length === 0) yield found;
      else still.push({ found, again });
    }
    wrong = still;
  }
  for (const { found } of wrong) yield found;
}
