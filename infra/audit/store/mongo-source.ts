import type { mongo } from 'mongoose';
import type {
  AccountDoc,
  CorrectionDoc,
  DayDoc,
  EntryDoc,
  EpochsDoc,
  SessionDoc,
} from '../../../services/mining/store/collections.js';
import { Peeked } from './join.js';
import { type PageOrder, paged } from './pages.js';
import type { BooksSource, UserBooks } from './source.js';

/** Documents per page: small enough that eleven streams together use far less than 100 MB. */
const PAGE_SIZE = 500;
type Doc = { _id: string; userId?: string };

/** Returns how a stored document is read, in the form of this release. @throws Error for a schema that only a newer release can read */
export type Reading = (service: string, collection: string) => (stored: object) => object;

/** Database and collection of each document of a user. */
const OWN = {
  user: ['auth', 'users'],
  erasure: ['auth', 'erasures'],
  assessment: ['auth', 'assessments'],
  record: ['tasks', 'records'],
  streak: ['tasks', 'streaks'],
  holder: ['rewards', 'holders'],
  member: ['referrals', 'members'],
  account: ['mining', 'accounts'],
} as const;
type OwnName = keyof typeof OWN;
const BY_ID: PageOrder = [['_id', -1]];
const BY_USER: PageOrder = [['userId', -1]];
const BY_SEQ: PageOrder = [...BY_USER, ['seq', 1]];
const BY_START: PageOrder = [...BY_USER, ['startedAtMs', 1]];
const OWN_NAMES = Object.keys(OWN) as OwnName[];

/**
 * Reads the books of all databases. Users come in descending order of ids, so that the index of entries by user and
 * seq yields each user's entries in ascending order, without sorting in memory.
 * @param databaseOf the database of a service, opened with useBigInt64
 * @param pageSize documents per page of each collection
 */
export function mongoSource(
  databaseOf: (service: string) => mongo.Db,
  reading: Reading,
  pageSize = PAGE_SIZE,
): BooksSource {
  const find = async function* <D>(
    service: string,
    collection: string,
    filter: object,
    order: PageOrder,
  ): AsyncGenerator<D> {
    const read = reading(service, collection);
    for await (const stored of paged(databaseOf(service).collection(collection), filter, order, pageSize))
      yield read(stored) as D;
  };
  const one = async <D>(name: OwnName, userId: string): Promise<D | null> => {
    const [service, collection] = OWN[name];
    const stored = await databaseOf(service).collection<Doc>(collection).findOne({ _id: userId });
    return stored && (reading(service, collection)(stored) as D);
  };
  const entriesOf = (filter: object) => find<EntryDoc>('mining', 'entries', filter, BY_SEQ);
  const sessionsOf = (filter: object) => find<SessionDoc>('mining', 'sessions', filter, BY_START);
  const correctionsOf = (filter: object) => find<CorrectionDoc>('mining', 'corrections', filter, BY_USER);

  return {
    async *users() {
      const own = Object.fromEntries(
        OWN_NAMES.map((name) => {
          const [service, collection] = OWN[name];
          return [name, new Peeked(find<Doc>(service, collection, {}, BY_ID), ({ _id }) => _id)];
        }),
      ) as Record<OwnName, Peeked<Doc>>;
      const ofUser = ({ userId = '' }: Doc) => userId;
      const days = new Peeked(find<Doc>('mining', 'days', {}, BY_ID), ofUser);
      const sessions = new Peeked(sessionsOf({}) as AsyncIterable<Doc>, ofUser);
      const entries = new Peeked(entriesOf({}) as AsyncIterable<Doc>, ofUser);
      const corrections = new Peeked(correctionsOf({}) as AsyncIterable<Doc>, ofUser);
      const all = [...Object.values(own), corrections, days, sessions, entries];
      try {
        for (;;) {
          const keys = (await Promise.all(all.map((each) => each.key()))).filter((key) => key !== null);
          if (keys.length === 0) return;
          const userId = keys.sort().at(-1) ?? '';
          const documents: Partial<Record<OwnName, Doc | null>> = {};
          for (const name of OWN_NAMES) documents[name] = await own[name].take(userId);
          const books = {
            userId,
            ...documents,
            corrections: await collected(corrections.all(userId)),
            days: await collected(days.all(userId)),
            sessions: sessions.all(userId),
            entries: entries.all(userId),
          };
          yield books as unknown as UserBooks;
          // Skips the unread documents of this user.
          for await (const _ of sessions.all(userId));
          for await (const _ of entries.all(userId));
        }
      } finally {
        await Promise.all(all.map((each) => each.close()));
      }
    },
    async user(userId) {
      const [user, erasure, assessment, record, streak, holder, member] = await Promise.all(
        (['user', 'erasure', 'assessment', 'record', 'streak', 'holder', 'member'] as const).map((name) =>
          one(name, userId),
        ),
      );
      const corrections = await collected(correctionsOf({ userId }));
      const account = await one<AccountDoc>('account', userId);
      const days = await collected(
        find<DayDoc>('mining', 'days', { _id: { $gt: `${userId}:`, $lt: `${userId};` } }, BY_ID),
      );
      const claims = { userId, user, erasure, assessment, record, streak, holder, member, corrections };
      return {
        ...claims,
        account,
        days,
        sessions: sessionsOf({ userId }),
        entries: entriesOf({ userId }),
      } as UserBooks;
    },
    async seqOf(userId) {
      const account = await databaseOf('mining')
        .collection<AccountDoc>('accounts')
        .findOne({ _id: userId }, { projection: { seq: 1 } });
      return account ? BigInt(account.seq) : null;
    },
    epochs: () => databaseOf('mining').collection<EpochsDoc>('epochs').findOne({ _id: 'table' }),
  };
}

async function collected<D>(documents: AsyncIterable<D>): Promise<D[]> {
  const all: D[] = [];
  for await (const document of documents) all.push(document);
  return all;
}
