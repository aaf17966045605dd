import { createHash } from 'node:crypto';
import { PUSH_DEVICES_MAX } from '@cord/contracts/rules/notices';
import { CLOCK_OFF_MS_MAX } from '@cord/kit/bounds';
import type { SessionUser } from '@cord/kit/caller';
import { collection } from '@cord/kit/collection';
import type { Schemed } from '@cord/kit/document-schema';
import type { Seal } from '@cord/kit/seal';
import { insertOnce } from '@cord/kit/store-errors';
import type { Connection } from 'mongoose';

/** Endpoint and keys of a browser's subscription. Secret: only our VAPID key prevents others from using them to push. */
export interface Keys {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

/** The fields that decide whether a sign-in is still valid. */
export type AllowedBy = Pick<SessionUser, 'sessionId' | 'keyId' | 'issuedAtMs' | 'expiresAtMs'>;

/** A browser of a user that receives pushes. */
export interface SubscriptionDoc extends Schemed {
  /** `idOf` its endpoint: one per browser, whoever is signed in. */
  _id: string;
  userId: string;
  /** Endpoint and keys, sealed under this id (kit/seal.ts). */
  sealed: string;
  /** The sign-in that allowed it: pushes end with it. Absent when unknown: then nothing is pushed. */
  session?: AllowedBy;
  /** Browser and system. */
  device: string;
  /** Time zone of the times in its texts. */
  zone?: string;
  /** Language of its page, used when the account has none. */
  locale?: string;
  createdAtMs: number;
  lastSentAtMs: number | null;
}

export const SUBSCRIPTIONS = collection<SubscriptionDoc>({
  name: 'subscriptions',
  document: 'subscription',
  indexes: [{ key: { userId: 1, createdAtMs: -1, _id: -1 } }],
  erase: (documents, userId) => documents.deleteMany({ userId }),
});

/** The data that a browser sends when it subscribes. */
export type Subscriber = Pick<SubscriptionDoc, 'device' | 'zone' | 'locale'> & { session: AllowedBy };

export type Subscriptions = ReturnType<typeof openSubscriptions>;

/** Id of an endpoint: half of its SHA-256. The browser can compute it too; it does not reveal the endpoint. */
export const idOf = (endpoint: string): string => createHash('sha256').update(endpoint).digest('hex').slice(0, 32);

export function openSubscriptions(connection: Connection, seal: Seal) {
  const subscriptions = SUBSCRIPTIONS.in(connection);
  const ofUser = async (userId: string) => {
    const found = await subscriptions.find({ userId }).sort({ createdAtMs: -1, _id: -1 }).toArray();
    return (found as SubscriptionDoc[]).map(SUBSCRIPTIONS.read);
  };
  const write = async (
    userId: string,
    _id: string,
    fields: Omit<SubscriptionDoc, '_id' | 'userId' | 'createdAtMs' | 'lastSentAtMs'> & { session: AllowedBy },
    nowMs: number,
  ) => {
    const before = (await subscriptions.findOne({ _id })) as SubscriptionDoc | null;
    const isOwn = before?.userId === userId;
    const since = isOwn ? {} : { createdAtMs: nowMs, lastSentAtMs: null };
    // Within this difference, the replicas' clocks do not show which of two sign-ins is later.
    const latestMs = fields.session.issuedAtMs + 2 * CLOCK_OFF_MS_MAX;
    const unlessLater = { _id, 'session.issuedAtMs': { $not: { $gt: latestMs } } };
    await subscriptions.updateOne(unlessLater, { $set: { userId, ...fields, ...since } }, { upsert: true });
  };
  return {
    /**
     * Stores a browser's subscription, also one of another user before; beyond five per user the oldest are deleted. A
     * browser has one sign-in at a time: a late write of an earlier one has no effect.
     * @returns null when it belongs to another user
     */
    async put(userId: string, keys: Keys, { session, device, zone, locale }: Subscriber, nowMs: number) {
      const _id = idOf(keys.endpoint);
      const sealed = await seal.seal(JSON.stringify(keys), _id);
      const { sessionId, keyId, issuedAtMs, expiresAtMs } = session;
      const allowedBy = { sessionId, keyId, issuedAtMs, expiresAtMs };
      const fields = { sealed, session: allowedBy, device, ...(zone ? { zone } : {}), ...(locale ? { locale } : {}) };
      // Of two concurrent writes, the second updates what the first has inserted.
      const writeNow = () => write(userId, _id, fields, nowMs);
      if (!(await insertOnce(writeNow))) await insertOnce(writeNow);
      const all = await ofUser(userId);
      const put = all.find((one) => one._id === _id);
      if (!put) return null;
      const rest = all.filter((one) => one._id !== _id);
      const oldest = rest.slice(PUSH_DEVICES_MAX - 1).map((one) => one._id);
      if (oldest.length > 0) await subscriptions.deleteMany({ _id: { $in: oldest }, userId });
      return put;
    },
    /** Returns a user's devices, newest first. */
    ofUser,
    hasAny: async (userId: string) => (await subscriptions.findOne({ userId }, { projection: { _id: 1 } })) !== null,
    /** Returns users with a device, by id, after one; '' for the first. */
    async usersAfter(after: string, limit: number) {
      const found = subscriptions
        .find({ userId: { $gt: after } }, { projection: { userId: 1 } })
        .sort({ userId: 1 })
        .limit(limit * PUSH_DEVICES_MAX);
      const users = (await found.toArray()).map(({ userId }) => userId);
      return [...new Set(users)].slice(0, limit);
    },
    /** Returns null when its sealing key no longer exists: then it must be deleted. */
    async open({ _id, sealed }: SubscriptionDoc) {
      try {
        return JSON.parse(await seal.open(sealed, _id)) as Keys;
      } catch {
        return null;
      }
    },
    /** @returns whether it existed and belonged to this user */
    remove: async (userId: string, id: string) => (await subscriptions.deleteOne({ _id: id, userId })).deletedCount > 0,
    async sent(id: string, nowMs: number) {
      await subscriptions.updateOne({ _id: id }, { $set: { lastSentAtMs: nowMs } });
    },
    async forget(userId: string) {
      await subscriptions.deleteMany({ userId });
    },
  };
}
