import { weekStartMs } from '@cord/contracts/rules/days';

/** The node state of its newest event. */
interface NodeDay {
  /** UTC day, e.g. `2026-11-21`; `ms` is the credited node time of all sessions in it. */
  dayKey: string;
  ms: number;
  sessionId: string;
  /** End of the credited time. */
  creditedUntilMs: number;
  /** End of the lease while the node runs; else null. */
  leaseUntilMs: number | null;
}

/** The last claim of one task. */
export interface Claim {
  /** Number of claims so far. */
  count: number;
  atMs: number;
  /** A time in the past ISO week that the claim is for; absent when it is for the week of the claim. */
  forMs?: number;
  rewardMicro: bigint;
}

/** Returns the start of the ISO week that a claim is for, ms. */
export function weekOf({ atMs, forMs = atMs }: Pick<Claim, 'atMs' | 'forMs'>): number {
  return weekStartMs(forMs);
}

/** The data that one user's tasks are derived from. One document; every change is a compare-and-set on seq. */
export interface TaskRecord {
  userId: string;
  seq: bigint;
  /** Creation of the Discord account, ms; null until auth has published it. */
  discordCreatedAtMs: number | null;
  /** When the account joined, ms; null until auth has published it. */
  joinedAtMs: number | null;
  /** Whether the user returned after an erasure and is refused one-time tasks (services/README.md#erasure). */
  returning: boolean;
  /** The day's node time; absent before the first node event. */
  nodeDay?: NodeDay;
  /** Version of the last applied node event; older ones change nothing. */
  nodeSeq: bigint;
  friends: number;
  friendsSeq: bigint;
  visits: Record<string, number>;
  claims: Record<string, Claim>;
  /** Total number of claims. */
  completed: number;
}

/** Auth's data of a user that rewards depend on. */
export type Person = Pick<TaskRecord, 'returning'> & { joinedAtMs: number | null };

/** Returns the person of a record; null before `user.registered` has arrived. */
export function personOf(record: TaskRecord): Person | null {
  if (record.discordCreatedAtMs === null) return null;
  return { returning: record.returning, joinedAtMs: record.joinedAtMs };
}

/** Returns the record of a user without any data. */
export function newRecord(userId: string): TaskRecord {
  return {
    userId,
    seq: 0n,
    discordCreatedAtMs: null,
    joinedAtMs: null,
    returning: false,
    nodeSeq: 0n,
    friends: 0,
    friendsSeq: 0n,
    visits: {},
    claims: {},
    completed: 0,
  };
}
