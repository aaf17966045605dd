const MOVED_MS_MAX = 280_000;

/**
 * Moves the clock of a local system; every service has applied it then, and run what fell due.
 * @param by as in /dev/clock: `61s`, `25h`
 * @returns the system's time, ms since epoch
 */
export async function advance(origin: string, by: string): Promise<number> {
  const response = await fetch(`${origin}/dev/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ advance: by }),
    signal: AbortSignal.timeout(MOVED_MS_MAX),
  });
  if (!response.ok) throw new Error(`the clock did not move: ${response.status} ${await response.text()}`);
  return timeIn(await response.json());
}

/** The time of a local system, ms since epoch. */
export async function systemNow(origin: string): Promise<number> {
  return timeIn(await (await fetch(`${origin}/dev/clock`)).json());
}

const timeIn = (answer: unknown): number => Date.parse((answer as { now: string }).now);
