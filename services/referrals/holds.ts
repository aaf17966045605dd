import type { HoldState } from './domain/friend.js';
import type { Member } from './member.js';

/** Digits of a time in a key: enough for any time, so that keys sort by time. */
const TIME_DIGITS = 15;

/**
 * Returns a friend's key in the list of holds: state, start time and id as one text. One index orders each state's
 * list, and keys are unique. The key stays while the state stays.
 */
export function holdKeyOf({ _id, holdKey }: Pick<Member, '_id' | 'holdKey'>, state: HoldState | null, nowMs: number) {
  if (state === null) return undefined;
  if (holdKey?.startsWith(`${state}-`)) return holdKey;
  return `${state}-${String(nowMs).padStart(TIME_DIGITS, '0')}-${_id}`;
}

/** Returns when the state of a key began, ms since epoch. */
export function heldSinceMs(holdKey: string): number {
  return Number(holdKey.split('-')[1]);
}

/** Returns the range of a state's keys after a cursor: the longest held first; decided ones latest first. */
export function holdRange(state: HoldState, after: string | null) {
  // '-' and '.' are adjacent characters: all keys of the state lie between them.
  const [first, end] = [`${state}-`, `${state}.`];
  if (state === 'held') return { from: after ?? first, to: end, order: 1 as const };
  return { from: first, to: after ?? end, order: -1 as const };
}
