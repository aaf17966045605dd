import { accountRpc } from '@cord/contracts/rpc/ledger';
import type { Nats } from '@cord/kit/nats';
import type { EventHandler } from '@cord/kit/nats/consume';
import { aloneWithLeases } from '@cord/kit/testing/alone';
import type { Modules } from './modules.js';
import type { ProcessId } from './scheduler.js';
import type { World } from './world.js';

/** What a service's process does for others: the events it reads, what it answers, what comes again and again. */
export interface Wired {
  readonly handlers: readonly EventHandler[];
  readonly answers: ReadonlyMap<string, (payload: unknown, context: object) => Promise<unknown>>;
  readonly sweeps: readonly (() => Promise<unknown>)[];
}

const QUIET = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined } as never;
const ALONE_TURN = { lease: async () => true } as never;
/** A code waits for nobody here: who is not known yet is tried again. */
const LINK_BOUNDS = { triesMax: 4, waitMs: 0, waitMsMax: 0, looksMax: 1, lookMs: 0, chainMax: 100 };

/** NATS as one process sees it. */
function natsOf(world: World, process: ProcessId) {
  const handlers: EventHandler[] = [];
  const answers = new Map<string, (payload: unknown, context: object) => Promise<unknown>>();
  const { scheduler, bus } = world;
  const nats = {
    log: QUIET,
    connected: () => true,
    consume(options: { handlers: readonly EventHandler[] }) {
      handlers.push(...options.handlers);
      return { stop: async () => undefined };
    },
    serve(rpc: { subject: string }, answer: (payload: unknown, context: object) => Promise<unknown>) {
      answers.set(rpc.subject, answer);
      return { stop: async () => undefined };
    },
    publish: (subject: string, payload: object) =>
      scheduler.operation(process, () => bus.publish(subject, payload), true),
    request: (rpc: { subject: string; request: never; reply: never }, payload: unknown) =>
      world.request(process, rpc, payload),
    jsm: {
      streams: {
        purge: (_stream: string, { filter }: { filter: string }) =>
          scheduler.operation(process, () => bus.purge(filter), true),
      },
    },
  };
  return { nats: nats as unknown as Nats, handlers, answers };
}

/** What every process of a service stands on. */
function kitOf(world: World, modules: Modules, process: ProcessId) {
  const { nats, handlers, answers } = natsOf(world, process);
  const clock = { now: () => world.nowOf(process), onAdvance: () => () => undefined } as never;
  const store = world.store.connectionOf(process);
  const keeping = { store, clock, leases: aloneWithLeases(), log: QUIET };
  const ledger = modules.ledgerClient.createLedgerClient(nats, process.service as never);
  return {
    ...{ nats, handlers, answers, clock, store, ledger },
    outboxOf: (collection: string, more = {}) =>
      modules.outbox.createOutbox({ ...keeping, collection, nats, ledger, ...more }),
  };
}

export function wireTasks(world: World, modules: Modules, process: ProcessId) {
  const { nats, handlers, answers, clock, store: connection, outboxOf } = kitOf(world, modules, process);
  const store = modules.tasksStore.openStore(connection);
  const outboxes = { records: outboxOf('records'), streaks: outboxOf('streaks') };
  const account = (userId: string) => nats.request(accountRpc, { userId }).catch(() => null);
  const claims = modules.taskClaims.createClaims({
    ...{ store, clock, outboxes },
    catalogue: {
      all: async () => world.catalogue,
      get: async (id: string) => world.catalogue.find((task) => task.id === id),
    } as never,
    accounts: { lastTold: account, now: account, minedInWeek: async () => null },
    excused: modules.excused.createExcused(connection, { spans: () => world.spans }),
    counts: { task: () => undefined, checkIn: () => undefined },
    arrival: { tries: 0, everyMs: 0 },
  });
  modules.taskEvents.listen(nats, store);
  const sweeps = Object.values(outboxes).map((each) => () => each.sweepOnce());
  return { handlers, answers, sweeps, claims };
}

export function wireRewards(world: World, modules: Modules, process: ProcessId) {
  const { nats, handlers, answers, clock, store: connection, outboxOf } = kitOf(world, modules, process);
  const store = modules.rewardsStore.openStore(connection);
  const outbox = outboxOf('holders');
  const claims = modules.rewardClaims.createOneTimeClaims({
    ...{ store, clock, outbox },
    terms: { on: true, untilMs: null },
  });
  const nothing = { erase: async () => undefined } as never;
  modules.rewardEvents.listen(nats, { store, orders: nothing, refunds: nothing });
  return { handlers, answers, sweeps: [() => outbox.sweepOnce()], claims };
}

export function wireReferrals(world: World, modules: Modules, process: ProcessId) {
  const { nats, handlers, answers, clock, store: connection, outboxOf } = kitOf(world, modules, process);
  const isOn = async () => true;
  const store = modules.referralStore.openStore(connection);
  const outbox = outboxOf('members', {
    onCredited: async (id: string, credit: { source: string }) => {
      if (credit.source === 'refwelcome') await books.bonusCredited(id, credit as never);
    },
  });
  const { quietMs } = modules.payer.PAYER_BOUNDS;
  const dues = modules.dues.createDues(store, clock, quietMs);
  const sums = modules.sums.createSums(store.sums, 2);
  const ledger = modules.referralLedger.createCommissionLedger(nats);
  const tellSoon = (referrerId: string) => payer.soon(referrerId);
  const books = modules.books.createBooks({
    store,
    sums,
    clock,
    dues,
    tellSoon,
    ledger,
    outbox,
  });
  const lately = modules.lately.createLately({ sums: store.sums, ledger, clock, log: QUIET, isOn });
  const lastOf = (userId: string) =>
    world.scheduler.operation(process, () => {
      const last = world.bus.lastOf(`cord.balance.v1.changed.${userId}`);
      return last && modules.referralEvents.announcedBy(last as never);
    });
  const follow = modules.follow.createFollow({
    store,
    books,
    lately,
    lastOf,
    finalAccountOf: ledger.finalAccountOf,
    clock,
    log: QUIET,
  });
  const telling = { clock, leases: aloneWithLeases(), log: QUIET, ledger, isOn };
  const payer = modules.payer.createPayer({ ...telling, store, books, follow, dues });
  const links = modules.links.createLinks({ store, books, nats, clock, outbox, bounds: LINK_BOUNDS });
  const arrivals = modules.arrivals.createArrivals({ store, links, clock, log: QUIET, outbox });
  modules.referralEvents.listen(nats, { store, books, follow, arrivals });
  const sweeps = [
    () => outbox.sweepOnce(),
    () => payer.payDue(),
    () => lately.tellDue(),
    () => arrivals.sweep(ALONE_TURN),
  ];
  return { handlers, answers, sweeps, arrivals, links };
}

export function wireLedger(world: World, modules: Modules, process: ProcessId) {
  const { nats, handlers, answers } = kitOf(world, modules, process);
  const { backend, scheduler } = world;
  const reads = <T>(run: () => T) => scheduler.operation(process, run);
  const writes = <T>(run: () => T) => scheduler.operation(process, run, true);
  const ledger = modules.ledger.createLedger({
    store: {
      read: (userId) => reads(() => backend.read(userId)),
      insert: (account) => writes(() => backend.insert(account)),
      compareAndSet: (...write) => writes(() => backend.compareAndSet(write[0], write[1], write[2], write[3], null)),
      findEntry: (userId, key) => reads(() => backend.findEntry(userId, key)),
      putEntries: (entries) => writes(() => backend.putEntries(entries)),
      putDays: (days) => writes(() => backend.putDays(days)),
      putSessions: (sessions) => writes(() => backend.putSessions(sessions)),
      clearOutbox: (...outbox) => writes(() => backend.clearOutbox(...outbox)),
      pullOutbox: (...outbox) => writes(() => backend.pullOutbox(...outbox)),
    },
    bus: {
      publishBalance: (account) =>
        writes(() => {
          const last = backend.lastBalance(account.userId);
          if (last.seq >= account.seq) return;
          backend.putBalance(account, last.place);
          const { subject, payload } = modules.ledgerBus.balanceEvent(account, ledger.moment());
          world.bus.publish(subject, payload);
        }),
      publishNode: (item) =>
        writes(() => {
          const { subject, payload } = modules.ledgerBus.nodeEvent(item);
          world.bus.publish(subject, payload);
        }),
    },
    nowMs: () => world.nowOf(process),
    epochs: () => world.epochs,
  });
  const reading = {
    entriesOf: async () => [],
    eraseSessions: async () => undefined,
    running: async () => ({ factors: [], running: 0, isWhole: true }),
  } as never;
  const counted = { counter: () => ({ inc: () => undefined }) } as never;
  modules.ledgerRpc.serveLedger(nats, {} as never, ledger, reading, counted);
  modules.ledgerEvents.listen(nats, ledger, { reads: reading, corrections: { erase: async () => undefined } });
  const sweeps = [
    async () => {
      for (const userId of await reads(() => backend.findDirty(world.nowOf(process) - 5_000, 8)))
        await ledger.relay(userId);
    },
    async () => {
      const userId = world.chance.pick(world.people).id;
      await ledger.change(userId, modules.node.expireStep);
      await ledger.change(userId, modules.series.closeCommissionStep);
    },
  ];
  return { handlers, answers, sweeps, ledger };
}
