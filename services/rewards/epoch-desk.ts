import type { EpochRow } from '@cord/contracts/events/rewards';
import type { AuditLog } from '@cord/kit/audit-log';
import { PUBLISH_TIMEOUT_MS } from '@cord/kit/bounds';
import type { Cause } from '@cord/kit/cause';
import type { Clock } from '@cord/kit/clock';
import type { Log } from '@cord/kit/log';
import type { Nats } from '@cord/kit/nats';
import type { Outbox } from '@cord/kit/outbox';
import { unavailable } from '@cord/kit/problem';
import { EFFECT_AHEAD_MS, firstChangeMs, seedEpochs } from './domain/epochs.js';
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
  /** The call that does it. */
  cause?: Cause;
}

/** The epoch table: changed by admins, published to every replica of mining at least 5 s before a change takes effect (services/mining/ledger/README.md#accrual). */
export interface EpochDesk {
  table(): Promise<EpochRow[]>;
  /** Writes the first table, and publishes the present one again: the event may be older than its stream keeps. */
  begin(): Promise<void>;
  /**
   * One change: refused, or logged and then written, and published before this returns.
   * @param step pure; throws the Problem that refuses the change
   * @throws Problem 503 while the bus or mining is away, an earlier change is not published yet, or this one could not be published; the last takes effect
   *   when it can still be published in time, else it is reverted
   */
  change(act: EpochAct, step: (epochs: readonly EpochRow[]) => EpochRow[]): Promise<void>;
  /**
   * Runs before each publish of the table. What cannot be published in time any more is reverted and never published late: replicas that settled
   * meanwhile would keep the old rate, and others take the new one.
   * @throws Error when it is too late, and the table as it was goes out next; or while no replica of mining is reached, and it is tried again
   */
  beforePublish(table: EpochTable): Promise<void>;
}

export function createEpochDesk(parts: {
  store: Pick<RewardsStore, 'epochs'>;
  outbox: () => Pick<Outbox, 'relayNow'>;
  audit: Pick<AuditLog, 'write'>;
  clock: Clock;
  nats: Pick<Nats, 'connected'>;
  /** Whether a replica of mining answers over NATS now: while none does, a change would reach nobody, and all would pay the old rate past it. */
  isMiningReached: () => Promise<boolean>;
  log: Log;
  /** Tries to publish a change before its admin is answered. */
  tries?: number;
}): EpochDesk {
  const { store, outbox, audit, clock, nats, isMiningReached, log, tries = 3 } = parts;
  const table = async () => (await store.epochs.get(TABLE))?.epochs ?? [];
  const isOpen = (document: EpochTable) => document.outbox !== undefined && document.outbox.length > 0;
  const isWaiting = (document: EpochTable) =>
    isOpen(document) && firstChangeMs(toldOf(document), document.epochs) !== null;
  /** Whether a publish that begins now is out in time, however long it takes. */
  const isLate = (document: EpochTable): boolean => {
    const firstMs = firstChangeMs(toldOf(document), document.epochs);
    return firstMs !== null && firstMs < clock.now() + PUBLISH_TIMEOUT_MS + EFFECT_AHEAD_MS;
  };
  const isTold = async () => {
    const document = await store.epochs.get(TABLE);
    return !document || !isOpen(document);
  };

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
    async change({ adminId, verb, target, reason, cause }, step) {
      const present = await store.epochs.get(TABLE);
      if (!nats.connected() || (present && isWaiting(present)) || !(await isMiningReached())) throw away();
      const rowOf = (epochs: readonly EpochRow[]) => epochs.find(({ id }) => id === target) ?? null;
      const [before, after] = [rowOf(present?.epochs ?? []), rowOf(step(present?.epochs ?? []))];
      const detail = { ...(reason === undefined ? {} : { reason }), before, after };
      await audit.write({ adminId, action: `epoch.${verb}`, target, detail }, cause);
      await store.epochs.change(TABLE, (document) => {
        if (isWaiting(document)) throw away();
        const before = isOpen(document) ? toldOf(document) : document.epochs;
        const changed = { ...document, before, by: adminId };
        return { doc: afterEpochs(changed, step(document.epochs), clock.now()), result: undefined };
      });
      for (let tried = 0; tried < tries; tried += 1) {
        await outbox().relayNow(TABLE);
        if (await isTold()) return;
      }
      throw unavailable(
        'epoch-not-told',
        'Mining has not received the change yet. It takes effect if it arrives in time. Otherwise it is undone.',
        5,
      );
    },
    async beforePublish(document) {
      const reached = !isWaiting(document) || (await isMiningReached());
      if (!isLate(document)) {
        if (!reached) throw new Error('no replica of mining answers: a change of the epochs waits');
        return;
      }
      const { by } = document;
      const detail = { epochs: toldOf(document) };
      if (by) await audit.write({ adminId: by, action: 'epoch.taken-back', target: TABLE, detail });
      await store.epochs.change(TABLE, (now) => {
        if (!isOpen(now) || !isLate(now)) return { doc: null, result: undefined };
        const told = toldOf(now);
        return { doc: afterEpochs({ ...now, before: told }, [...told], clock.now()), result: undefined };
      });
      log.warn({ seq: document.seq, by }, 'a change of the epochs could not be told in time and is taken back');
      throw new Error('too late to be told');
    },
  };
}

/** The table as mining knows it. */
function toldOf({ before, epochs }: EpochTable): readonly EpochRow[] {
  return before ?? epochs;
}

function away() {
  return unavailable('epochs-not-changeable', 'Epochs cannot be changed right now. Please try again in a moment.', 5);
}
