import { isDeepStrictEqual } from 'node:util';
import { NOBODY } from '@cord/contracts/events/envelope';
import type { EpochRow } from '@cord/contracts/events/rewards';
import type { EpochsReply } from '@cord/contracts/rpc/ledger';
import { EPOCHS_AHEAD_MS, firstChangeMs } from '@cord/contracts/rules/epochs';
import type { RuleBook } from '@cord/contracts/rules/rule-book';
import type { AuditLog } from '@cord/kit/audit-log';
import { RULES_AGE_MS_MAX } from '@cord/kit/bounds';
import type { Clock } from '@cord/kit/clock';
import type { Log } from '@cord/kit/log';
import type { Nats } from '@cord/kit/nats';
import type { Outbox } from '@cord/kit/outbox';
import { unavailable } from '@cord/kit/problem';
import { alreadyChanged } from '@cord/kit/second-operator';
import { rejoinedEpochs, seedEpochs } from './domain/epochs.js';
import { rejoinedBooks } from './domain/rules.js';
import { afterRules, booksOf, type EpochTable, type RewardsStore, type RuleRows, rowsOf } from './store.js';

/** Id of the only document, which holds the table. */
export const TABLE = 'table';

export interface EpochAct {
  adminId: string;
  /** Action name in the audit log: `epoch.create`, `rules.proposed` ... */
  action: string;
  /** The epoch's id, or the proposal's id. */
  target: string;
  /** Selects the part of the table that the act changes, for the audit log. */
  of: (rows: RuleRows) => unknown;
  /** The admin's reason; optional for clients other than the operators' room. */
  reason?: string | undefined;
}

/** Manages the table of epochs and rule books. Admins change it; mining receives it at least EPOCHS_AHEAD_MS before a change takes effect; then it is published. */
export type EpochDesk = ReturnType<typeof createEpochDesk>;

/** Time reserved for handing a table to mining, ms. */
const DELIVERY_MS = 10_000;

/** The part of the table that mining pays by. */
export interface LedgerTable {
  epochs: readonly EpochRow[];
  books: readonly RuleBook[];
}

const ledgerTableOf = ({ epochs, books }: RuleRows): LedgerTable => ({ epochs, books: booksOf(books) });
/** Returns when two tables first pay different amounts, ms since epoch; null when they never do. */
const changeMs = (before: RuleRows, after: RuleRows) => firstChangeMs(ledgerTableOf(before), ledgerTableOf(after));

export function createEpochDesk(parts: {
  store: Pick<RewardsStore, 'epochs'>;
  outbox: () => Pick<Outbox, 'relayNow'>;
  audit: Pick<AuditLog, 'write'>;
  clock: Clock;
  nats: Pick<Nats, 'connected'>;
  /** Sends a version of the table to mining (`ledger.epochs`). @throws when no replica responds */
  hand: (version: bigint, table: LedgerTable) => Promise<EpochsReply>;
  log: Log;
}) {
  const { store, outbox, audit, clock, nats, hand, log } = parts;
  const rows = async (): Promise<RuleRows> => rowsOf((await store.epochs.get(TABLE)) ?? NOTHING);
  const isWaiting = (document: EpochTable) =>
    isOpen(document) && changeMs(publishedOf(document), rowsOf(document)) !== null;
  /** The last version that mining confirmed to this process. */
  let handed = 0n;
  const isIn = async (version: bigint) => {
    const document = await store.epochs.get(TABLE);
    return handed === version || (document?.seq === version && !isOpen(document));
  };
  /** Whether mining is reachable and has the version that was published last, and no later one. */
  const isMiningReached = (document: EpochTable): Promise<boolean> =>
    hand(document.seq, ledgerTableOf(rowsOf(document))).then(
      async (reply) => !(await raiseVersionAbove(reply)) && reply.outcome === 'stored',
      () => false,
    );
  /**
   * Raises the version above mining's. Mining is ahead when another client used this service's password, or when this store was restored from a backup.
   * @returns whether the version was raised
   */
  const raiseVersionAbove = async ({ version }: EpochsReply): Promise<boolean> => {
    const seq = BigInt(version);
    const isRaised = await store.epochs.change(TABLE, (document) => {
      if (document.seq >= seq) return { doc: null, result: false };
      const raised = { ...document, seq, before: knownOf(document) };
      return { doc: afterRules(raised, rowsOf(document), clock.now()), result: true };
    });
    if (isRaised)
      log.error({ version }, 'mining had a later table of rules than this service: was its password stolen?');
    return isRaised;
  };
  /**
   * Handles a table in mining that this service never wrote. Its paid past is kept; the own table applies again from the earliest possible time.
   * @param seq of the own table that mining refused
   */
  const rejoin = async (paid: NonNullable<EpochsReply['table']>, seq: bigint): Promise<void> => {
    await audit.write({ adminId: NOBODY, action: 'epoch.rejoined', target: TABLE, detail: { ...paid } });
    const rejoined = await store.epochs.change<RuleRows | null>(TABLE, (document) => {
      if (document.seq !== seq) return { doc: null, result: null };
      const [fromMs, own] = [clock.now() + DELIVERY_MS + EPOCHS_AHEAD_MS, rowsOf(document)];
      const epochs = rejoinedEpochs(paid.epochs, own.epochs, fromMs);
      const books = rejoinedBooks(paid.books, own.books, fromMs + RULES_AGE_MS_MAX);
      const rows = { ...own, epochs, books };
      return { doc: afterRules({ ...document, before: rows }, rows, clock.now()), result: rows };
    });
    if (rejoined) await hand(seq + 1n, ledgerTableOf(rejoined));
  };

  return {
    table: async () => (await rows()).epochs,
    rows,
    /** Writes the first table of a new system, and hands the present one to mining again. */
    async begin() {
      await store.epochs.update(TABLE, (document) => {
        const nowMs = clock.now();
        const isNew = document.epochs.length === 0;
        const first = isNew ? { ...rowsOf(document), epochs: seedEpochs(nowMs) } : rowsOf(document);
        return afterRules({ ...document, before: isNew ? first : knownOf(document) }, first, nowMs);
      });
      void outbox().relayNow(TABLE);
    },
    /**
     * Makes one change: refused, or logged, written, and stored by mining before this returns.
     * @param step pure; throws the Problem that refuses the change
     * @throws Problem 409 when another act changed the same entry meanwhile; 503 when NATS or mining is away, an earlier change is still
     *   waiting, or mining did not confirm this one. In the last case it takes effect if mining receives it in time, else it is reverted.
     */
    async change({ adminId, action, target, reason, of }: EpochAct, step: (rows: RuleRows) => RuleRows) {
      let present = await store.epochs.get(TABLE);
      if (present && isWaiting(present)) {
        // An earlier change waits for its retry, and mining may be reachable again.
        await outbox().relayNow(TABLE);
        present = await store.epochs.get(TABLE);
      }
      if (!nats.connected() || !present || isWaiting(present) || !(await isMiningReached(present))) {
        // The next publish repairs any difference between mining's table and this one.
        await outbox().relayNow(TABLE);
        throw notChangeable();
      }
      const [before, after] = [of(rowsOf(present)), of(step(rowsOf(present)))];
      const detail = { ...(reason === undefined ? {} : { reason }), before, after };
      await audit.write({ adminId, action, target, detail });
      const version = await store.epochs.change(TABLE, (document) => {
        if (isWaiting(document)) throw notChangeable();
        // A call that stalled after its audit entry must not undo a later change.
        if (!isDeepStrictEqual(of(rowsOf(document)), before)) throw alreadyChanged();
        const changed = { ...document, before: knownOf(document), by: adminId };
        return { doc: afterRules(changed, step(rowsOf(document)), clock.now()), result: document.seq + 1n };
      });
      await outbox().relayNow(TABLE);
      if (await isIn(version)) return;
      throw unavailable(
        'epoch-not-handed-over',
        'Mining has not received the change yet. It takes effect if it arrives in time. Otherwise it is undone.',
        5,
      );
    },
    /**
     * Runs before each publish of the table. Mining decides once and for good whether a change is in time; a late change is reverted and never published.
     * @throws Error when it is late, and the previous table is published next; or when no replica of mining responds, and it is retried
     */
    async beforePublish(document: EpochTable) {
      const { seq, by } = document;
      const reply = await hand(seq, ledgerTableOf(rowsOf(document)));
      if (await raiseVersionAbove(reply)) throw new Error('mining has a later table: this one gets a higher version');
      if (reply.outcome === 'stored') {
        handed = seq;
        return;
      }
      const published = publishedOf(document);
      if (changeMs(published, rowsOf(document)) === null) {
        log.error({ seq }, 'mining uses a different table of rules than this service');
        if (reply.table) await rejoin(reply.table, seq);
        throw new Error('mining uses a different table');
      }
      if (by) await audit.write({ adminId: by, action: 'epoch.taken-back', target: TABLE, detail: { ...published } });
      await store.epochs.update(TABLE, (now) =>
        isOpen(now) && now.seq === seq ? afterRules({ ...now, before: published }, published, clock.now()) : null,
      );
      log.warn({ seq, by }, 'a change of the rules came too late and was reverted');
      throw new Error('too late to take effect');
    },
  };
}

const NOTHING: EpochTable = { _id: TABLE, seq: 0n, epochs: [] };

const isOpen = ({ outbox = [] }: EpochTable) => outbox.length > 0;
/** The rows known outside of this service, also when no change is pending. */
const knownOf = (document: EpochTable) => (isOpen(document) ? publishedOf(document) : rowsOf(document));

/** The rows as published last. */
function publishedOf(document: EpochTable): RuleRows {
  return document.before ?? rowsOf(document);
}

function notChangeable() {
  return unavailable('epochs-not-changeable', 'Epochs cannot be changed right now. Please try again in a moment.', 5);
}
