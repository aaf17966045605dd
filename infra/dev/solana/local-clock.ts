import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The movable clock of local mode, as <data>/clock.json has it: written before any service gets it, so the chain is never behind. */
export function localClock(dataDir: string): () => number {
  const file = join(dataDir, 'clock.json');
  return () => Date.now() + offsetIn(file);
}

function offsetIn(file: string): number {
  try {
    const { offsetMs } = JSON.parse(readFileSync(file, 'utf8')) as { offsetMs?: unknown };
    return typeof offsetMs === 'number' ? offsetMs : 0;
  } catch {
    // The clock was not moved yet.
    return 0;
  }
}
