import { dateFormat } from '@cord/sdk';

const TO_THE_MINUTE = {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
} as const;

/* Operators read and write times of UTC. */

/** `28 Nov, 01:25` */
export const minute = dateFormat(TO_THE_MINUTE);
/** `28 Nov 2026, 01:25` */
export const minuteOfYear = dateFormat({ ...TO_THE_MINUTE, year: 'numeric' });
/** `28 Nov, 01:25:07` */
export const second = dateFormat({ ...TO_THE_MINUTE, second: '2-digit' });
/** `01:25` */
export const clock = dateFormat({ hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });
