import type { Damaging } from '../damaging.js';
import type { Life } from '../life.js';

/** A kind of damage: its name, its change of the store, and the finding it must cause. */
export type Damage = [name: string, apply: (damaging: Damaging, life: Life) => Promise<unknown>, found: RegExp];

export const CORD = 1_000_000n;
export const DAY_MS = 86_400_000;

/** Returns the day after a user's last check-in. */
export async function nextDay(d: Damaging, userId: string): Promise<string> {
  const { days } = await d.one<{ days: { dayKey: string }[] }>('tasks', 'streaks', { _id: userId });
  return new Date(Date.parse(days[0]?.dayKey ?? '') + DAY_MS).toISOString().slice(0, 10);
}
