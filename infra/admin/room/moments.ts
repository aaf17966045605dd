import { dateFormat, useSdk } from '@cord/sdk';

const TO_THE_MINUTE = {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
} as const;

/** Operators read and write times of UTC; calls answer them as ISO 8601. */
function momentFormat(options: Intl.DateTimeFormatOptions): (iso: string) => string {
  const format = dateFormat({ ...options, timeZone: 'UTC' });
  return (iso) => format.format(Date.parse(iso));
}

/** `28 Nov`; of a day of the server, `2026-11-28`, too */
export const day = momentFormat({ day: 'numeric', month: 'short' });
/** `28 Nov 2026` */
export const dayOfYear = momentFormat({ day: 'numeric', month: 'short', year: 'numeric' });
/** `28 Nov, 01:25` */
export const minute = momentFormat(TO_THE_MINUTE);
/** `28 Nov 2026, 01:25` */
export const minuteOfYear = momentFormat({ ...TO_THE_MINUTE, year: 'numeric' });
const second = momentFormat({ ...TO_THE_MINUTE, second: '2-digit' });
const secondOfYear = momentFormat({ ...TO_THE_MINUTE, second: '2-digit', year: 'numeric' });
/** `01:25` */
export const clock = momentFormat({ hour: '2-digit', minute: '2-digit' });

/** Of records that are kept for years: to the `minute` or `second`, with the year where it is not the present one by the server's clock. */
export function useMoments() {
  const year = new Date(useSdk().clock.now()).getUTCFullYear();
  const either = (short: typeof minute, long: typeof minute) => (iso: string) =>
    (new Date(iso).getUTCFullYear() === year ? short : long)(iso);
  return { minute: either(minute, minuteOfYear), second: either(second, secondOfYear) };
}
