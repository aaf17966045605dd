import { awaitAll } from '@cord/kit/batches';
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

/** Step of the lease hint, ms, so that a save seldom changes its index. */
const LEASE_HINT_STEP_MS = 600_000;

/** Parts of an account that are written only when a step has replaced them. */
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

/** Parts in which most steps change few fields: only changed fields are sent. In `totals` nearly all change, and their paths are long. */
const BY_FIELD: ReadonlySet<string> = new Set<(typeof PARTS)[number]>(['node', 'open', 'epoch']);

/**
 * The ledger's store port. Every operation includes the user, by which mining's collections may be sharded (ranged:
 * accounts by `_id`, the others by `userId`): without it, a query goes to all shards.
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
 * Upgrades the account to this release's schema. The upgrade is stored before any step uses it: a later write contains
 * only its own changes. The outbox belongs to the relay and is not upgraded.
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

/** Each item's seq is unique within the account, so seq alone identifies {key, seq}. */
function seqsOf({ items }: Relayed): bigint[] {
  return items.map((item) => item.seq);
}

type Fields = Readonly<Record<string, unknown>>;

/** Returns the changed fields of a part by path; the whole part when a field was removed. */
function changedFields(part: string, before: Fields, next: Fields): Fields {
  if (Object.keys(before).some((field) => !(field in next))) return { [part]: next };
  const changed = Object.entries(next).filter(([field, value]) => value !== before[field]);
  return Object.fromEntries(changed.map(([field, value]) => [`${part}.${field}`, value]));
}

/** Returns the update of one compare-and-set: the step's changes, without anything that the relay may have removed meanwhile. */
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
    // The cause is written and removed together with the slot.
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
    // The same number with each hint, so no index changes.
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

/** Returns a time not after the end of the lease; null for a stopped node. */
function leaseHintMs({ node }: Account): number | null {
  if (node.status !== 'active') return null;
  return Math.floor(node.leaseUntilMs / LEASE_HINT_STEP_MS) * LEASE_HINT_STEP_MS;
}

/**
 * Inserts documents. An existing one with the same id must be equal, written by an earlier relay.
 * @throws Error when it differs: two writers disagree, and nothing is overwritten; or while it waits for a majority of the store
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
      // A violation of another index than the ids': another document has its seq.
      const hasItsId = '_id' in ((error as mongo.MongoServerError).keyPattern ?? {});
      if (!there && hasItsId)
        throw new Error(`${collection.collectionName} ${doc._id} is not yet stored by a majority`);
      if (!there || !isSame(there, doc))
        throw new Error(`${collection.collectionName} ${doc._id} already exists with other content`);
    }
  };
  await awaitAll(docs.map(put));
}

/** Converts a document from the driver to an account. */
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
