import { awaitAll } from '@cord/kit/batches';
import { currentCause } from '@cord/kit/cause';
import { createKeyedMutex } from '@cord/kit/keyed-mutex';
import { type Account, type Entry, newAccount } from './account.js';
import { AccountCache } from './account-cache.js';
import { isLongAgo, isLongSinceActivity, timeOfStep } from './account-time.js';
import { isAnnounced, nextAnnouncementTakesSlot, withCurrentCause } from './account-write.js';
import { LEDGER_BOUNDS, type LedgerBounds, OUTBOX_LEAST } from './bounds.js';
import { Contacts, type Step, settleContact } from './contacts.js';
import { assertSameCredit, creditStep, entryInOutbox } from './credit.js';
import type { Credit } from './credit-rules.js';
import type { EpochTable } from './epochs.js';
import type { LedgerBus, LedgerStore } from './ports.js';
import { ACCOUNT_NOT_OPEN_YET, busy, LedgerRefusal, refuse, tryStep } from './refusal.js';
import { isDirty, relayAccount, withdrawIfErased } from './relay.js';
import { type Moment, seal } from './settle.js';

interface LedgerDeps {
  readonly store: LedgerStore;
  readonly bus: LedgerBus;
  readonly nowMs: () => number;
  readonly epochs: () => EpochTable;
  /** Ensures that the table is fresh enough for a step; null when it already is. @throws LedgerRefusal `epochs-old` */
  readonly freshEpochs?: () => Promise<void> | null;
  /** Compares the clock with others; called before a step far ahead in the account's time. */
  readonly confirmTime?: () => Promise<boolean>;
  /** Requests the registration from auth, to open an account that no event or request has opened yet. */
  readonly requestRegistration?: (userId: string) => Promise<void>;
  readonly cache?: AccountCache;
  /**
   * Whether this replica owns the user: then its cached account is current, except for a `forget` still on its way.
   * Default: always.
   */
  readonly owns?: (userId: string) => boolean;
  /** Invalidates the account in the other replicas, after a write by a non-owner or an erasure; may neither wait nor throw. */
  readonly onOvertaken?: (after: Account) => void;
  /** Overrides of LEDGER_BOUNDS. */
  readonly bounds?: Partial<LedgerBounds>;
  /** Awaited before an outbox drops published items of its account (services/kit/republish/recent.ts). */
  readonly note?: (userId: string) => Promise<void>;
  /** While NATS is down, writes wait for the sweeper. */
  readonly busIsUp?: () => boolean;
  /** Called when a relay after a write failed; the sweeper retries it. */
  readonly onRelayFailure?: (userId: string, error: unknown) => void;
  /** Called after each written change; may neither wait nor throw. */
  readonly onWritten?: (change: Change) => void;
  /** Called for each lost compare-and-set. */
  readonly onConflict?: (userId: string) => void;
}

/** The account before and after a step. */
export interface Change {
  readonly before: Account;
  /** As stored; for an unwritten contact, settled to now with the stored seq. */
  readonly after: Account;
  /** The balance in the last response to the user, micro-CORD. */
  readonly answeredMicro: bigint;
  readonly moment: Moment;
}

/** Result of a credit: the new or existing entry, and the account after it. */
export interface Credited {
  readonly entry: Entry;
  readonly replayed: boolean;
  readonly account: Account;
}

export type Ledger = ReturnType<typeof createLedger>;

/**
 * The ledger over its store and bus (services/mining/ledger/README.md). Each call reads the account, or takes it from the cache,
 * applies a pure step, and writes the result by one compare-and-set on seq. After a lost one it reads again and retries.
 */
export function createLedger(deps: LedgerDeps) {
  const { store, bus } = deps;
  const bounds: LedgerBounds = { ...LEDGER_BOUNDS, ...deps.bounds };
  if (bounds.outbox < OUTBOX_LEAST) throw new RangeError(`an outbox of ${bounds.outbox} is below ${OUTBOX_LEAST}`);
  const cache = deps.cache ?? new AccountCache(bounds.cached);
  const mutex = createKeyedMutex();
  const contacts = new Contacts(bounds.cached, bounds.unwrittenMs);
  const owns = deps.owns ?? (() => true);
  const relayParts = { store, bus, note: deps.note ?? (async () => {}), rounds: bounds.relayRounds };
  const relaying = new Map<string, Promise<void>>();

  /**
   * Serializes the calls on one account, so that many tabs do not compete for the compare-and-set. Without an account, the
   * registration is requested between two turns: an erasure need not wait for the response. @throws LedgerRefusal `busy`
   */
  async function inTurn<R>(userId: string, work: () => Promise<R>): Promise<R> {
    const turn = async () => {
      if (mutex.waiting(userId) >= bounds.waiting)
        throw refuse('busy', 'Too many calls for this account at once. Try again.');
      return mutex.run(userId, work);
    };
    try {
      return await turn();
    } catch (error) {
      const isUnknown = error instanceof LedgerRefusal && error.type === 'unknown-user';
      if (!isUnknown || !deps.requestRegistration) throw error;
    }
    await deps.requestRegistration(userId);
    return turn();
  }
  /** @throws LedgerRefusal `clock-unsure` when the clock differs from others, or could not be compared */
  const assertClockSure = async (): Promise<void> => {
    if (deps.confirmTime && !(await deps.confirmTime()))
      throw refuse('clock-unsure', 'The time is not certain. Try again.');
  };
  /** Returns the moment of a step. @throws LedgerRefusal `epochs-old`, and `clock-unsure` for a far step without a compared clock */
  const momentOf = async (account: Account): Promise<Moment> => {
    await deps.freshEpochs?.();
    if (isLongSinceActivity(account, deps.nowMs())) await assertClockSure();
    // Read afterwards: the clock may have been corrected meanwhile.
    const at = moment();
    return { ...at, nowMs: timeOfStep(account, at.nowMs) };
  };
  const moment = (): Moment => ({
    nowMs: deps.nowMs(),
    epochs: deps.epochs(),
    outboxMax: bounds.outbox,
    dayLimits: bounds.dayLimits,
  });

  /** Opens the account of a new user, or returns the existing one. @param joinedAtMs when the user joined; default now */
  async function open(
    userId: string,
    discordCreatedAtMs: number,
    joinedAtMs?: number,
  ): Promise<{ account: Account; created: boolean }> {
    const known = await store.read(userId);
    if (known) return { account: known, created: false };
    if (isLongAgo(joinedAtMs ?? 0, deps.nowMs())) await assertClockSure();
    const opened = newAccount(userId, discordCreatedAtMs, deps.nowMs(), joinedAtMs);
    const cause = currentCause();
    const account = cause ? { ...opened, announceCause: cause } : opened;
    if (await store.insert(account)) {
      relaySoon(account);
      return { account, created: true };
    }
    return { account: await readOrRefuse(userId), created: false };
  }

  /**
   * Applies a pure step by one compare-and-set. A step without change, or a refusal, is final only on a fresh read: the
   * cache may be stale.
   * @param form `contact`: a contact with the node, kept for a later write when it changes only time (contacts.ts).
   * Only the replica that owns the user serves it from the cache.
   * @throws LedgerRefusal `unknown-user`, `busy`, and the refusals of the step
   */
  function change(userId: string, step: Step, { contact = false }: { contact?: boolean } = {}): Promise<Change> {
    return inTurn(userId, async () => {
      let known = contact && !owns(userId) ? null : cache.get(userId);
      for (let lost = 0; lost < bounds.tries; ) {
        const fresh = known === null;
        const before = known ?? (await readOrRefuse(userId));
        known = null;
        const at = await momentOf(before);
        const renewed = contacts.renew(before);
        const stepped = tryStep(() => step(renewed, at), fresh);
        const answeredMicro = contacts.answeredMicro(before);
        const isContact = contact && stepped !== null && stepped !== renewed;
        if (isContact && contacts.keep(before, stepped, at.nowMs)) {
          if (fresh) cache.put(before);
          return { before, after: { ...stepped, seq: before.seq }, moment: at, answeredMicro };
        }
        const whole = stepped && contacts.withDeferred(stepped, at);
        if (whole === renewed && fresh) return { before, after: before, moment: at, answeredMicro };
        const after = whole && whole !== renewed ? withCurrentCause(before, whole) : null;
        // Deferred steps are not part of what this step credits.
        const knownMicro = answeredMicro + (whole && stepped ? whole.balanceMicro - stepped.balanceMicro : 0n);
        const change = after && { before, after, moment: at, answeredMicro: knownMicro };
        if (change && (await write(change))) return change;
        // A stale cache costs a read, not a try.
        if (fresh) lost += 1;
      }
      throw busy();
    });
  }

  /**
   * Applies a step with the next write of a running node's account (`Contacts.defer`), if this replica owns the user
   * and has the account cached; else now. @returns the stored account, without the deferred step @throws as `change`
   */
  async function changeLater(userId: string, step: Step): Promise<Account> {
    const waits = await inTurn(userId, async () => {
      const known = owns(userId) ? cache.get(userId) : null;
      return known && contacts.defer(known, step, deps.nowMs()) ? known : null;
    });
    return waits ?? (await change(userId, step)).after;
  }

  /**
   * Credits once: searches the key in the account's outbox, then in the entries, then does the compare-and-set; in this
   * order (services/mining/ledger/README.md#credit).
   * @param precondition awaited between read and write of the account; an error from it prevents the credit (`isCredited`)
   * @throws LedgerRefusal `unknown-user`, `erased-user`, `key-conflict`, `outbox-full`, `busy`
   */
  function credit(request: Credit, precondition?: () => Promise<void>): Promise<Credited> {
    return inTurn(request.userId, async () => {
      let known = cache.get(request.userId);
      for (let lost = 0; lost < bounds.tries; ) {
        const fresh = known === null;
        const account = known ?? (await readOrRefuse(request.userId));
        known = null;
        const written = entryInOutbox(account, request.key) ?? (await store.findEntry(request.userId, request.key));
        if (written) {
          assertSameCredit(written, request);
          return { entry: written, replayed: true, account };
        }
        await precondition?.();
        const at = await momentOf(account);
        const credited = tryStep(() => creditStep(contacts.renew(account), request, at), fresh);
        const after = credited && withCurrentCause(account, contacts.withDeferred(credited, at));
        const entry = after && entryInOutbox(after, request.key);
        const answeredMicro = contacts.answeredMicro(account);
        if (after && entry && (await write({ before: account, after, moment: at, answeredMicro })))
          return { entry, replayed: false, account: after };
        if (fresh) lost += 1;
      }
      throw busy();
    });
  }

  /**
   * Returns whether a key is credited. It raises the account's seq first: a concurrent credit that has read the account
   * before loses its compare-and-set. So false is final once every `precondition` of the key throws.
   * @throws LedgerRefusal `unknown-user`, `busy`
   */
  async function isCredited(userId: string, key: string): Promise<boolean> {
    const { after } = await change(userId, (account, at) => seal(account, { ...account }, at.nowMs, 'sometimes'));
    return (entryInOutbox(after, key) ?? (await store.findEntry(userId, key))) !== null;
  }

  /** Returns the stored account; null when there is none and auth does not know the user or does not respond. */
  async function read(userId: string): Promise<Account | null> {
    const account = await store.read(userId);
    if (account || !deps.requestRegistration) return account;
    await deps.requestRegistration(userId);
    return store.read(userId);
  }

  async function readOrRefuse(userId: string): Promise<Account> {
    const account = await store.read(userId);
    if (!account) throw refuse('unknown-user', ACCOUNT_NOT_OPEN_YET);
    return account;
  }

  /** Returns true when written. On a conflict or an unknown outcome, the account is removed from the cache. */
  async function write(change: Change): Promise<boolean> {
    const { before, after, moment: at } = change;
    const announcedSeq = cache.announcedSeq(before.userId);
    let written = false;
    try {
      written = await store.compareAndSet(before, after, at.nowMs, announcedSeq);
    } finally {
      if (!written) cache.forget(before.userId);
    }
    if (!written) {
      deps.onConflict?.(before.userId);
      return false;
    }
    cache.put(after);
    contacts.written(before.userId);
    // After an erasure every replica drops the account: another one may have it cached, also as the former owner, and then withdraws its announcements.
    if (!owns(before.userId) || after.erasedAtMs !== null) deps.onOvertaken?.(after);
    deps.onWritten?.(change);
    if (isDirty(after)) relaySoon(after);
    return true;
  }

  /** Relays what was just written, without blocking the caller. One relay per account at a time. */
  function relaySoon(account: Account): void {
    if (deps.busIsUp?.() === false) return;
    const running = relaying.get(account.userId) ?? Promise.resolve();
    const next = running
      .then(() => relay(account.userId, cache.get(account.userId) ?? account))
      .catch((error) => {
        deps.onRelayFailure?.(account.userId, error);
      });
    relaying.set(account.userId, next);
    void next.then(() => {
      if (relaying.get(account.userId) === next) relaying.delete(account.userId);
    });
  }

  /**
   * Relays one account now. @throws errors of store or bus; nothing is lost by them.
   * @param known the account as just written: then only the announcement is published, and the slot is left to the node's next one
   */
  async function relay(userId: string, known: Account | null = null): Promise<void> {
    if (known && (!isDirty(known) || (isAnnounced(known, cache.announcedSeq(userId)) && known.outbox.length === 0)))
      return;
    try {
      if (known && nextAnnouncementTakesSlot(known, known.outbox)) {
        await bus.publishBalance(known);
        cache.announced(userId, known.seq);
        // Invalidated meanwhile: another replica has written, possibly an erasure.
        if (cache.get(userId) === null) await withdrawIfErased(relayParts, userId);
        return;
      }
      const seq = await relayAccount(relayParts, userId, known);
      if (seq !== null) cache.relayed(userId, seq);
    } catch (error) {
      // A failed publish may have succeeded all the same.
      await withdrawIfErased(relayParts, userId);
      throw error;
    }
  }

  /**
   * Writes the unwritten contacts, due ones or all. @throws the first failure, after all were tried;
   * failed ones stay due
   */
  async function writeContacts(which: 'due' | 'all'): Promise<void> {
    const due = contacts.due(which === 'all' ? Number.POSITIVE_INFINITY : deps.nowMs());
    await awaitAll(
      due.map(async (userId) => {
        const step = (account: Account, at: Moment) => settleContact(account, contacts.contactAtMs(account), at);
        const { before, after } = await change(userId, step);
        // A node that no longer runs has no lease to renew.
        if (after === before) contacts.written(userId);
      }),
    );
  }

  /** Waits for the current relay of this account; not for later ones, since it may be written again and again. */
  async function relayed(userId: string): Promise<void> {
    await relaying.get(userId);
  }

  /** Waits for the relays in progress, when a replica stops. */
  async function flush(): Promise<void> {
    await Promise.all(relaying.values());
  }

  return {
    ...{ open, change, changeLater, credit, isCredited, read, relay, relayed, flush, moment, writeContacts },
    forget: (userId: string) => cache.forget(userId),
    /** Called after messages may have been lost, or the ownership of users changed. */
    forgetAll: () => cache.clear(),
  };
}
