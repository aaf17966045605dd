import { accountRpc, epochsRpc } from '@cord/contracts/rpc/ledger';
import { singleReplicaLeases } from '@cord/kit/testing/single-replica-leases';
import type { LedgerTable } from '../../../services/rewards/epoch-desk.js';
import type { EpochTable } from '../../../services/rewards/store.js';
import { kitOf, QUIET, switchesOf } from './kit-of.js';
import type { Modules } from './modules.js';
import type { ProcessId } from './process-id.js';
import type { World } from './world.js';

const ALONE_TURN = { lease: async () => true } as never;
const LINK_BOUNDS = { triesMax: 4, waitMs: 0, waitMsMax: 0, chainMax: 100 };
/** Auth does not know the user; the call is retried. */
const requestRegistration = async () => undefined;

export function wireTasks(world: World, modules: Modules, process: ProcessId) {
  const kit = kitOf(world, modules, process);
  const { nats, handlers, answers, clock, store: connection, outboxOf } = kit;
  const { switches, ready } = switchesOf(world, process, nats, connection);
  const store = modules.tasksStore.openStore(connection);
  const outboxes = { records: outboxOf('records'), streaks: outboxOf('streaks') };
  const account = (userId: string) => nats.request(accountRpc, { userId }).catch(() => null);
  // Reads the ledger's stored rules directly: a request would add an operation to every run.
  const ledgerRules = { request: async () => ({ version: '1', books: [...world.epochs().books] }) };
  const rules = modules.rules.followRules({ nats: ledgerRules as never, clock, log: QUIET });
  const claims = modules.taskClaims.createClaims({
    ...{ store, clock, outboxes, rules },
    catalogue: {
      all: async () => world.catalogue,
      get: async (id: string) => world.catalogue.find((task) => task.id === id),
    } as never,
    accounts: { lastPublished: account, now: account, minedInWeek: async () => null },
    excused: modules.excused.createExcused(connection, {
      switches,
      outages: { spans: async () => world.outages },
      clock,
    }),
    counts: { task: () => undefined, checkIn: () => undefined },
    requestRegistration,
  });
  const { RECORDS, STREAKS } = modules.tasksStore;
  const erase = (userId: string) => modules.erase.eraseUser({ store: connection, nats }, [RECORDS, STREAKS], userId);
  modules.taskEvents.listen(nats, store, erase);
  const sweeps = [...Object.values(outboxes).map((each) => () => each.sweepOnce()), switches.refresh];
  return { handlers, answers, clock, ready, switches, sweeps, claims };
}

export function wireRewards(world: World, modules: Modules, process: ProcessId) {
  const kit = kitOf(world, modules, process);
  const { nats, handlers, answers, clock, store: connection, outboxOf } = kit;
  const { switches, ready } = switchesOf(world, process, nats, connection);
  const store = modules.rewardsStore.openStore(connection);
  const outbox = outboxOf('holders');
  const claims = modules.rewardClaims.createOneTimeClaims({
    ...{ store, clock, outbox, requestRegistration },
    terms: { on: true, untilMs: null },
  });
  const audit = modules.auditLog.openAuditLog(connection, clock);
  const outboxes = outboxOf('epochs', { beforePublish: (table: EpochTable) => desk.beforePublish(table) });
  const desk = modules.epochDesk.createEpochDesk({
    ...{ store, outbox: () => outboxes, audit, clock, nats, log: QUIET },
    hand(version: bigint, { epochs, books }: LedgerTable) {
      const request = { version: String(version), epochs: [...epochs], books: [...books] };
      return nats.request(epochsRpc, request);
    },
  });
  let hasBegun = false;
  // In production a failed start is repeated.
  const begun = async () => {
    if (!hasBegun) await desk.begin();
    hasBegun = true;
  };
  const { HOLDERS } = modules.rewardsStore;
  const erase = (userId: string) => modules.erase.eraseUser({ store: connection, nats }, [HOLDERS], userId);
  modules.rewardEvents.listen(nats, store, erase, desk);
  const sweeps = [() => outbox.sweepOnce(), () => outboxes.sweepOnce(), begun, switches.refresh];
  return { handlers, answers, clock, ready, switches, sweeps, claims, desk };
}

export function wireReferrals(world: World, modules: Modules, process: ProcessId) {
  const kit = kitOf(world, modules, process);
  const { nats, handlers, answers, clock, store: connection, outboxOf } = kit;
  const { switches, ready } = switchesOf(world, process, nats, connection);
  const isOn = () => switches.isOn('commission');
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
  const sendSoon = (referrerId: string) => payer.soon(referrerId);
  const books = modules.books.createBooks({
    store,
    sums,
    clock,
    dues,
    sendSoon,
    ledger,
    outbox,
  });
  const unbooked = modules.unbooked.createUnbooked({ sums: store.sums, ledger, clock, log: QUIET, isOn });
  const lastOf = (userId: string) =>
    world.scheduler.operation(process, () => {
      const last = world.bus.lastOf(`cord.balance.v1.changed.${userId}`);
      return last && modules.referralEvents.announcedBy(last as never);
    });
  const follow = modules.follow.createFollow({
    store,
    books,
    unbooked,
    lastOf,
    finalAccountOf: ledger.finalAccountOf,
    clock,
    log: QUIET,
  });
  const telling = { clock, leases: singleReplicaLeases(), log: QUIET, ledger, isOn };
  const payer = modules.payer.createPayer({ ...telling, store, books, follow, dues });
  const links = modules.links.createLinks({
    store,
    books,
    nats,
    clock,
    outbox,
    requestRegistration,
    bounds: LINK_BOUNDS,
  });
  const arrivals = modules.arrivals.createArrivals({ store, links, clock, log: QUIET, outbox });
  const { MEMBERS } = modules.referralStore;
  const erase = (userId: string) => modules.erase.eraseUser({ store: connection, nats }, [MEMBERS], userId);
  modules.referralEvents.listen(nats, { store, books, follow, arrivals, erase, requestRegistration });
  const sweeps = [
    () => outbox.sweepOnce(),
    () => payer.payDue(),
    () => unbooked.sendDue(),
    () => arrivals.sweep(ALONE_TURN),
    switches.refresh,
  ];
  return { handlers, answers, clock, ready, switches, sweeps, arrivals, links, books };
}
