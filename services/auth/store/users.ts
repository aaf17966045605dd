import { sessionOpened, userRegistered, userSettings, userUpdated } from '@cord/contracts/events/user';
import { withCause } from '@cord/kit/cause';
import { collection } from '@cord/kit/collection';
import { compareAndSet, LOST } from '@cord/kit/compare-and-set';
import { type ListOrder, readBehind } from '@cord/kit/keyset';
import { addToOutbox, type OutboxEvent } from '@cord/kit/outbox/items';
import { type DueTimes, readDue } from '@cord/kit/store/due';
import { firstMatching, type IdFilter } from '@cord/kit/store/first-matching';
import { insertOnce } from '@cord/kit/store-errors';
import type { Connection, mongo } from 'mongoose';
import { Schema } from 'mongoose';
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
      items: (doc) =>
        [readUser(doc)].flatMap((user) =>
          user
            ? [userRegisteredItem(user), ...userSettingsItems(user, user.lastLoginAtMs), ...sessionOpenedItems(user)]
            : [],
        ),
    },
  ],
});

export interface UserStore {
  byId(userId: string): Promise<UserDoc | null>;
  byDiscordId(discordId: string): Promise<UserDoc | null>;
  /** The most recently signed-in holder of a name, whatever its case. */
  byUsername(username: string): Promise<UserDoc | null>;
  /** Whether the user was made; false when this Discord account has one already. */
  insert(user: UserDoc): Promise<boolean>;
  /** Compare-and-set on seq, again on conflict; null when the user is unknown. A null change writes nothing. */
  change(userId: string, nowMs: number, step: (user: UserDoc) => UserChange | null): Promise<UserDoc | null>;
  /** Users whose first sign-in is not finished and due, oldest first. */
  dueForOnboarding(times: DueTimes, limit: number, takes: IdFilter): Promise<string[]>;
  admins(): Promise<UserDoc[]>;
  /** Which of these users are admins. */
  adminsAmong(userIds: readonly string[]): Promise<string[]>;
  /** Admins, and those from whom the role was taken. */
  withRole(): Promise<UserDoc[]>;
  /** Users whose names begin so, whatever the case, in the order of their names. */
  namedLike(begin: string, limit: number): Promise<string[]>;
  /** A page of those whose name begins so, in the order of names and ids; of all where it is empty. */
  byName(page: { begin: string; admins: boolean; after: NamePlace | null; limit: number }): Promise<UserDoc[]>;
  /** Those whose id begins so and whose name does not, by id. */
  byIdPrefix(page: { begin: string; admins: boolean; after: string | null; limit: number }): Promise<UserDoc[]>;
  /** The names of these users, by id; who is not there has none. */
  namesOf(userIds: readonly string[]): Promise<Map<string, string>>;
  remove(userId: string): Promise<void>;
}

const text = { type: String, required: true };
const number = { type: Number, required: true };
const flag = { type: Boolean, required: true };

const schema = new Schema<UserDoc>(
  {
    _id: text,
    discordId: text,
    username: text,
    usernameLower: text,
    discriminator: String,
    avatar: String,
    discordCreatedAtMs: number,
    joinedAtMs: number,
    lastLoginAtMs: number,
    locale: text,
    theme: text,
    autoStart: flag,
    notifications: flag,
    notices: Schema.Types.Mixed,
    devices: Schema.Types.Mixed,
    opened: Schema.Types.Mixed,
    quietHours: Schema.Types.Mixed,
    isAdmin: flag,
    roleFrom: String,
    secondFactor: Boolean,
    configDenied: Boolean,
    returning: flag,
    onboarding: {
      ledgerOpened: flag,
      welcomeKey: text,
      welcomeMicro: { type: BigInt, required: true },
      welcomeState: text,
      referralCode: String,
      referralState: text,
      referralBonusMicro: BigInt,
      dueAtMs: Number,
      tries: number,
    },
    greeting: { isNewUser: flag, acknowledged: flag, sessionId: String },
    seq: number,
    outbox: { type: Schema.Types.Mixed, required: true },
    dirtyAt: Number,
  },
  { collection: 'users', versionKey: false, strict: 'throw', minimize: false },
);

export function createUserStore(connection: Connection): UserStore {
  const users = connection.model<UserDoc>('User', schema);

  async function changeOnce(userId: string, nowMs: number, step: (user: UserDoc) => UserChange | null) {
    const user = readUser(await users.findById(userId).lean());
    const change = user && step(user);
    if (!user || !change) return user;
    const seq = user.seq + 1;
    const after: UserDoc = { ...user, ...change.set, seq };
    const events = withCause(user.outbox, change.events?.(after) ?? []);
    const told = events.length > 0 ? { outbox: events.reduce(addToOutbox, user.outbox), dirtyAt: nowMs } : {};
    const { matchedCount } = await users.updateOne(
      { _id: userId, seq: user.seq },
      { $set: { ...change.set, seq, ...told } },
      // What a newer release keeps within a part goes back with the part.
      { strict: false },
    );
    return matchedCount === 1 ? after : LOST;
  }

  return {
    byId: async (userId) => readUser(await users.findById(userId).lean()),
    byDiscordId: async (discordId) => readUser(await users.findOne({ discordId }).lean()),
    byUsername: async (username) =>
      readUser(await users.findOne({ usernameLower: username.toLowerCase() }).sort({ lastLoginAtMs: -1 }).lean()),

    insert: (user) => insertOnce(() => users.create(user)),

    change: (userId, nowMs, step) => compareAndSet(() => changeOnce(userId, nowMs, step)),

    async dueForOnboarding(times, limit, takes) {
      const stored = users.collection as unknown as mongo.Collection<UserDoc>;
      const due = await readDue('onboarding.dueAtMs', times, limit, (filter, most) =>
        firstMatching(
          stored.find(filter as never, { projection: { _id: 1 } }).sort({ 'onboarding.dueAtMs': 1 }),
          most,
          takes,
        ),
      );
      return due.map(({ _id }) => _id);
    },

    admins: async () => (await users.find({ isAdmin: true }).lean()).flatMap((doc) => readUser(doc) ?? []),
    adminsAmong: async (userIds) =>
      userIds.length === 0
        ? []
        : (await users.find({ _id: { $in: [...userIds] }, isAdmin: true }, { _id: 1 }).lean()).map(({ _id }) => _id),
    withRole: async () => {
      const docs = await users.find({ $or: [{ isAdmin: true }, { configDenied: true }] }).lean();
      return docs.flatMap((doc) => readUser(doc) ?? []);
    },
    async namedLike(begin, limit) {
      const from = begin.toLowerCase();
      const named = { usernameLower: { $gte: from, $lt: `${from}\uffff` } };
      const docs = await users.find(named, { _id: 1 }).sort({ usernameLower: 1 }).limit(limit).lean();
      return docs.map(({ _id }) => _id);
    },
    async byName({ begin, admins, after, limit }) {
      const from = begin.toLowerCase();
      const named = { ...(admins ? { isAdmin: true } : {}), usernameLower: { $gte: from, $lt: `${from}\uffff` } };
      const docs = await readBehind({ order: BY_NAME, after, limit }, (range, most) =>
        users
          .find({ $and: [named, range] })
          .sort(IN_ORDER)
          .limit(most)
          // Admins are few: they are sorted, where all others would have to be passed over.
          .hint(admins ? { isAdmin: 1 } : IN_ORDER)
          .lean(),
      );
      return docs.flatMap((doc) => readUser(doc) ?? []);
    },
    async byIdPrefix({ begin, admins, after, limit }) {
      const docs = await users
        .find({
          // `g` comes behind every digit of an id.
          _id: { ...(after === null ? { $gte: begin } : { $gt: after }), $lt: `${begin}g` },
          $nor: [{ usernameLower: { $gte: begin, $lt: `${begin}\uffff` } }],
          ...(admins ? { isAdmin: true } : {}),
        })
        .sort({ _id: 1 })
        .limit(limit)
        .hint(admins ? { isAdmin: 1 } : { _id: 1 })
        .lean();
      return docs.flatMap((doc) => readUser(doc) ?? []);
    },
    async namesOf(userIds) {
      if (userIds.length === 0) return new Map();
      const docs = await users.find({ _id: { $in: [...new Set(userIds)] } }, { username: 1 }).lean();
      return new Map(docs.map(({ _id, username }) => [_id, username]));
    },
    async remove(userId) {
      await users.deleteOne({ _id: userId });
    },
  };
}

/** A document as read by lean(): int64 comes as a number or a Long, absent fields as nothing. */
export function readUser(doc: unknown): UserDoc | null {
  if (!doc) return null;
  const user = doc as UserDoc;
  const { onboarding } = user;
  return {
    ...user,
    discriminator: user.discriminator ?? null,
    avatar: user.avatar ?? null,
    dirtyAt: user.dirtyAt ?? null,
    greeting: { ...user.greeting, sessionId: user.greeting.sessionId ?? null },
    onboarding: {
      ...onboarding,
      welcomeMicro: BigInt(String(onboarding.welcomeMicro)),
      referralCode: onboarding.referralCode ?? null,
      referralBonusMicro: onboarding.referralBonusMicro == null ? null : BigInt(String(onboarding.referralBonusMicro)),
      dueAtMs: onboarding.dueAtMs ?? null,
    },
  };
}
