import { dateFormat } from '@cord/sdk';
import { UNKNOWN } from '@cord/ui';

const clockFace = dateFormat({ hour: '2-digit', minute: '2-digit' });
const dayAndTime = dateFormat({
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
const date = dateFormat({ day: 'numeric', month: 'short', year: 'numeric' });

/** `07:21`, or `20 Nov, 07:21` on another day, on this device's clock face. */
export function formatWhen(ms: number, nowMs: number): string {
  if (Number.isNaN(ms)) return UNKNOWN;
  return new Date(ms).toDateString() === new Date(nowMs).toDateString() ? clockFace.format(ms) : dayAndTime.format(ms);
}

/** `3 Oct 2026`. */
export function formatDay(ms: number): string {
  return date.format(ms);
}
