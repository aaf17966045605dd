import type { Account, OutboxItem } from './account.js';
import type { LedgerBus, LedgerStore, Relayed } from './ports.js';
import { daysWaiting, entriesWaiting, sessionsWaiting } from './waiting.js';

/** What the relay works with. */
interface RelayParts {
  readonly store: LedgerStore;
  readonly bus: LedgerBus;
  /** Awaited before the outbox forgets what was published: the account has published something. */
  readonly note: (userId: string) => Promise<void>;
  /** Rounds of one relay before it leaves the rest to the sweeper. */
  readonly rounds: number;
}

/** Whether the relay has anything to do for this account. */
export function isDirty(account: Account): boolean {
  return account.outbox.length > 0 || account.announceSeq !== null;
}

/**
 * Carries an account's outbox out: entry upsert -> publish with message id -> note -> pull by {key, seq} (services/mining/ledger/README.md#outbox-and-relay). A crash or a lost answer at any point leaves work that the next relay repeats without effect.
 * Of an erased user nothing is published, and what was goes (`relayErased`).
 *
 * @param known the account as just written, which saves the first read. Whatever it holds too much or too little: the
 *   store is only emptied of what was carried out.
 * @returns the seq up to which everything is relayed; null when nothing may be published: there is no such account, or
 *   others wrote in each of the rounds, and the rest is the sweeper's.
 */
export async function relayAccount(
  { store, bus, note, rounds }: RelayParts,
  userId: string,
  known: Account | null = null,
): Promise<bigint | null> {
  let account = known ?? (await store.read(userId));
  if (isErased(account)) return relayErased({ store, bus }, account, known === null);
  for (let round = 0; account !== null && round < rounds; round += 1) {
    const announcedSeq = await carryOut(store, bus, account);
    if (publishes(account)) await note(userId);
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

/** Takes out what a relay has published, or may have, where the user was erased meanwhile. */
export async function takeBackOfErased(parts: Pick<RelayParts, 'store' | 'bus'>, userId: string): Promise<void> {
  const account = await parts.store.read(userId);
  if (isErased(account)) await relayErased(parts, account, false);
}

type Erased = Account & { readonly erasedAtMs: number };

function isErased(account: Account | null): account is Erased {
  return account !== null && account.erasedAtMs !== null;
}

const NOTHING: Relayed = { items: [], announcedSeq: null };

/**
 * The entries that an erasure closes are written, and the user's sessions and events go: a relay elsewhere, which had read the account
 * before, may have written and published some meanwhile. So the mark stays until the sweeper has done it once more, seconds later.
 */
async function relayErased(
  { store, bus }: Pick<RelayParts, 'store' | 'bus'>,
  account: Account,
  isSweep: boolean,
): Promise<bigint | null> {
  const { userId, seq, outbox } = account;
  await writeOut(store, account);
  const closed: Relayed = { items: outbox, announcedSeq: seq };
  await store.pullOutbox(userId, closed);
  await store.removeSessions(userId);
  await bus.withdraw(userId);
  return isSweep && (await store.clearOutbox(userId, seq, closed)) ? seq : null;
}

/**
 * One round of writing and publishing. What is a document by now leaves the outbox also when the bus takes nothing, as a full stream
 * does: else sixty-four credits later it would refuse the next one, for want of an announcement that the state in the slot makes.
 * @returns the state that was announced; null when none was
 */
async function carryOut(store: LedgerStore, bus: LedgerBus, account: Account): Promise<bigint | null> {
  await writeOut(store, account);
  try {
    return await publishOut(bus, account);
  } catch (error) {
    const items = account.outbox.filter(({ kind }) => kind !== 'node');
    if (items.length > 0) await store.pullOutbox(account.userId, { items, announcedSeq: null });
    throw error;
  }
}

/**
 * Entries, days that are over and ended sessions become documents of their own before they are announced; of an erased user no session,
 * and no text that an operator wrote.
 */
async function writeOut(store: LedgerStore, account: Account): Promise<void> {
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

/** Publishes node events in their order, then the state of the account. */
async function publishOut(bus: LedgerBus, account: Account): Promise<bigint | null> {
  for (const item of nodeItems(account.outbox)) await bus.publishNode(item);
  if (account.announceSeq === null) return null;
  await bus.publishBalance(account);
  return account.seq;
}

/** Whether a round gives anything to the bus. */
function publishes({ announceSeq, outbox }: Account): boolean {
  return announceSeq !== null || nodeItems(outbox).length > 0;
}

function nodeItems(outbox: readonly OutboxItem[]) {
  return outbox.flatMap((item) => (item.kind === 'node' ? [item] : []));
}
