import type { Account, OutboxItem } from './account.js';
import type { LedgerBus, LedgerStore, Relayed } from './ports.js';
import { daysWaiting, entriesWaiting, sessionsWaiting } from './waiting.js';

/** Dependencies of the relay. */
interface RelayParts {
  readonly store: LedgerStore;
  readonly bus: LedgerBus;
  /** Awaited before the outbox drops published items; notes that the account has published. */
  readonly note: (userId: string) => Promise<void>;
  /** Maximum number of rounds of one relay; the rest is left to the sweeper. */
  readonly rounds: number;
}

/** Returns whether the account has anything to relay. */
export function isDirty(account: Account): boolean {
  return account.outbox.length > 0 || account.announceSeq !== null;
}

/**
 * Relays an account's outbox: entry upsert -> publish with message id -> note -> pull by {key, seq}
 * (services/mining/ledger/README.md#outbox-and-relay). After a crash or a lost response at any point, the next relay repeats
 * the work without effect. For an erased user nothing is published, and published events are removed (`relayErased`).
 * @param known the account as just written, which saves the first read. It may be stale: only items that were carried out
 * are removed from the store.
 * @returns the seq up to which everything is relayed; null when the account does not exist, or when every round lost to a
 * concurrent write and the rest is left to the sweeper.
 */
export async function relayAccount(
  { store, bus, note, rounds }: RelayParts,
  userId: string,
  known: Account | null = null,
): Promise<bigint | null> {
  let account = known ?? (await store.read(userId));
  if (isErased(account)) return relayErased({ store, bus }, account, known === null);
  for (let round = 0; account !== null && round < rounds; round += 1) {
    const announcedSeq = await relayOnce(store, bus, account);
    if (hasPublications(account)) await note(userId);
    const relayed: Relayed = { items: account.outbox, announcedSeq };
    if (await store.clearOutbox(userId, account.seq, relayed)) return account.seq;
    await store.pullOutbox(userId, relayed);
    account = await store.read(userId);
    if (isErased(account)) return relayErased({ store, bus }, account, false);
    if (account !== null && !isDirty(account) && (await store.clearOutbox(userId, account.seq, NOTHING))) {
      return account.seq;
    }
  }
  return null;
}

/** Takes out what a relay has published, or may have, if the user was erased meanwhile. */
export async function withdrawIfErased(parts: Pick<RelayParts, 'store' | 'bus'>, userId: string): Promise<void> {
  const account = await parts.store.read(userId);
  if (isErased(account)) await relayErased(parts, account, false);
}

type Erased = Account & { readonly erasedAtMs: number };

function isErased(account: Account | null): account is Erased {
  return account !== null && account.erasedAtMs !== null;
}

const NOTHING: Relayed = { items: [], announcedSeq: null };

/**
 * Writes the entries that an erasure closes and removes the user's sessions and events. A concurrent relay that had read the account
 * before may have written and published more meanwhile. So the mark stays until the sweeper has repeated this, seconds later.
 */
async function relayErased(
  { store, bus }: Pick<RelayParts, 'store' | 'bus'>,
  account: Account,
  isSweep: boolean,
): Promise<bigint | null> {
  const { userId, seq, outbox } = account;
  await storeItems(store, account);
  const closed: Relayed = { items: outbox, announcedSeq: seq };
  await store.pullOutbox(userId, closed);
  await store.removeSessions(userId);
  await bus.withdraw(userId);
  return isSweep && (await store.clearOutbox(userId, seq, closed)) ? seq : null;
}

/**
 * Runs one round of writing and publishing. Stored items leave the outbox even when publishing fails, as with a full stream: else
 * the outbox would fill up after 64 credits and refuse the next one, although the slot's state covers their announcements.
 * @returns the announced seq; null when none was announced
 */
async function relayOnce(store: LedgerStore, bus: LedgerBus, account: Account): Promise<bigint | null> {
  await storeItems(store, account);
  try {
    return await publishItems(bus, account);
  } catch (error) {
    const items = account.outbox.filter(({ kind }) => kind !== 'node');
    if (items.length > 0) await store.pullOutbox(account.userId, { items, announcedSeq: null });
    throw error;
  }
}

/**
 * Stores entries, finished days and ended sessions as documents before they are announced. For an erased user it stores
 * no session and no text by an operator.
 */
async function storeItems(store: LedgerStore, account: Account): Promise<void> {
  const takes = isErased(account);
  const entries = entriesWaiting(account).map((entry) =>
    takes && entry.source === 'correction' ? { ...entry, reason: '' } : entry,
  );
  if (entries.length > 0) await store.putEntries(entries);
  const days = daysWaiting(account);
  if (days.length > 0) await store.putDays(days);
  const ended = takes ? [] : sessionsWaiting(account);
  if (ended.length > 0) await store.putSessions(ended);
}

/** Publishes node events in order, then the state of the account. */
async function publishItems(bus: LedgerBus, account: Account): Promise<bigint | null> {
  for (const item of nodeItems(account.outbox)) await bus.publishNode(item);
  if (account.announceSeq === null) return null;
  await bus.publishBalance(account);
  return account.seq;
}

/** Returns whether a round publishes anything. */
function hasPublications({ announceSeq, outbox }: Account): boolean {
  return announceSeq !== null || nodeItems(outbox).length > 0;
}

function nodeItems(outbox: readonly OutboxItem[]) {
  return outbox.flatMap((item) => (item.kind === 'node' ? [item] : []));
}
