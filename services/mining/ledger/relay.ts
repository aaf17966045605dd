import type { Account, OutboxItem } from './account.js';
import type { Announcer } from './announcer.js';
import type { LedgerBus, LedgerStore } from './ports.js';

/** Rounds of one relay before it leaves the rest to the sweeper; each is lost only to a write in between. */
const ROUNDS_MAX = 8;

/** What the relay works with. */
export interface RelayParts {
  readonly store: LedgerStore;
  readonly bus: LedgerBus;
  readonly announcer: Announcer;
}

/** Whether the relay has anything to do for this account. */
export function isDirty(account: Account): boolean {
  return account.outbox.length > 0 || account.announceSeq !== null;
}

/**
 * Carries an account's outbox out: entry upsert -> publish with message id -> pull by {key, seq} (money.md, Outbox and
 * relay). A crash or a lost answer at any point leaves work that the next relay repeats without effect.
 *
 * @param known the account as just written, which saves the first read; an outbox known here may only hold too much.
 * @returns the seq up to which everything is relayed, or null when there was no such account.
 */
export async function relayAccount(
  { store, bus, announcer }: RelayParts,
  userId: string,
  known: Account | null = null,
): Promise<bigint | null> {
  let account = known ?? (await store.read(userId));
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    if (account === null) return null;
    await writeOut(store, account);
    const announcedSeq = await publishOut(bus, announcer, account);
    if (await store.clearOutbox(userId, account.seq)) return account.seq;
    await store.pullOutbox(userId, account.outbox, announcedSeq);
    account = await store.read(userId);
    if (account !== null && !isDirty(account) && (await store.clearOutbox(userId, account.seq))) return account.seq;
  }
  return account?.seq ?? null;
}

/** Entries and ended sessions become documents of their own before anyone hears of them. */
async function writeOut(store: LedgerStore, account: Account): Promise<void> {
  const entries = account.outbox.flatMap((item) => (item.kind === 'entry' ? [item.entry] : []));
  if (entries.length > 0) await store.putEntries(entries);
  if (account.erasedAtMs !== null) return;
  const ended = account.outbox.flatMap((item) =>
    item.kind === 'node' && item.verb !== 'started' ? [item.session] : [],
  );
  if (ended.length > 0) await store.putSessions(ended);
}

/** Publishes node events in their order, then the state of the account. Of an erased user nothing is published. */
async function publishOut(bus: LedgerBus, announcer: Announcer, account: Account): Promise<bigint | null> {
  if (account.erasedAtMs !== null) return account.seq;
  for (const item of nodeItems(account.outbox)) await bus.publishNode(item);
  if (account.announceSeq === null) return null;
  await announcer.announce(account);
  return account.seq;
}

function nodeItems(outbox: readonly OutboxItem[]) {
  return outbox.flatMap((item) => (item.kind === 'node' ? [item] : []));
}
