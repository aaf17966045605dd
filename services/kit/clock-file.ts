import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** Offset of a local-mode clock ahead of the machine's, ms. */
export const clockState = z.object({ offsetMs: z.number().int().min(0) });

/** File in the data folder with the local-mode clock: the development console writes it before it moves any process. */
export const CLOCK_FILE = 'clock.json';

/**
 * Returns the clock offset of a data folder, ms; 0 when it was never moved.
 * @throws {Error} naming the file, when it is malformed
 */
export function clockOffsetMs(dataFolder: string): number {
  const path = join(dataFolder, CLOCK_FILE);
  try {
    return offsetMsIn(readFileSync(path, 'utf8'));
  } catch (err) {
    if (err instanceof Error && 'code' in err && err.code === 'ENOENT') return 0;
    throw new Error(`${path} is malformed, expected {"offsetMs": <ms>}`, { cause: err });
  }
}

/** @param text content of a CLOCK_FILE @throws {Error} when it is malformed */
export function offsetMsIn(text: string): number {
  return clockState.parse(JSON.parse(text)).offsetMs;
}
