import { NOTICE_KINDS, type NoticeKind } from '@cord/contracts/rules/notices';
import { collection } from '@cord/kit/collection';
import type { Schemed } from '@cord/kit/document-schema';
import { cursor } from '@cord/kit/page';

/** What a notice of each kind holds; its text is made of this when it is read (notice-text.ts). */
export interface FactsOf {
  'node-paused': { pausedAtMs: number };
  /** A streak of so many days, and the UTC day that would end it. */
  'streak-closing': { dayKey: string; streak: number };
  'friend-joined': { friendId: string };
  /** What a UTC day brought, and of how many friends. */
  commission: { dayKey: string; amountMicro: string; friends: number };
  /** The badge of an order, or what came back of a payment that could not be taken. */
  payment:
    | { orderId: string; transaction: string }
    | { refundId: string; lamports: number; reason: string; returnTransaction: string };
  /** The kind of request: support, appeal, refund, or a kind of a newer release. */
  'support-answered': {
    request: string;
    /** How the network check stood when an appeal was answered. */
    network?: { level: number; isFlagged: boolean; wholeSinceMs: number | null } | undefined;
  };
  /** The rank of all time at the end of a UTC day and of an earlier one; how many passed, and who of them is nearest. */
  rank: {
    dayKey: string;
    rank: number;
    beforeDay: string;
    before: number;
    passedBy: number;
    nearest?: string | undefined;
  };
  /** An epoch begins, or has begun; the rest stands in the table of epochs. */
  epoch: { epochId: string };
  /** A sign-in from a device that was new. */
  security: { sessionId: string; device: string };
}

/** A kind with its facts. */
export type Content = { [K in keyof FactsOf]: { kind: K; facts: FactsOf[K] } }[keyof FactsOf];

/** Kinds that the list shows as they are stored. An epoch is shown by the table of epochs (epochs.ts); a stored notice of one is only pushed. */
export const LISTED_KINDS: readonly NoticeKind[] = NOTICE_KINDS.filter((kind) => kind !== 'epoch');

/** One notice of one user. User, kind and subject are its key: it is made once. */
export interface NoticeDoc extends Schemed {
  _id: string;
  userId: string;
  /** One that only a newer release has is left alone. */
  kind: string;
  /** What it is about: a session, a day, a friend, an order. */
  subject: string;
  /** When that happened, ms since epoch. */
  atMs: number;
  facts: Record<string, unknown>;
  readAtMs: number | null;
  /** When it is pushed, or pushed again, ms since epoch; absent where it is not, and once it was. */
  pushAtMs?: number;
  /** How often that was tried in vain. */
  pushTries?: number;
  /** Devices that have it already. */
  pushedTo?: string[];
  /** From then on it is not shown; the store throws it away some time after. */
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
  /** All of a user's, and those of others that are about this user. */
  async erase(notices, userId) {
    await notices.deleteMany({ userId });
    await notices.deleteMany({ 'facts.friendId': userId });
  },
});

/** A place in the list: the newest first, and by id where two happened at once. */
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
