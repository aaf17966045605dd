import { sessionOpened, userRegistered, userSettings, userUpdated } from '@cord/contracts/events/user';
import { withCause } from '@cord/kit/cause';
import { collection } from '@cord/kit/collection';
import { compareAndSet, LOST } from '@cord/kit/compare-and-set';
import { type ListOrder, readBehind } from '@cord/kit/keyset';
import { addToOutbox, type OutboxEvent } from '@cord/kit/outbox/items';
import { type DueTimes, firstDue } from '@cord/kit/store/due';
import type { IdFilter } from '@cord/kit/store/first-matching';
import { insertOnce } from '@cord/kit/store-errors';
import type { Connection } from 'mongoose';
import type { UserDoc } from '../domain/user-doc.js';
import { sessionOpenedItems, userRegisteredItem, userSettingsItems } from '../domain/user-events.js';

/** Fields to set and events to publish with them, as computed from the document that was read. */
export interface UserChange {
  set: Partial<Omit<UserDoc, '_id' | 'seq' | 'outbox' | 'dirtyAt'>>;
  /** Events of the new version; `seq` is the document's after the change. */
  events?: (user: UserDoc) => OutboxEvent[];
}

/** What a user's place among the names is made of. */
export type NamePlace = Pick<UserDoc, 'usernameLower' | '_id'>;

const BY_NAME: ListOrder<NamePlace> = [
  ['usernameLower', 1],
  ['_id', 1],
];
const IN_ORDER = Object.fromEntries(BY_NAME);

/** Names that begin so. The store compares code points: the last one is above every character, emoji included. */
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
      // user.registered holds all that user.updated holds, and who reads that reads it too.
      items: (user) => [
        userRegisteredItem(user),
        ...userSettingsItems(user, user.lastLoginAtMs),
        ...sessionOpenedItems(user),
      ],
    },
  ],
});

/** Users, or admins alone, whose name or id begins so, behind a place. */
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
    /** The most recently signed-in holder of a name, whatever its case. */
    byUsername: (username: string) =>
      users.findOne({ usernameLower: username.toLowerCase() }, { sort: { lastLoginAtMs: -1 } }),

    /** Whether the user was made; false when this Discord account has one already. */
    insert: (user: UserDoc) => insertOnce(() => users.insertOne(user)),

    /** Compare-and-set on seq, again on conflict; null when the user is unknown. A null change writes nothing. Who becomes an admin is one since `nowMs`. */
    change: (userId: string, nowMs: number, step: (user: UserDoc) => UserChange | null) =>
      compareAndSet(() => changeOnce(userId, nowMs, step)),

    /** Users whose first sign-in is not finished and due, oldest first. */
    async dueForOnboarding(times: DueTimes, limit: number, takes: IdFilter) {
      const due = await firstDue(users, 'onboarding.dueAtMs', times, limit, takes, { projection: { _id: 1 } });
      return due.map(({ _id }) => _id);
    },

    admins: () => users.find({ isAdmin: true }).toArray(),
    /** Those of these users who are admins. */
    adminsAmong: async (userIds: readonly string[]): Promise<UserDoc[]> =>
      userIds.length === 0 ? [] : users.find({ _id: { $in: [...userIds] }, isAdmin: true }).toArray(),
    /** Admins, and those from whom the role was taken. */
    withRole: () => users.find({ $or: [{ isAdmin: true }, { configDenied: true }] }).toArray(),
    /** Users whose names begin so, whatever the case, in the order of their names. */
    async namedLike(begin: string, limit: number) {
      const docs = await users
        .find({ usernameLower: beginsWith(begin.toLowerCase()) }, { projection: { _id: 1 } })
        .sort({ usernameLower: 1 })
        .limit(limit)
        .toArray();
      return docs.map(({ _id }) => _id);
    },
    /** A page of those whose name begins so, in the order of names and ids; of all where it is empty. */
    byName({ begin, admins, after, limit }: PageOfUsers<NamePlace>) {
      const named = { ...(admins ? { isAdmin: true } : {}), usernameLower: beginsWith(begin.toLowerCase()) };
      return readBehind({ order: BY_NAME, after, limit }, (range, most) =>
        users
          .find({ $and: [named, range] })
          .sort(IN_ORDER)
          .limit(most)
          // Admins are few: they are sorted, where all others would have to be passed over.
          .hint(admins ? { isAdmin: 1 } : IN_ORDER)
          .toArray(),
      );
    },
    /** Those whose id begins so and whose name does not, by id. */
    byIdPrefix: ({ begin, admins, after, limit }: PageOfUsers<string>) =>
      users
        .find({
          // `g` comes behind every digit of an id.
          _id: { ...(after === null ? { $gte: begin } : { $gt: after }), $lt: `${begin}g` },
          $nor: [{ usernameLower: beginsWith(begin) }],
          ...(admins ? { isAdmin: true } : {}),
        })
        .sort({ _id: 1 })
        .limit(limit)
        .hint(admins ? { isAdmin: 1 } : { _id: 1 })
        .toArray(),
    /** The names of these users, by id; who is not there has none. */
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
