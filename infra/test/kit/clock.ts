import { post } from './post.ts';

/**
 * Moves the clock of a local system. Resolves once every service has applied it and run what fell due.
 * @param by as in /dev/clock: `61s`, `25h`
 * @returns the system's time, ms since epoch
 */
export async function advance(origin: string, by: string): Promise<number> {
  return timeIn(await post(`${origin}/dev/clock`, { advance: by }));
}

/** Returns the time of a local system, in ms since epoch. */
export async function systemNow(origin: string): Promise<number> {
  return timeIn(await (await fetch(`${origin}/dev/clock`)).json());
}

const timeIn = (answer: unknown): number => Date.parse((answer as { now: string }).now);
