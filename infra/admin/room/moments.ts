import { dateFormat, useSdk } from '@cord/sdk';
import { formatSpan } from '@cord/ui';

const TO_THE_MINUTE = {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
} as const;

/** Formats ISO 8601 times in UTC, which operators use throughout. */
function momentFormat(options: Intl.DateTimeFormatOptions): (iso: string) => string {
  const format = dateFormat({ ...options, timeZone: 'UTC' });
  return (iso) => format.format(Date.parse(iso));
}

const day = momentFormat({ day: 'numeric', month: 'short' });
const minute = momentFormat(TO_THE_MINUTE);
const second = momentFormat({ ...TO_THE_MINUTE, second: '2-digit' });
const secondOfYear = momentFormat({ ...TO_THE_MINUTE, second: '2-digit', year: 'numeric' });
const clock = momentFormat({ hour: '2-digit', minute: '2-digit' });
/** `28 Nov 2026`, also from a day of the server such as `2026-11-28`. */
export const dayOfYear = momentFormat({ day: 'numeric', month: 'short', year: 'numeric' });
/** `28 Nov 2026, 01:25` */
export const minuteOfYear = momentFormat({ ...TO_THE_MINUTE, year: 'numeric' });

export const MINUTE_MS = 60_000;

/** A duration in whole minutes, so that it does not tick: `4 min`. */
export const minutesText = (ms: number): string => formatSpan(Math.floor(ms / MINUTE_MS) * MINUTE_MS);

/** Formats moments to the `day`, `minute` or `second`, with the year unless it is the current one by the server's clock; `when` is `minute`, but only the time on the same day as `beside`, today by default. */
export function useMoments() {
  const now = new Date(useSdk().clock.now()).toISOString();
  const startsAlike = (one: string, other: string, part: string) =>
    one.slice(0, part.length) === other.slice(0, part.length);
  const either = (short: typeof minute, long: typeof minute) => (iso: string) =>
    (startsAlike(iso, now, 'yyyy') ? short : long)(iso);
  const toTheMinute = either(minute, minuteOfYear);
  return {
    day: either(day, dayOfYear),
    minute: toTheMinute,
    second: either(second, secondOfYear),
    when: (iso: string, beside = now) => (startsAlike(iso, beside, 'yyyy-mm-dd') ? clock : toTheMinute)(iso),
  };
}
