import { setTimeout as sleep } from 'node:timers/promises';
import { type Found, type OnFinding, report, type Sum } from './findings.js';

/** How often a fault is read again before it counts, with a pause in between: the system may be writing it. */
export interface Patience {
  tries: number;
  pauseMs: number;
  /** Number of objects that share a pause, so that an audit of many faults does not pause for each. */
  together: number;
}

export const PATIENCE: Patience = { tries: 5, pauseMs: 200, together: 500 };

/** An object's first check, and a function that reads and checks it again. */
export interface Checked {
  found: Found;
  again: () => Promise<Found>;
}

/** Adds the findings about each object to `sum`, and reports them. It is safe while the system runs: a failing object is read again, alone. */
export async function auditEach(
  things: AsyncIterable<Checked>,
  patience: Patience,
  sum: Sum,
  onFinding: OnFinding,
): Promise<void> {
  for await (const found of settled(things, patience)) report(found, sum, onFinding);
}

/** Yields the last check of each object; those without faults come first. */
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
