import { NOTICE_KINDS, type NoticeKind } from '@cord/contracts/rules/notices';
import { collection } from '@cord/kit/collection';
import type { Schemed } from '@cord/kit/document-schema';
import { cursor } from '@cord/kit/page';

/** The facts of each kind of notice; its text is built from them when it is read (notice-text.ts). */
export interface FactsOf {
  'node-paused': { pausedAtMs: number };
  /** Length of a streak in days, and the UTC day that would end it. */
  'streak-closing': { dayKey: string; streak: number };
  'friend-joined': { friendId: string };
  /** Commission of a UTC day, and the number of friends. */
  commission: { dayKey: string; amountMicro: string; friends: number };
  /** The badge of an order, or the refund of a payment that could not be accepted. */
  payment:
    | { orderId: string; transaction: string }
    | { refundId: string; lamports: number; reason: string; returnTransaction: string };
  /** The kind of request: support, appeal, refund, or a kind of a newer release. */
  'support-answered': {
    request: string;
    /** The network check's result when an appeal was answered. */
    network?: { level: number; isFlagged: boolean; wholeSinceMs: number | null } | undefined;
  };
  /** The all-time rank at the end of a UTC day and of an earlier one; how many passed, and the nearest of them. */
  rank: {
    dayKey: string;
    rank: number;
    beforeDay: string;
    before: number;
    passedBy: number;
    nearest?: string | undefined;
  };
  /** An epoch begins, or has begun; its data is in the table of epochs. */
  epoch: { epochId: string };
  /** A sign-in from a new device. */
  security: { sessionId: string; device: string };
}

/** A kind with its facts. */
export type Content = { [K in keyof FactsOf]: { kind: K; facts: FactsOf[K] } }[keyof FactsOf];

/** Kinds that the list shows from stored notices. Epochs are listed from their table (epochs.ts); a stored notice of one is only pushed. */
export const LISTED_KINDS: readonly NoticeKind[] = NOTICE_KINDS.filter((kind) => kind !== 'epoch');

/** One notice of one user. User, kind and subject are its idempotency key. */
export interface NoticeDoc extends Schemed {
  _id: string;
  userId: string;
  /** A kind that only a newer release knows is ignored. */
  kind: string;
  /** Its subject: a session, a day, a friend, an order. */
  subject: string;
  /** Time of the event, ms since epoch. */
  atMs: number;
  facts: Record<string, unknown>;
  readAtMs: number | null;
  /** Time of the next push, ms since epoch; absent when none is due. */
  pushAtMs?: number;
  /** Number of failed tries. */
  pushTries?: number;
  /** Devices that have received it. */
  pushedTo?: string[];
  /** Not shown from then on; the store deletes it some time later. */
  expiresAt: Date;
}

export const NOTICES = collection<NoticeDoc>({
  name: 'notices',
  document: 'notice',
  indexes: [
    { key: { userId: 1, kind: 1, subject: 1 }, unique: true },
    { key: { userId: 1, atMs: -1, _id: -1 } },
    { key: { 'facts.friendId': 1 }, sparse: true },
    { key: { pushAtMs: 1 }, sparse: true },
    { key: { expiresAt: 1 }, expireAfterSeconds: 0 },
  ],
  /** Deletes the user's notices, and those of other users about this user. */
  async erase(notices, userId) {
    await notices.deleteMany({ userId });
    await notices.deleteMany({ 'facts.friendId': userId });
  },
});

/** A position in the list, newest first, then by id. */
export interface Place {
  atMs: number;
  id: string;
}

export const PLACE = cursor<Place>({ atMs: Number, id: String });

/** The order of the list. */
export function newestFirst(a: Place, b: Place): number {
  if (a.atMs !== b.atMs) return b.atMs - a.atMs;
  return a.id < b.id ? 1 : -1;
}
