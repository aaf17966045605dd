import { weekStartMs } from '@cord/contracts/rules/days';

/** The node as in its newest event. */
interface NodeDay {
  /** `2026-11-21`, and the credited node time of all sessions in that UTC day, ms. */
  dayKey: string;
  ms: number;
  sessionId: string;
  /** Credited up to here. */
  creditedUntilMs: number;
  /** While it runs: up to when its lease holds; else null. */
  leaseUntilMs: number | null;
}

/** The last claim of one task. */
export interface Claim {
  /** How many times it was claimed. */
  count: number;
  atMs: number;
  /** A time in the ISO week that it is for, where that was over; absent for the week of the claim. */
  forMs?: number;
  rewardMicro: bigint;
}

/** Start of the ISO week that a claim is for, ms. */
export function weekOf({ atMs, forMs = atMs }: Pick<Claim, 'atMs' | 'forMs'>): number {
  return weekStartMs(forMs);
}

/** Everything that one user's tasks are derived from. One document; every change is a compare-and-set on seq. */
export interface TaskRecord {
  userId: string;
  seq: bigint;
  /** Creation of the Discord account, ms; null until auth has published it. */
  discordCreatedAtMs: number | null;
  /** When the account joined, ms; null until auth has published it. */
  joinedAtMs: number | null;
  /** Refused one-time tasks: returned after an erasure (services/README.md#erasure). */
  returning: boolean;
  /** The day's node time; absent before the first node event. */
  nodeDay?: NodeDay;
  /** Node events are applied by the account's version, so that an older one changes nothing. */
  nodeSeq: bigint;
  friends: number;
  friendsSeq: bigint;
  visits: Record<string, number>;
  claims: Record<string, Claim>;
  /** Claims in all. */
  completed: number;
}

/** What auth has published about a user, as far as rewards depend on it. */
export type Person = Pick<TaskRecord, 'returning'> & { joinedAtMs: number | null };

/** The person of a record; null before `user.registered` has arrived. */
export function personOf(record: TaskRecord): Person | null {
  if (record.discordCreatedAtMs === null) return null;
  return { returning: record.returning, joinedAtMs: record.joinedAtMs };
}

/** The record of a user of whom nothing is known yet. */
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
