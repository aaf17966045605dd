import { sessionOpened, userRegistered, userSettings, userUpdated } from '@cord/contracts/events/user';
import { withCause } from '@cord/kit/cause';
import { collection } from '@cord/kit/collection';
import { compareAndSet, LOST } from '@cord/kit/compare-and-set';
import { type ListOrder, readAfter } from '@cord/kit/keyset';
import { addToOutbox, type OutboxEvent } from '@cord/kit/outbox/items';
import { type DueTimes, firstDue } from '@cord/kit/store/due';
import type { IdFilter } from '@cord/kit/store/first-matching';
import { insertOnce } from '@cord/kit/store-errors';
import type { Connection } from 'mongoose';
import type { UserDoc } from '../domain/user-doc.js';
import { sessionOpenedItems, userRegisteredItem, userSettingsItems } from '../domain/user-events.js';

/** Fields to set and events to publish, computed from the document that was read. */
export interface UserChange {
  set: Partial<Omit<UserDoc, '_id' | 'seq' | 'outbox' | 'dirtyAt'>>;
  /** Events of the new version; `seq` is that of the document after the change. */
  events?: (user: UserDoc) => OutboxEvent[];
}

/** The position of a user in the order of names. */
export type NamePlace = Pick<UserDoc, 'usernameLower' | '_id'>;

const BY_NAME: ListOrder<NamePlace> = [
  ['usernameLower', 1],
  ['_id', 1],
];
const IN_ORDER = Object.fromEntries(BY_NAME);

/** Filter for a name prefix. The store compares code points; this one is above every character, emoji included. */
const beginsWith = (begin: string) => ({ $gte: begin, $lt: `${begin}\u{10ffff}` });

export const USERS = collection<UserDoc>({
  name: 'users',
  indexes: [
    { key: { discordId: 1 }, unique: true },
    { key: { usernameLower: 1, lastLoginAtMs: -1 } },
    { key: { usernameLower: 1, _id: 1 } },
    { key: { 'onboarding.dueAtMs': 1 }, sparse: true },
    { key: { isAdmin: 1 } },
    { key: { configDenied: 1 }, sparse: true },
  ],
  outbox: 'events',
  states: [
    {
      kinds: [userRegistered, userUpdated, userSettings, sessionOpened],
      // user.registered includes the fields of user.updated, and readers of the latter consume both.
      items: (user) => [
        userRegisteredItem(user),
        ...userSettingsItems(user, user.lastLoginAtMs),
        ...sessionOpenedItems(user),
      ],
    },
  ],
});

/** A page of users, or admins only, by prefix of name or id, after a cursor. */
interface PageOfUsers<Place> {
  begin: string;
  admins: boolean;
  after: Place | null;
  limit: number;
}

export type UserStore = ReturnType<typeof createUserStore>;

export function createUserStore(connection: Connection) {
  const users = USERS.in(connection);
  const read = (user: UserDoc | null) => user && USERS.read(user);

  async function changeOnce(userId: string, nowMs: number, step: (user: UserDoc) => UserChange | null) {
    const user = read(await users.findOne({ _id: userId }));
    const change = user && step(user);
    if (!user || !change) return user;
    const seq = user.seq + 1;
    const set = change.set.isAdmin && !user.isAdmin ? { ...change.set, adminSinceMs: nowMs } : change.set;
    const after: UserDoc = { ...user, ...set, seq };
    const events = withCause(user.outbox, change.events?.(after) ?? []);
    const published = events.length > 0 ? { outbox: events.reduce(addToOutbox, user.outbox), dirtyAt: nowMs } : {};
    const { matchedCount } = await users.updateOne(
      { _id: userId, seq: user.seq },
      { $set: { ...set, seq, ...published } },
    );
    return matchedCount === 1 ? after : LOST;
  }

  return {
    byId: async (userId: string) => read(await users.findOne({ _id: userId })),
    byDiscordId: async (discordId: string) => read(await users.findOne({ discordId })),
    /** Returns the most recently signed-in holder of a name, case-insensitive. */
    byUsername: (username: string) =>
      users.findOne({ usernameLower: username.toLowerCase() }, { sort: { lastLoginAtMs: -1 } }),

    /** Inserts a user; false when this Discord account already has one. */
    insert: (user: UserDoc) => insertOnce(() => users.insertOne(user)),

    /** Compare-and-set on seq, retried on conflict; null when the user is unknown. A null change writes nothing. A new admin is one since `nowMs`. */
    change: (userId: string, nowMs: number, step: (user: UserDoc) => UserChange | null) =>
      compareAndSet(() => changeOnce(userId, nowMs, step)),

    /** Users whose first sign-in is unfinished and due, oldest first. */
    async dueForOnboarding(times: DueTimes, limit: number, takes: IdFilter) {
      const due = await firstDue(users, 'onboarding.dueAtMs', times, limit, takes, { projection: { _id: 1 } });
      return due.map(({ _id }) => _id);
    },

    admins: () => users.find({ isAdmin: true }).toArray(),
    /** Returns the admins among these users. */
    adminsAmong: async (userIds: readonly string[]): Promise<UserDoc[]> =>
      userIds.length === 0 ? [] : users.find({ _id: { $in: [...userIds] }, isAdmin: true }).toArray(),
    /** Returns admins, and users from whom the role was removed. */
    withRole: () => users.find({ $or: [{ isAdmin: true }, { configDenied: true }] }).toArray(),
    /** Returns users by name prefix, case-insensitive, ordered by name. */
    async namedLike(begin: string, limit: number) {
      const docs = await users
        .find({ usernameLower: beginsWith(begin.toLowerCase()) }, { projection: { _id: 1 } })
        .sort({ usernameLower: 1 })
        .limit(limit)
        .toArray();
      return docs.map(({ _id }) => _id);
    },
    /** Returns a page of users by name prefix, ordered by name and id; all users for an empty prefix. */
    byName({ begin, admins, after, limit }: PageOfUsers<NamePlace>) {
      const named = { ...(admins ? { isAdmin: true } : {}), usernameLower: beginsWith(begin.toLowerCase()) };
      return readAfter({ order: BY_NAME, after, limit }, (range, most) =>
        users
          .find({ $and: [named, range] })
          .sort(IN_ORDER)
          .limit(most)
          // Admins are few, so they are sorted; the other index would scan all non-admins.
          .hint(admins ? { isAdmin: 1 } : IN_ORDER)
          .toArray(),
      );
    },
    /** Returns users by id prefix whose name does not have the prefix, ordered by id. */
    byIdPrefix: ({ begin, admins, after, limit }: PageOfUsers<string>) =>
      users
        .find({
          // `g` sorts after every digit of an id.
          _id: { ...(after === null ? { $gte: begin } : { $gt: after }), $lt: `${begin}g` },
          $nor: [{ usernameLower: beginsWith(begin) }],
          ...(admins ? { isAdmin: true } : {}),
        })
        .sort({ _id: 1 })
        .limit(limit)
        .hint(admins ? { isAdmin: 1 } : { _id: 1 })
        .toArray(),
    /** Returns the names of these users by id, without unknown ones. */
    async namesOf(userIds: readonly string[]): Promise<Map<string, string>> {
      if (userIds.length === 0) return new Map();
      const docs = await users.find({ _id: { $in: [...new Set(userIds)] } }, { projection: { username: 1 } }).toArray();
      return new Map(docs.map(({ _id, username }) => [_id, username]));
    },
    async remove(userId: string) {
      await users.deleteOne({ _id: userId });
    },
  };
}
