/** Moves the system's clock; answers when every service has applied it and run what fell due (infra/README.md#local-mode). */
export async function moveClock(origin: string, advance: string): Promise<void> {
  const response = await fetch(`${origin}/dev/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ advance }),
  });
  if (!response.ok) throw new Error(`the clock did not move: ${response.status} ${await response.text()}`);
}

/** The system's time, ms since epoch. */
export async function systemNow(origin: string): Promise<number> {
  return Date.parse(((await (await fetch(`${origin}/dev/clock`)).json()) as { now: string }).now);
}
