import { DAY_MS } from '@cord/contracts/rules/days';

/** How often one person may erase an account and return. */
export type ReturnLimit = typeof RETURN_LIMIT;

export const RETURN_LIMIT = {
  /** After this many erasures within `days`, a return is refused for `days` after the last one. */
  erasures: 3,
  /** UTC days. */
  days: 30,
};

/** Returns the days since 1970. @param ms since epoch */
export function utcDay(ms: number): number {
  return Math.floor(ms / DAY_MS);
}

/**
 * Returns whether a person with erased accounts may open another one.
 * @param erasedOn UTC days (days since 1970) of the latest erasures
 * @param today UTC day of the sign-in
 */
export function mayReturn(erasedOn: readonly number[], today: number, { erasures, days }: ReturnLimit): boolean {
  const latest = [...erasedOn].sort((a, b) => a - b).slice(-erasures);
  const [first, last] = [latest[0], latest.at(-1)];
  if (latest.length < erasures || first === undefined || last === undefined) return true;
  return last - first > days || today - last > days;
}

/** Returns the UTC day before which erasures no longer count. */
export function firstCountedDay(today: number, { days }: ReturnLimit): number {
  return today - 2 * days;
}
