import { dayKey } from '@cord/contracts/rules/days';

/** Node time entirely on the event's own UTC day. */
export const allOn = (atMs: number) => ({ dayKey: dayKey(atMs), ms: Number.MAX_SAFE_INTEGER });
