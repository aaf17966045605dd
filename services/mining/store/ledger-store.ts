import { allThrough } from '@cord/kit/batches';
import { type DocumentSchema, upgrade } from '@cord/kit/document-schema';
import { isDuplicateKey } from '@cord/kit/store-errors';
import type { Connection, mongo } from 'mongoose';
import type { Account, Entry, FinishedDay } from '../ledger/account.js';
import { type AccountWrite, accountWrite } from '../ledger/account-write.js';
import { forgetsAtMs } from '../ledger/addresses.js';
import type { LedgerStore, Relayed } from '../ledger/ports.js';
import type { SessionRecord } from '../ledger/session-record.js';
import { ACCOUNTS, type AccountDoc, DAYS, ENTRIES, type EntryDoc, SESSIONS, type SessionDoc } from './collections.js';
import { drawnAt } from './running.js';

/** The lease hint moves in steps of this, so that a save seldom touches its index. */
const LEASE_HINT_STEP_MS = 600_000;

/** Parts of an account that are written only when a step has made them anew. */
const PARTS = [
  'balanceMicro',
  'erasedAtMs',
  'totals',
  'node',
  'factors',
  'open',
  'openCommission',
  'epoch',
  'chain',
  'credited',
  'announceNextMs',
] as const;

/** Parts of which most steps change few fields: what has not changed is not sent. Nearly all fields of `totals` do, and their paths are long. */
const BY_FIELD: ReadonlySet<string> = new Set<(typeof PARTS)[number]>(['node', 'open', 'epoch']);

/**
 * The ledger's port over the store. Every operation names its user, by whom mining's collections may be sharded (ranged: accounts by
 * `_id`, the others by `userId`): one that does not goes to all shards.
 */
export function createLedgerStore(
  store: Connection,
  { schema = ACCOUNTS.schema }: { schema?: DocumentSchema<AccountDoc> } = {},
): LedgerStore {
  const accounts = ACCOUNTS.in(store);
  const entries = ENTRIES.in(store);
  return {
    async read(userId) {
      const doc = await accounts.findOne({ _id: userId });
      return doc ? accountOf(await ofThisSchema(accounts, doc, schema)) : null;
    },
    async insert(account) {
      try {
        await accounts.insertOne(docOf(account));
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    async compareAndSet(before, next, nowMs, announcedSeq) {
      const update = updateOf(before, next, accountWrite(before, next, nowMs, announcedSeq));
      const { matchedCount } = await accounts.updateOne({ _id: before.userId, seq: before.seq }, update);
      return matchedCount === 1;
    },
    async findEntry(userId, key) {
      const doc = await entries.findOne({ _id: key, userId });
      return doc ? entryOf(doc) : null;
    },
    putEntries: (added) =>
      putNew(entries, added.map(entryDoc), (there, doc) => {
        return there.userId === doc.userId && there.seq === doc.seq && there.hash === doc.hash;
      }),
    async putDays(days) {
      await DAYS.in(store).bulkWrite(days.map(dayWrite));
    },
    putSessions: (sessions) =>
      putNew(SESSIONS.in(store), sessions.map(sessionDoc), (there, doc) => there.userId === doc.userId),
    async removeSessions(userId) {
      await SESSIONS.erase(store, userId);
    },
    async clearOutbox(userId, seq, relayed) {
      const unseen = { $elemMatch: { seq: { $nin: seqsOf(relayed) } } };
      const unannounced = relayed.announcedSeq === null ? { announceSeq: { $exists: false } } : {};
      const { matchedCount } = await accounts.updateOne(
        { _id: userId, seq, outbox: { $not: unseen }, ...unannounced } as mongo.Filter<AccountDoc>,
        { $set: { outbox: [] }, $unset: { announceSeq: '', announceCause: '', dirtyAt: '' } },
      );
      return matchedCount === 1;
    },
    async pullOutbox(userId, relayed) {
      const seqs = seqsOf(relayed);
      const { announcedSeq } = relayed;
      if (seqs.length > 0) await accounts.updateOne({ _id: userId }, { $pull: { outbox: { seq: { $in: seqs } } } });
      if (announcedSeq === null) return;
      await accounts.updateOne(
        { _id: userId, announceSeq: { $lte: announcedSeq } },
        { $unset: { announceSeq: '', announceCause: '' } },
      );
    },
  };
}

/**
 * The account as this release has it. A step of the schema is stored before anything is built on it: a later write has
 * only what it has changed itself. The outbox is the relay's, and of no schema.
 * @throws Problem 503 for a schema of a newer release
 */
async function ofThisSchema(
  accounts: mongo.Collection<AccountDoc>,
  stored: AccountDoc,
  schema: DocumentSchema<AccountDoc>,
): Promise<AccountDoc> {
  const doc = upgrade(stored, schema);
  if (doc === stored) return stored;
  const { _id, seq, outbox: _outbox, announceSeq: _announce, announceCause: _cause, dirtyAt: _dirty, ...parts } = doc;
  await accounts.updateOne({ _id, seq }, { $set: parts } as mongo.UpdateFilter<AccountDoc>);
  return doc;
}

/** The seq of an item is its own within the account, so that seq alone identifies {key, seq}. */
function seqsOf({ items }: Relayed): bigint[] {
  return items.map((item) => item.seq);
}

type Fields = Readonly<Record<string, unknown>>;

/** The fields of a part that a step has changed, by path; the whole part where it has lost a field. */
function changedFields(part: string, before: Fields, next: Fields): Fields {
  if (Object.keys(before).some((field) => !(field in next))) return { [part]: next };
  const changed = Object.entries(next).filter(([field, value]) => value !== before[field]);
  return Object.fromEntries(changed.map(([field, value]) => [`${part}.${field}`, value]));
}

/** One compare-and-set's update: what the step has changed, and nothing that the relay may have taken out meanwhile. */
function updateOf(before: Account, next: Account, write: AccountWrite): mongo.UpdateFilter<AccountDoc> {
  const { mark } = write;
  const set: Record<string, unknown> = { seq: next.seq };
  for (const part of PARTS) {
    if (next[part] === before[part]) continue;
    if (BY_FIELD.has(part))
      Object.assign(set, changedFields(part, before[part] as unknown as Fields, next[part] as unknown as Fields));
    else set[part] = next[part];
  }
  const unset: Record<string, ''> = {};
  if (write.announceSeq !== undefined) {
    if (write.announceSeq === null) unset.announceSeq = '';
    else set.announceSeq = write.announceSeq;
    // It goes with the slot, whether it has a cause or not.
    if (write.announceSeq !== null && next.announceCause) set.announceCause = next.announceCause;
    else if (before.announceCause) unset.announceCause = '';
  }
  if (mark.kind === 'anew') set.dirtyAt = mark.atMs;
  const hintMs = leaseHintMs(next);
  if (hintMs === null && before.node.status === 'active') {
    unset.leaseHintMs = '';
    unset.drawnAt = '';
  } else if (hintMs !== null && hintMs !== leaseHintMs(before)) {
    set.leaseHintMs = hintMs;
    // Always the same number, with each hint: no index moves.
    set.drawnAt = drawnAt(next.userId);
  }
  const forgetAtMs = forgetsAtMs(next.node);
  if (forgetAtMs !== forgetsAtMs(before.node)) {
    if (forgetAtMs === null) unset.forgetAtMs = '';
    else set.forgetAtMs = forgetAtMs;
  }
  if (next.openCommission !== before.openCommission) {
    if (next.openCommission.amountMicro > 0n) set.commissionSinceMs = next.openCommission.sinceMs;
    else unset.commissionSinceMs = '';
  }
  return {
    $set: set,
    ...(Object.keys(unset).length > 0 ? { $unset: unset } : {}),
    ...(write.newItems.length > 0 ? { $push: { outbox: { $each: [...write.newItems] } } } : {}),
    ...(mark.kind === 'earliest' ? { $min: { dirtyAt: mark.atMs } } : {}),
  } as mongo.UpdateFilter<AccountDoc>;
}

/** Never after the end of the lease; null for a node that does not run. */
function leaseHintMs({ node }: Account): number | null {
  if (node.status !== 'active') return null;
  return Math.floor(node.leaseUntilMs / LEASE_HINT_STEP_MS) * LEASE_HINT_STEP_MS;
}

/**
 * Inserts documents; one whose id stands there must be the same one, written by an earlier relay.
 * @throws Error when it is another one: then two writers disagree, and nothing is overwritten; or while it waits for a majority of the store
 */
async function putNew<D extends { _id: string; userId: string }>(
  collection: mongo.Collection<D>,
  docs: readonly D[],
  isSame: (there: D, doc: D) => boolean,
): Promise<void> {
  const put = async (doc: D): Promise<void> => {
    try {
      await collection.insertOne(doc as mongo.OptionalUnlessRequiredId<D>);
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      const there = (await collection.findOne({ _id: doc._id, userId: doc.userId } as mongo.Filter<D>)) as D | null;
      // Another index than that of the ids: another document has its seq.
      const hasItsId = '_id' in ((error as mongo.MongoServerError).keyPattern ?? {});
      if (!there && hasItsId)
        throw new Error(`${collection.collectionName} ${doc._id} waits for a majority of the store`);
      if (!there || !isSame(there, doc))
        throw new Error(`${collection.collectionName} ${doc._id} was written otherwise before`);
    }
  };
  await allThrough(docs.map(put));
}

/** The account of a document as the driver gives it. */
export function accountOf(doc: AccountDoc): Account {
  const { _id, announceSeq, dirtyAt: _d, leaseHintMs: _l, drawnAt: _n, ...kept } = doc;
  const { forgetAtMs: _f, commissionSinceMs: _c, ...state } = kept;
  return { ...state, userId: _id, announceSeq: announceSeq ?? null };
}

function docOf(account: Account): AccountDoc {
  const { userId, announceSeq, ...state } = account;
  return { _id: userId, ...state, ...(announceSeq !== null ? { announceSeq } : {}), dirtyAt: account.openedAtMs };
}

export function entryOf(doc: EntryDoc): Entry {
  const { _id, ...rest } = ENTRIES.read(doc);
  return { ...rest, key: _id };
}

function entryDoc(entry: Entry): EntryDoc {
  const { key, ...rest } = entry;
  return { _id: key, ...rest };
}

function dayWrite(day: FinishedDay) {
  const _id = `${day.userId}:${day.dayKey}`;
  return { updateOne: { filter: { _id, userId: day.userId }, update: { $set: day }, upsert: true } };
}

export function sessionOf(doc: SessionDoc): SessionRecord {
  const { _id, ...rest } = doc;
  return { ...rest, id: _id, addressHash: null };
}

function sessionDoc(session: SessionRecord): SessionDoc {
  const { id, addressHash: _forgotten, ...rest } = session;
  return { _id: id, ...rest };
}
