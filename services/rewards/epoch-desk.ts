import { isDeepStrictEqual } from 'node:util';
import type { EpochRow } from '@cord/contracts/events/rewards';
import { firstChangeMs } from '@cord/contracts/rules/epochs';
import type { RuleBook } from '@cord/contracts/rules/rule-book';
import type { AuditLog } from '@cord/kit/audit-log';
import type { Clock } from '@cord/kit/clock';
import type { Log } from '@cord/kit/log';
import type { Nats } from '@cord/kit/nats';
import type { Outbox } from '@cord/kit/outbox';
import { unavailable } from '@cord/kit/problem';
import { noLongerSo } from '@cord/kit/second-operator';
import { seedEpochs } from './domain/epochs.js';
import { afterRules, booksOf, type EpochTable, type RewardsStore, type RuleRows, rowsOf } from './store.js';

/** Name of the one document that holds the table. */
export const TABLE = 'table';

export interface EpochAct {
  adminId: string;
  /** Of the audit log: `epoch.create`, `rules.change` ... */
  action: string;
  /** The epoch's id, or the book's version. */
  target: string;
  /** What of the table the act changes, for the audit log. */
  of: (rows: RuleRows) => unknown;
  /** The admin's reason; a caller other than the operators' room may leave it out. */
  reason?: string | undefined;
}

/** The table of rules, epochs and books: changed by admins, handed to mining at least EPOCHS_AHEAD_MS before a change takes effect, then published. */
export type EpochDesk = ReturnType<typeof createEpochDesk>;

/** The table as mining pays by it. */
export interface HandedTable {
  epochs: readonly EpochRow[];
  books: readonly RuleBook[];
}

const handedOf = ({ epochs, books }: RuleRows): HandedTable => ({ epochs, books: booksOf(books) });
/** When two tables first pay otherwise, ms since epoch; null when they never do. */
const changeMs = (before: RuleRows, after: RuleRows) => firstChangeMs(handedOf(before), handedOf(after));

export function createEpochDesk(parts: {
  store: Pick<RewardsStore, 'epochs'>;
  outbox: () => Pick<Outbox, 'relayNow'>;
  audit: Pick<AuditLog, 'write'>;
  clock: Clock;
  nats: Pick<Nats, 'connected'>;
  /** Hands a version of the table to mining (`ledger.epochs`). @throws while no replica answers */
  hand: (version: bigint, table: HandedTable) => Promise<'stored' | 'late'>;
  log: Log;
}) {
  const { store, outbox, audit, clock, nats, hand, log } = parts;
  const rows = async (): Promise<RuleRows> => rowsOf((await store.epochs.get(TABLE)) ?? NOTHING);
  const isOpen = (document: EpochTable) => document.outbox !== undefined && document.outbox.length > 0;
  const isWaiting = (document: EpochTable) =>
    isOpen(document) && changeMs(publishedOf(document), rowsOf(document)) !== null;
  /** The version that mining has stored, as this process was answered last. */
  let handed = 0n;
  const isIn = async (version: bigint) => {
    const document = await store.epochs.get(TABLE);
    return handed === version || (document?.seq === version && !isOpen(document));
  };
  /** Whether mining answers: it has the version that was published last. */
  const isMiningReached = (document: EpochTable): Promise<boolean> =>
    hand(document.seq, handedOf(rowsOf(document))).then(
      () => true,
      () => false,
    );

  return {
    table: async () => (await rows()).epochs,
    rows,
    /** Writes the first table, and hands the present one to mining again. */
    async begin() {
      await store.epochs.update(TABLE, (document) => {
        const nowMs = clock.now();
        const isNew = document.epochs.length === 0;
        const first = isNew ? { ...rowsOf(document), epochs: seedEpochs(nowMs) } : rowsOf(document);
        const before = isOpen(document) && !isNew ? publishedOf(document) : first;
        return afterRules({ ...document, before }, first, nowMs);
      });
      void outbox().relayNow(TABLE);
    },
    /**
     * One change: refused, or logged and then written, and in force with mining before this returns.
     * @param step pure; throws the Problem that refuses the change
     * @throws Problem 409 where another has changed the same meanwhile, 503 while the bus or mining is away, an earlier change is not through yet, or mining did not answer to this one; the last takes effect
     *   when mining has it in time, else it is reverted
     */
    async change({ adminId, action, target, reason, of }: EpochAct, step: (rows: RuleRows) => RuleRows) {
      let present = await store.epochs.get(TABLE);
      if (present && isWaiting(present)) {
        // An earlier change waits for its next try, and its way may be open again.
        await outbox().relayNow(TABLE);
        present = await store.epochs.get(TABLE);
      }
      if (!nats.connected() || !present || isWaiting(present) || !(await isMiningReached(present))) throw away();
      const [before, after] = [of(rowsOf(present)), of(step(rowsOf(present)))];
      const detail = { ...(reason === undefined ? {} : { reason }), before, after };
      await audit.write({ adminId, action, target, detail });
      const version = await store.epochs.change(TABLE, (document) => {
        if (isWaiting(document)) throw away();
        // One that stalls behind its line in the log takes no later change back.
        if (!isDeepStrictEqual(of(rowsOf(document)), before)) throw noLongerSo();
        const known = isOpen(document) ? publishedOf(document) : rowsOf(document);
        const changed = { ...document, before: known, by: adminId };
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
     * Runs before each publish of the table: mining decides whether it is in time, once and for good. What is late is reverted and never published.
     * @throws Error when it is late, and the table as it was goes out next; or while no replica of mining answers, and it is tried again
     */
    async beforePublish(document: EpochTable) {
      const { seq, by } = document;
      if ((await hand(seq, handedOf(rowsOf(document)))) === 'stored') {
        handed = seq;
        return;
      }
      const published = publishedOf(document);
      if (changeMs(published, rowsOf(document)) === null) {
        log.error({ seq }, 'mining pays by another table of rules than this service has');
        throw new Error('mining pays by another table');
      }
      if (by) await audit.write({ adminId: by, action: 'epoch.taken-back', target: TABLE, detail: { ...published } });
      await store.epochs.update(TABLE, (now) =>
        isOpen(now) && now.seq === seq ? afterRules({ ...now, before: published }, published, clock.now()) : null,
      );
      log.warn({ seq, by }, 'a change of the rules came too late and is reverted');
      throw new Error('too late to take effect');
    },
  };
}

const NOTHING: EpochTable = { _id: TABLE, seq: 0n, epochs: [] };

/** The table as it was published last. */
function publishedOf(document: EpochTable): RuleRows {
  return document.before ?? rowsOf(document);
}

function away() {
  return unavailable('epochs-not-changeable', 'Epochs cannot be changed right now. Please try again in a moment.', 5);
}
