import type { HoldState } from './domain/friend.js';
import type { Member } from './member.js';

/** Digits of a time in a key: enough for any, so that keys are in the order of time. */
const TIME_DIGITS = 15;

/**
 * A friend's place in the list of holds: state, since when, and who, as one text, so that one index orders each state's list and no two are
 * equal. It stays while the state stays.
 */
export function holdKeyOf({ _id, holdKey }: Pick<Member, '_id' | 'holdKey'>, state: HoldState | null, nowMs: number) {
  if (state === null) return undefined;
  if (holdKey?.startsWith(`${state}-`)) return holdKey;
  return `${state}-${String(nowMs).padStart(TIME_DIGITS, '0')}-${_id}`;
}

/** Since when a friend is in the state of the key, ms since epoch. */
export function heldSinceMs(holdKey: string): number {
  return Number(holdKey.split('-')[1]);
}

/** Keys of a state's list behind one of them: what is held the longest comes first, of what is decided the latest. */
export function holdRange(state: HoldState, after: string | null) {
  // '-' and '.' follow each other: all keys of the state lie between.
  const [first, end] = [`${state}-`, `${state}.`];
  if (state === 'held') return { from: after ?? first, to: end, order: 1 as const };
  return { from: first, to: after ?? end, order: -1 as const };
}
