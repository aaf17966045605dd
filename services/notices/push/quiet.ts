import type { QuietHours } from '@cord/contracts/rules/notices';

/**
 * Whether nothing is pushed now: from `from` up to `to` by the clock of the zone, over midnight where `from` is the later one, never where both are one.
 * A zone that is unknown to this server counts as UTC.
 */
export function isQuiet(hours: QuietHours | null, nowMs: number): boolean {
  if (hours === null) return false;
  const { from, to, zone } = hours;
  const now = timeIn(zone, nowMs);
  return from < to ? from <= now && now < to : from !== to && (from <= now || now < to);
}

/** `23:05`; such texts stand in the order of the day. */
function timeIn(timeZone: string, ms: number): string {
  const form = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  try {
    return new Intl.DateTimeFormat('en-GB', { ...form, timeZone }).format(ms);
  } catch {
    return new Intl.DateTimeFormat('en-GB', { ...form, timeZone: 'UTC' }).format(ms);
  }
}
