import type { Source } from '@cord/contracts/events/balance';
import { nodePaused, nodeStarted, nodeStopped } from '@cord/contracts/events/node';
import { streamOf } from '@cord/contracts/events/streams';
import { createAddressHash } from '@cord/kit/address';
import { openAuditLog, serveAuditLog } from '@cord/kit/audit-log';
import { createDaySums } from '@cord/kit/day-sums';
import { measureOutbox } from '@cord/kit/outbox/figures';
import { createSweeper } from '@cord/kit/outbox/sweeper';
import { runWhileServing } from '@cord/kit/periodic';
import { purgeUserEvents } from '@cord/kit/purge';
import { requestRegistration } from '@cord/kit/registration';
import { followReplicas } from '@cord/kit/replicas';
import { recentOf } from '@cord/kit/republish/recent';
import type { ServiceDefinition } from '@cord/kit/service';
import { config } from './config.js';
import { createCorrections } from './corrections.js';
import { data } from './data.js';
import { serveEpochs } from './epochs.js';
import { listen, openRegistered } from './events.js';
import { serveExport } from './export.js';
import { mountCorrections } from './http/corrections.js';
import { createDriftMeter } from './http/drift.js';
import { mountEarnings } from './http/earnings.js';
import { mountHistory } from './http/history.js';
import { mountHours } from './http/hours.js';
import { mountIssued } from './http/issued.js';
import { mountLedger } from './http/ledger.js';
import { formerLogs, mountLog, VERIFIER_HASH } from './http/log.js';
import { mountMining } from './http/mining.js';
import { mountOutages } from './http/outages.js';
import { issuedBy } from './issued/count.js';
import { LEDGER_BOUNDS, type LedgerBounds } from './ledger/bounds.js';
import { createLedgerBus } from './ledger/bus.js';
import { createEpochsInUse, createFreshEpochs } from './ledger/epochs-in-use.js';
import { createLedger } from './ledger/ledger.js';
import { createLiveSender } from './live.js';
import { createNode } from './node/node.js';
import { lastOfWitnesses, measureMemos, measureRoots } from './roots/figures.js';
import { makeRoot } from './roots/job.js';
import { logKey } from './roots/key.js';
import { writeMemo } from './roots/memo.js';
import { rulesHash, rulesOfDay } from './roots/rules.js';
import { memoNetwork } from './roots/solana.js';
import { logOpener } from './roots/store.js';
import { callWitnesses, witnessesOf } from './roots/witness.js';
import { serveLedger } from './rpc.js';
import { measureAudit } from './store/audit-figures.js';
import { measureBackup } from './store/backup-age.js';
import { ACCOUNTS, ISSUED } from './store/collections.js';
import { createLedgerStore } from './store/ledger-store.js';
import { createPausedReads } from './store/paused.js';
import { createReads } from './store/reads.js';
import { startSweeps } from './sweeps.js';

/** How often each replica reads the stored epochs, ms. Below their maximum age. */
const EPOCHS_READ_MS = 2_000;

/** How often a replica checks whether the root of a day is due, ms, and its lease. */
const ROOTS_EVERY_MS = 120_000;
const ROOTS_LEASE_MS = 600_000;
/** How often a replica writes or confirms the memo of the newest checkpoint, ms, and its lease. */
const MEMOS_EVERY_MS = 60_000;
const MEMOS_LEASE_MS = 180_000;
/** How often a replica calls the witnesses that have not signed the newest checkpoint, ms, and its lease. */
const WITNESSES_EVERY_MS = 300_000;
const WITNESSES_LEASE_MS = 900_000;

/** How often each replica writes the contacts that are due, ms. */
const CONTACTS_WRITTEN_MS = 500;

/** Mining: the ledger, the node and its sessions (services/README.md#who-owns-what). */
export const mining: ServiceDefinition<typeof config> = miningService({});

/** Mining with other bounds of its ledger. Dependencies are wired by hand, top to bottom. */
export function miningService(bounds: Partial<LedgerBounds>): ServiceDefinition<typeof config> {
  return {
    name: 'mining',
    config,
    data,
    needed: ['ADDRESS_HASH_KEY', 'LEDGER_LOG_KEY'],
    async build(kit) {
      const { log, clock, metrics, nats, shutdown, http, leases, live } = kit;
      const { ADDRESS_HASH_KEY: addressKey, LEDGER_LOG_KEY: logSecrets, PUBLIC_ORIGIN: publicOrigin } = kit.config;
      const { LEDGER_MEMO_KEY: memoKey, SOLANA_RPC_URL: rpcUrl, LEDGER_WITNESSES: policy = '' } = kit.config;
      const reads = createReads(kit.store);
      const epochs = createEpochsInUse();
      const { epochsAgeMs } = { ...LEDGER_BOUNDS, ...bounds };
      const freshEpochs = createFreshEpochs(epochs, () => reads.epochs(), epochsAgeMs);
      const conflicts = metrics.counter('cord_ledger_conflicts_total');
      const liveSender = createLiveSender(live);
      const replicas = followReplicas(nats);
      const collection = ISSUED.in(kit.store) as never;
      const issued = createDaySums<Source>(kit, { name: 'issued', collection, field: 'bySource' });
      const ledger = createLedger({
        store: createLedgerStore(kit.store),
        bus: createLedgerBus(nats, () => ({ nowMs: clock.now(), epochs: epochs.table() })),
        note: (userId) => recentOf(kit.store).note('accounts', userId),
        nowMs: () => clock.now(),
        epochs: () => epochs.table(),
        freshEpochs: freshEpochs.ensureFresh,
        requestRegistration: requestRegistration(nats, (registered) => openRegistered(ledger, registered)),
        confirmTime: async () => (await clock.confirm?.()) ?? true,
        bounds,
        busIsUp: () => nats.connected(),
        owns: (userId) => replicas.owns(userId),
        onOvertaken: ({ userId }) => replicas.overtake(userId),
        onWritten(change) {
          liveSender.changed(change);
          for (const [dayKey, sums] of issuedBy(change.before, change.after)) {
            for (const [source, micro] of Object.entries(sums)) issued.add(dayKey, source as Source, micro);
          }
        },
        onConflict: () => conflicts.inc(),
        onRelayFailure: (userId, err) => log.debug({ err, userId }, 'publishing failed; the sweeper retries'),
      });
      replicas.onOvertaken((userId) => (userId === undefined ? ledger.forgetAll() : ledger.forget(userId)));
      const node = createNode(ledger, reads);

      mountMining(http, node, createDriftMeter(metrics), addressKey ? createAddressHash(addressKey) : () => null);
      const audit = openAuditLog(kit.store, clock);
      mountLedger(http, { ledger, reads, audit, looked: bounds.looked });
      mountHistory(http, node, audit);
      const corrections = createCorrections({ store: kit.store, ledger, clock });
      mountCorrections(http, corrections, audit);
      const correcting = corrections.sweep({ leases, clock, log, metrics });
      mountEarnings(http, node, reads);
      mountHours(http, { node, reads, nats });
      mountOutages(http, { paused: createPausedReads(kit.store), nats, now: () => clock.now() });
      const openLog = logOpener(kit.store);
      const solana = logSecrets && memoKey && rpcUrl ? memoNetwork(rpcUrl, memoKey) : null;
      const memoSigner = solana?.signer ?? null;
      const witnesses = logSecrets ? witnessesOf(policy) : [];
      const rulesOf = (day: string) => rulesOfDay(epochs.table(), day);
      const mismatches = metrics.counter('cord_ledger_mismatches_total');
      const onMismatch = (userId: string, day: string) => {
        mismatches.inc();
        log.error({ userId, day }, 'the ledger of an account does not match the root of a day');
      };
      mountLog(http, {
        ...{ openLog, formerLogs: () => formerLogs(kit.store), ledger, reads, memoSigner, rulesOf, onMismatch },
        now: () => clock.now(),
      });
      if (logSecrets) {
        const parts = {
          keys: logSecrets.map(logKey),
          origin: `${new URL(publicOrigin).host}/ledger`,
          rules: (day: string) => rulesHash(rulesOf(day)),
          verifier: VERIFIER_HASH,
        };
        runWhileServing(kit, [
          {
            name: 'roots',
            everyMs: ROOTS_EVERY_MS,
            leaseMs: ROOTS_LEASE_MS,
            run: async (turn) => makeRoot({ ...parts, store: await openLog() }, clock.now(), () => turn.lease()),
          },
        ]);
      }
      if (solana) {
        log.info({ signer: memoSigner }, 'checkpoints of the log are written to Solana');
        runWhileServing(kit, [
          {
            name: 'memos',
            everyMs: MEMOS_EVERY_MS,
            leaseMs: MEMOS_LEASE_MS,
            run: async (turn) =>
              writeMemo({ store: await openLog(), network: solana }, clock.now(), () => turn.lease()),
          },
        ]);
      }

      if (witnesses.length > 0) {
        runWhileServing(kit, [
          {
            name: 'witnesses',
            everyMs: WITNESSES_EVERY_MS,
            leaseMs: WITNESSES_LEASE_MS,
            run: async (turn) => callWitnesses({ store: await openLog(), witnesses }, () => turn.lease()),
          },
        ]);
      }

      const documents = () => ACCOUNTS.in(kit.store) as never;
      measureOutbox(metrics, { name: 'accounts', documents, clock });
      const lastAudit = measureAudit(metrics, kit.store, clock);
      measureBackup(metrics, kit.store, clock);
      const lastRoot = measureRoots(metrics, openLog, clock);
      const lastMemo = measureMemos(metrics, openLog, { clock, memoSigner });
      const lastWitnesses = lastOfWitnesses(openLog, witnesses);
      mountIssued(http, { issued, lastAudit, lastRoot, lastMemo, lastWitnesses, now: () => clock.now() });
      const sweeper = createSweeper({
        name: 'outbox.accounts',
        documents,
        clock,
        leases,
        log,
        metrics,
        deliver: (userId) => ledger.relay(userId),
        nats,
      });
      const sweeps = startSweeps({
        ...{ ledger, reads, leases, clock, log, metrics },
        lastNodeEventSeq: async () => (await nats.jsm.streams.info(streamOf(nodeStarted.thing).name)).state.last_seq,
        purgeFormerEvents: (userId, place) =>
          purgeUserEvents(nats, [nodeStarted, nodePaused, nodeStopped], userId, place),
      });
      await freshEpochs.refresh();
      runWhileServing(kit, [
        {
          name: 'epochs',
          everyMs: EPOCHS_READ_MS,
          everywhere: 'each replica settles by the table that it holds itself',
          run: () => freshEpochs.refresh(),
        },
        {
          name: 'contacts',
          everyMs: CONTACTS_WRITTEN_MS,
          everywhere: 'each replica writes the contacts that it has answered itself',
          run: () => ledger.writeContacts('due'),
        },
      ]);
      shutdown.on('unready', 'replicas', () => replicas.leave());
      const serving = [
        ...serveEpochs(nats, { reads, epochs, fresh: freshEpochs, now: () => clock.now() }),
        ...listen(nats, ledger, kit.erase),
        ...serveLedger(nats, replicas, ledger, reads, metrics),
        serveExport(nats, node, reads),
        serveAuditLog(nats, 'mining', audit),
      ];
      kit.republish({ ledger });
      sweeper.start();
      correcting.start();
      issued.start();

      shutdown.on('consumers', 'replicas', () => replicas.stop());
      for (const one of serving) shutdown.on('consumers', 'events and requests', () => one.stop());
      shutdown.on('consumers', 'sweeps', () => sweeps.stop());
      shutdown.on('consumers', 'corrections', () => correcting.stop());
      shutdown.on('relay', 'outbox', async () => {
        await sweeper.stop();
        await ledger.writeContacts('all');
        await ledger.flush();
        liveSender.stop();
        await issued.stop();
      });
    },
  };
}
