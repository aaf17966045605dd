import type { Connection } from 'mongoose';
import { USUAL_BOUNDS } from '../../../services/mining/test/simulation/world-bounds.js';
import { kitOf } from './kit-of.js';
import type { ModelLedger } from './model-ledger.js';
import type { Modules } from './modules.js';
import type { ProcessId } from './process-id.js';
import type { World } from './world.js';

/** Deadline of a write of the epoch table, ms (services/mining/README.md). */
const WRITTEN_MS_MAX = 6_000;

type WriteOf = <R>(userId: string, run: (to: Parameters<Parameters<ModelLedger['write']>[3]>[0]) => R) => Promise<R>;

/** Mining's database connection, where late writes of the epoch table are dropped. */
function epochsIn(world: World, process: ProcessId): Connection {
  const inTime = () => {
    const fromMs = world.nowMs;
    return () => world.nowMs - fromMs < WRITTEN_MS_MAX;
  };
  return { collection: (name: string) => world.store.collectionOf(process, name, inTime) } as unknown as Connection;
}

/** Ignores the ledger's refusals: a debit above the balance stays due, as in production. */
function onlyRefusals(error: unknown): void {
  if (error instanceof Error && error.name === 'LedgerRefusal') return;
  throw error;
}

/** Returns the user of the items. */
function ofOne(items: readonly { readonly userId: string }[]): string {
  return items[0]?.userId ?? '';
}

export function wireLedger(world: World, modules: Modules, process: ProcessId) {
  const kit = kitOf(world, modules, process);
  const { nats, handlers, answers, clock, store } = kit;
  const { backend, scheduler } = world;
  const reads = <T>(run: () => T) => scheduler.operation(process, run);
  const publishes = <T>(run: () => T) => scheduler.operation(process, run, true);
  const writes: WriteOf = (userId, run) => backend.write(scheduler, process, userId, run);
  const stored = modules.reads.createReads(epochsIn(world, process));
  const epochs = modules.epochsInUse.createEpochsInUse();
  const steady = () => world.nowMs;
  const fresh = modules.epochsInUse.createFreshEpochs(epochs, stored.epochs, USUAL_BOUNDS.epochsAgeMs, steady);
  const ledger = modules.ledger.createLedger({
    store: {
      read: (userId) => reads(() => backend.readAs(userId)),
      insert: (account) => writes(account.userId, (to) => to.insert(account)),
      compareAndSet: (before, next, nowMs, announced) =>
        writes(before.userId, (to) => to.compareAndSet(before, next, nowMs, announced, null)),
      findEntry: (userId, key) => reads(() => backend.findEntryAs(userId, key)),
      putEntries: (entries) => writes(ofOne(entries), (to) => to.putEntries(entries)),
      putDays: (days) => writes(ofOne(days), (to) => to.putDays(days)),
      putSessions: (sessions) => writes(ofOne(sessions), (to) => to.putSessions(sessions)),
      removeSessions: (userId) => writes(userId, (to) => to.removeSessions(userId)),
      clearOutbox: (userId, ...outbox) => writes(userId, (to) => to.clearOutbox(userId, ...outbox)),
      pullOutbox: (userId, relayed) => writes(userId, (to) => to.pullOutbox(userId, relayed)),
    },
    bus: {
      publishBalance: (account) =>
        publishes(() => {
          const last = backend.lastBalance(account.userId);
          if (last.seq >= account.seq) return;
          backend.putBalance(account, last.place);
          const { subject, payload } = modules.ledgerBus.balanceEvent(account, ledger.moment());
          world.bus.publish(subject, payload);
        }),
      publishNode: (item) =>
        publishes(() => {
          const { subject, payload } = modules.ledgerBus.nodeEvent(item);
          world.bus.publish(subject, payload);
        }),
      withdraw: (userId) => modules.ledgerBus.createLedgerBus(nats, () => ledger.moment()).withdraw(userId),
    },
    // In production a separate write, which the ledger's simulation covers; here it belongs to the step before.
    note: async (userId) => backend.note(userId),
    nowMs: clock.now,
    confirmTime: async () => (await clock.confirm?.()) ?? true,
    epochs: epochs.table,
    freshEpochs: fresh.ensureFresh,
  });
  const reading = {
    entriesOf: async () => [],
    running: async () => ({ factors: [], running: 0, isWhole: true }),
  } as never;
  const counted = { counter: () => ({ inc: () => undefined }) } as never;
  modules.ledgerRpc.serveLedger(nats, {} as never, ledger, reading, counted);
  const corrections = modules.corrections.createCorrections({
    ...{ store, ledger, clock },
  });
  const { ACCOUNTS, CORRECTIONS } = modules.miningModels;
  modules.ledgerEvents.listen(nats, ledger, (userId) =>
    modules.erase.eraseUser({ store, nats }, [ACCOUNTS, CORRECTIONS], userId),
  );
  modules.epochServing.serveEpochs(nats, { reads: stored, epochs, fresh, now: clock.now });
  const sweeps = [
    async () => {
      for (const userId of await reads(() => backend.findDirty(clock.now() - 5_000, 8))) await ledger.relay(userId);
    },
    fresh.refresh,
    () => corrections.bookDue({ lease: async () => true }).catch(onlyRefusals),
    async () => {
      // Refused while the account is not open yet; in production a sweep finds open accounts only.
      const userId = world.chance.pick(world.people).id;
      await ledger.change(userId, modules.node.expireStep).catch(onlyRefusals);
      await ledger.change(userId, modules.series.closeCommissionStep).catch(onlyRefusals);
    },
  ];
  return { handlers, answers, clock, ready: fresh.refresh(), sweeps, ledger, corrections };
}
