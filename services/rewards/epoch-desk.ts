import type { EpochRow } from '@cord/contracts/events/rewards';
import { firstChangeMs } from '@cord/contracts/rules/epochs';
import type { AuditLog } from '@cord/kit/audit-log';
import type { Clock } from '@cord/kit/clock';
import type { Log } from '@cord/kit/log';
import type { Nats } from '@cord/kit/nats';
import type { Outbox } from '@cord/kit/outbox';
import { unavailable } from '@cord/kit/problem';
import { seedEpochs } from './domain/epochs.js';
import { afterEpochs, type EpochTable, type RewardsStore } from './store.js';

/** Name of the one document that holds the table. */
export const TABLE = 'table';

export interface EpochAct {
  adminId: string;
  /** `create`, `update`, `remove` */
  verb: string;
  /** The epoch's id. */
  target: string;
  /** The admin's reason; a caller other than the operators' room may leave it out. */
  reason?: string | undefined;
}

/** The epoch table: changed by admins, handed to mining at least EPOCHS_AHEAD_MS before a change takes effect, then published. */
export interface EpochDesk {
  table(): Promise<EpochRow[]>;
  /** Writes the first table, and hands the present one to mining again. */
  begin(): Promise<void>;
  /**
   * One change: refused, or logged and then written, and in force with mining before this returns.
   * @param step pure; throws the Problem that refuses the change
   * @throws Problem 503 while the bus or mining is away, an earlier change is not through yet, or mining did not answer to this one; the last takes effect
   *   when mining has it in time, else it is reverted
   */
  change(act: EpochAct, step: (epochs: readonly EpochRow[]) => EpochRow[]): Promise<void>;
  /**
   * Runs before each publish of the table: mining decides whether it is in time, once and for good. What is late is reverted and never published.
   * @throws Error when it is late, and the table as it was goes out next; or while no replica of mining answers, and it is tried again
   */
  beforePublish(table: EpochTable): Promise<void>;
}

export function createEpochDesk(parts: {
  store: Pick<RewardsStore, 'epochs'>;
  outbox: () => Pick<Outbox, 'relayNow'>;
  audit: Pick<AuditLog, 'write'>;
  clock: Clock;
  nats: Pick<Nats, 'connected'>;
  /** Hands a version of the table to mining (`ledger.epochs`). @throws while no replica answers */
  hand: (version: bigint, epochs: readonly EpochRow[]) => Promise<'stored' | 'late'>;
  log: Log;
  /** Tries to hand a change over before its admin is answered. */
  tries?: number;
}): EpochDesk {
  const { store, outbox, audit, clock, nats, hand, log, tries = 3 } = parts;
  const table = async () => (await store.epochs.get(TABLE))?.epochs ?? [];
  const isOpen = (document: EpochTable) => document.outbox !== undefined && document.outbox.length > 0;
  const isWaiting = (document: EpochTable) =>
    isOpen(document) && firstChangeMs(toldOf(document), document.epochs) !== null;
  /** The version that mining has stored, as this process was answered last. */
  let handed = 0n;
  const isIn = async (version: bigint) => {
    const document = await store.epochs.get(TABLE);
    return handed === version || (document?.seq === version && !isOpen(document));
  };
  /** Whether mining answers: it has the version that was published last. */
  const isMiningReached = ({ seq, epochs }: EpochTable) =>
    hand(seq, epochs).then(
      () => true,
      () => false,
    );

  return {
    table,
    async begin() {
      await store.epochs.change(TABLE, (document) => {
        const nowMs = clock.now();
        const isNew = document.epochs.length === 0;
        const epochs = isNew ? seedEpochs(nowMs) : document.epochs;
        const before = isOpen(document) && !isNew ? toldOf(document) : epochs;
        return { doc: afterEpochs({ ...document, before }, [...epochs], nowMs), result: undefined };
      });
      void outbox().relayNow(TABLE);
    },
    async change({ adminId, verb, target, reason }, step) {
      const present = await store.epochs.get(TABLE);
      if (!nats.connected() || !present || isWaiting(present) || !(await isMiningReached(present))) throw away();
      const rowOf = (epochs: readonly EpochRow[]) => epochs.find(({ id }) => id === target) ?? null;
      const [before, after] = [rowOf(present.epochs), rowOf(step(present.epochs))];
      const detail = { ...(reason === undefined ? {} : { reason }), before, after };
      await audit.write({ adminId, action: `epoch.${verb}`, target, detail });
      const version = await store.epochs.change(TABLE, (document) => {
        if (isWaiting(document)) throw away();
        const before = isOpen(document) ? toldOf(document) : document.epochs;
        const changed = { ...document, before, by: adminId };
        return { doc: afterEpochs(changed, step(document.epochs), clock.now()), result: document.seq + 1n };
      });
      for (let tried = 0; tried < tries; tried += 1) {
        await outbox().relayNow(TABLE);
        if (await isIn(version)) return;
      }
      throw unavailable(
        'epoch-not-told',
        'Mining has not received the change yet. It takes effect if it arrives in time. Otherwise it is undone.',
        5,
      );
    },
    async beforePublish(document) {
      const { seq, epochs, by } = document;
      if ((await hand(seq, epochs)) === 'stored') {
        handed = seq;
        return;
      }
      const told = toldOf(document);
      if (firstChangeMs(told, epochs) === null) {
        log.error({ seq }, 'mining pays by another table of epochs than this service has');
        throw new Error('mining pays by another table');
      }
      if (by) await audit.write({ adminId: by, action: 'epoch.taken-back', target: TABLE, detail: { epochs: told } });
      await store.epochs.change(TABLE, (now) => {
        if (!isOpen(now) || now.seq !== seq) return { doc: null, result: undefined };
        return { doc: afterEpochs({ ...now, before: told }, [...told], clock.now()), result: undefined };
      });
      log.warn({ seq, by }, 'a change of the epochs came too late and is taken back');
      throw new Error('too late to take effect');
    },
  };
}

/** The table as it was published last. */
function toldOf({ before, epochs }: EpochTable): readonly EpochRow[] {
  return before ?? epochs;
}

function away() {
  return unavailable('epochs-not-changeable', 'Epochs cannot be changed right now. Please try again in a moment.', 5);
}
