import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** How far ahead of the machine's a clock of local mode may be, ms. */
export const clockState = z.object({ offsetMs: z.number().int().min(0) });

/** The file of the data folder that holds the clock of local mode: the development console writes it before it moves any process. */
export const CLOCK_FILE = 'clock.json';

/**
 * How far ahead the clock of a data folder is, ms; 0 where it was never moved.
 * @throws {Error} naming the file, when it holds no clock
 */
export function clockOffsetMs(dataFolder: string): number {
  const path = join(dataFolder, CLOCK_FILE);
  try {
    return offsetMsIn(readFileSync(path, 'utf8'));
  } catch (err) {
    if (err instanceof Error && 'code' in err && err.code === 'ENOENT') return 0;
    throw new Error(`${path} does not hold a clock: {"offsetMs": <ms>}`, { cause: err });
  }
}

/** @param text content of a CLOCK_FILE @throws {Error} when it holds no clock */
export function offsetMsIn(text: string): number {
  return clockState.parse(JSON.parse(text)).offsetMs;
}
