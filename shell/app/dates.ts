import { dateFormat } from '@cord/sdk';

const clockFace = dateFormat({ hour: '2-digit', minute: '2-digit' });
const day = dateFormat({ day: 'numeric', month: 'short' });
const dayAndYear = dateFormat({ day: 'numeric', month: 'short', year: 'numeric' });

/** `07:21` on this device's clock face. */
export function formatTime(ms: number): string {
  return clockFace.format(ms);
}

/** `3 Oct 2026`, or `3 Oct` without the year. */
export function formatDate(ms: number, withYear = true): string {
  return (withYear ? dayAndYear : day).format(ms);
}
