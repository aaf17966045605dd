import { createHash } from 'node:crypto';
import { PUSH_DEVICES_MAX } from '@cord/contracts/rules/notices';
import { CLOCK_OFF_MS_MAX } from '@cord/kit/bounds';
import type { SessionUser } from '@cord/kit/caller';
import { collection } from '@cord/kit/collection';
import type { Schemed } from '@cord/kit/document-schema';
import type { Seal } from '@cord/kit/seal';
import { insertOnce } from '@cord/kit/store-errors';
import type { Connection } from 'mongoose';

/** Where and how a browser is pushed to; with it alone anyone could push to it, were it not for our key. */
export interface Keys {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

/** What decides whether a sign-in still holds. */
export type AllowedBy = Pick<SessionUser, 'sessionId' | 'keyId' | 'issuedAtMs' | 'expiresAtMs'>;

/** A browser of a user that is pushed to. */
export interface SubscriptionDoc extends Schemed {
  /** `idOf` its endpoint: a browser has one, independent of who is signed in. */
  _id: string;
  userId: string;
  /** Endpoint and keys, sealed under this id (kit/seal.ts). */
  sealed: string;
  /** The sign-in that allowed it: with its end nothing is pushed there any more. Absent: none is known, and nothing is pushed. */
  session?: AllowedBy;
  /** Browser and system. */
  device: string;
  /** Time zone of the times in its texts. */
  zone?: string;
  /** The language of its page, while the account has none. */
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

/** What a browser sends when it subscribes. */
export type Subscriber = Pick<SubscriptionDoc, 'device' | 'zone' | 'locale'> & { session: AllowedBy };

export type Subscriptions = ReturnType<typeof openSubscriptions>;

/** What a browser can make of its endpoint, too, and none can make the endpoint of: half of its SHA-256. */
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
    // Of two sign-ins that differ by less the clocks of their replicas do not show which is the later one.
    const latestMs = fields.session.issuedAtMs + 2 * CLOCK_OFF_MS_MAX;
    const unlessLater = { _id, 'session.issuedAtMs': { $not: { $gt: latestMs } } };
    await subscriptions.updateOne(unlessLater, { $set: { userId, ...fields, ...since } }, { upsert: true });
  };
  return {
    /**
     * Takes a browser in, from the user who had it before; of more than five of a user's the oldest go. A browser has one sign-in at a time: what an
     * earlier one puts late changes nothing.
     * @returns null where it is another user's
     */
    async put(userId: string, keys: Keys, { session, device, zone, locale }: Subscriber, nowMs: number) {
      const _id = idOf(keys.endpoint);
      const sealed = await seal.seal(JSON.stringify(keys), _id);
      const { sessionId, keyId, issuedAtMs, expiresAtMs } = session;
      const allowedBy = { sessionId, keyId, issuedAtMs, expiresAtMs };
      const fields = { sealed, session: allowedBy, device, ...(zone ? { zone } : {}), ...(locale ? { locale } : {}) };
      // Two at once: the second finds what the first has made.
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
    /** The newest first. */
    ofUser,
    hasAny: async (userId: string) => (await subscriptions.findOne({ userId }, { projection: { _id: 1 } })) !== null,
    /** Users with a browser that is pushed to, by their ids, from after one on; '' for the first. */
    async usersAfter(after: string, limit: number) {
      const found = subscriptions
        .find({ userId: { $gt: after } }, { projection: { userId: 1 } })
        .sort({ userId: 1 })
        .limit(limit * PUSH_DEVICES_MAX);
      const users = (await found.toArray()).map(({ userId }) => userId);
      return [...new Set(users)].slice(0, limit);
    },
    /** Null where it is sealed with a key that this system has no more: to be taken away. */
    async open({ _id, sealed }: SubscriptionDoc) {
      try {
        return JSON.parse(await seal.open(sealed, _id)) as Keys;
      } catch {
        return null;
      }
    },
    /** @returns whether it was there, and this user's */
    remove: async (userId: string, id: string) => (await subscriptions.deleteOne({ _id: id, userId })).deletedCount > 0,
    async sent(id: string, nowMs: number) {
      await subscriptions.updateOne({ _id: id }, { $set: { lastSentAtMs: nowMs } });
    },
    async forget(userId: string) {
      await subscriptions.deleteMany({ userId });
    },
  };
}
