import type { EventOf } from '@cord/contracts/events/envelope';
import type { nodeStopped } from '@cord/contracts/events/node';
import type { TaskRecord } from './record.js';

/* Changes of a record by events. Each returns null for outdated events, so that duplicates and reordering are harmless. */

/** Stores that a mining session began, paused or stopped. */
export function withNode(
  record: TaskRecord,
  event: Pick<EventOf<typeof nodeStopped>, 'seq' | 'sessionId' | 'creditedUntil' | 'leaseUntil' | 'day'>,
  running: boolean,
): TaskRecord | null {
  const seq = BigInt(event.seq);
  if (seq <= record.nodeSeq) return null;
  const nodeDay = {
    ...record.nodeDay,
    ...event.day,
    sessionId: event.sessionId,
    creditedUntilMs: event.creditedUntil,
    leaseUntilMs: running ? event.leaseUntil : null,
  };
  return { ...record, nodeSeq: seq, nodeDay };
}

/** Stores the number of friends who joined. */
export function withFriends(record: TaskRecord, seq: bigint, friends: number): TaskRecord | null {
  return seq <= record.friendsSeq ? null : { ...record, friends, friendsSeq: seq };
}

/** Stores the profile that auth published. */
export function withProfile(
  record: TaskRecord,
  profile: { discordCreatedAtMs: number; joinedAtMs: number; returning: boolean },
): TaskRecord | null {
  const { discordCreatedAtMs, joinedAtMs, returning } = profile;
  const same =
    record.discordCreatedAtMs === discordCreatedAtMs &&
    record.joinedAtMs === joinedAtMs &&
    record.returning === returning;
  return same ? null : { ...record, discordCreatedAtMs, joinedAtMs, returning };
}
