/**
 * Moves the clock of a local system.
 * @param {string} origin
 * @param {string} by as in /dev/clock: 61s, 25h
 * @returns {Promise<number>} its time, ms
 */
export async function advance(origin, by) {
  const response = await fetch(`${origin}/dev/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ advance: by }),
    signal: AbortSignal.timeout(280_000),
  });
  if (!response.ok) throw new Error(`the clock did not move: ${await response.text()}`);
  return Date.parse((await response.json()).now);
}
