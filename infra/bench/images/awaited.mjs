import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE_MS = 180_000;
const LOOK_EVERY_MS = 200;

/**
 * Waits for what will surely come.
 * @param {() => Promise<boolean> | boolean} holds
 * @param {string} what
 * @param {() => string | undefined} [lost] why it will not come any more
 */
export async function awaited(holds, what, lost = () => undefined) {
  const untilMs = Date.now() + PATIENCE_MS;
  while (!(await Promise.resolve(holds()).catch(() => false))) {
    const why = lost();
    if (why) throw new Error(`${what}: ${why}`);
    if (Date.now() > untilMs) throw new Error(`${what}: not within ${PATIENCE_MS / 1000} s`);
    await sleep(LOOK_EVERY_MS);
  }
}
