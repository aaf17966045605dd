import type { QuietHours } from '@cord/contracts/rules/notices';

/**
 * Returns whether push is quiet: between `from` and `to` in the zone's time, over midnight when `from` is later, never when they are equal.
 * An unknown zone counts as UTC.
 */
export function isQuiet(hours: QuietHours | null, nowMs: number): boolean {
  if (hours === null) return false;
  const { from, to, zone } = hours;
  const now = timeIn(zone, nowMs);
  return from < to ? from <= now && now < to : from !== to && (from <= now || now < to);
}

/** `23:05`; such texts sort by time. */
function timeIn(timeZone: string, ms: number): string {
  const form = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  try {
    return new Intl.DateTimeFormat('en-GB', { ...form, timeZone }).format(ms);
  } catch {
    return new Intl.DateTimeFormat('en-GB', { ...form, timeZone: 'UTC' }).format(ms);
  }
}
