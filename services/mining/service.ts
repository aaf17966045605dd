import { randomBytes } from 'node:crypto';
import { nodePaused, nodeStarted, nodeStopped } from '@cord/contracts/events/node';
import { createAddressHash } from '@cord/kit/address';
import { measureOutbox } from '@cord/kit/outbox/figures';
import { createSweeper } from '@cord/kit/outbox/sweeper';
import { periodic } from '@cord/kit/periodic';
import { purgeUserEvents } from '@cord/kit/purge';
import { followReplicas } from '@cord/kit/replicas';
import type { ServiceDefinition } from '@cord/kit/service';
import { config } from './config.js';
import { data } from './data.js';
import { followEpochs, listen } from './events.js';
import { serveExport } from './export.js';
import { createDriftMeter } from './http/drift.js';
import { mountEarnings } from './http/earnings.js';
import { mountIssued } from './http/issued.js';
import { mountLedger } from './http/ledger.js';
import { mountMining } from './http/mining.js';
import { countIssued } from './issued/count.js';
import { createIssuedStore } from './issued/store.js';
import type { LedgerBounds } from './ledger/bounds.js';
import { createLedgerBus } from './ledger/bus.js';
import { createEpochsInUse } from './ledger/epochs-in-use.js';
import { createLedger } from './ledger/ledger.js';
import { tellLive } from './live.js';
import { createNode } from './node/node.js';
import { serveLedger } from './rpc.js';
import { miningStates } from './states.js';
import { measureAudit } from './store/audit-figures.js';
import { createLedgerStore } from './store/ledger-store.js';
import { defineModels } from './store/models.js';
import { createReads } from './store/reads.js';
import { startSweeps } from './sweeps.js';

/** How much a replica that is killed may leave out of what is shown as issued, ms. */
const ISSUED_EVERY_MS = 5_000;

/** Mining: the ledger, the node and its sessions (design.md, Who owns what). */
export const mining: ServiceDefinition<typeof config> = miningService({});

/** Mining with other bounds of its ledger. Dependencies by hand, top to bottom. */
export function miningService(bounds: Partial<LedgerBounds>): ServiceDefinition<typeof config> {
  return {
    name: 'mining',
    config,
    data,
    needed: ['ADDRESS_HASH_KEY'],
    async build(kit) {
      const { log, clock, metrics, nats, shutdown, http, leases, live } = kit;
      const { ADDRESS_HASH_KEY: addressKey } = kit.config;
      const models = defineModels(kit.store);
      const reads = createReads(models);
      const epochs = createEpochsInUse();
      const conflicts = metrics.counter('cord_ledger_conflicts_total');
      const telling = tellLive(live);
      const issued = createIssuedStore(models, randomBytes(8).toString('hex'));
      const counting = countIssued(issued.keep);
      const ledger = createLedger({
        store: createLedgerStore(models, { together: bounds.together }),
        bus: createLedgerBus(nats, () => ({ nowMs: clock.now(), epochs: epochs.table() })),
        nowMs: () => clock.now(),
        epochs: () => epochs.table(),
        bounds,
        busIsUp: () => nats.connected(),
        onWritten(change) {
          telling.changed(change);
          counting.changed(change);
        },
        onConflict: () => conflicts.inc(),
        onRelayFailure: (userId, err) => log.debug({ err, userId }, 'left to the sweeper'),
      });
      const node = createNode(ledger, reads);

      mountMining(http, node, createDriftMeter(metrics), addressKey ? createAddressHash(addressKey) : () => null);
      mountLedger(http, ledger, reads);
      mountEarnings(http, node, reads);

      const outbox = { name: 'accounts', documents: () => models.accounts.collection as never, clock };
      measureOutbox(metrics, outbox);
      const lastAudit = measureAudit(metrics, kit.store, clock);
      const keeping = periodic(kit, {
        name: 'issued',
        everyMs: ISSUED_EVERY_MS,
        soon: false,
        everywhere: 'each replica keeps what it has credited itself',
        run: counting.flush,
      });
      const flush = () => keeping.inTurn(counting.flush);
      mountIssued(http, { issued, flush, lastAudit, now: () => clock.now() });
      const sweeper = createSweeper({
        ...outbox,
        leases,
        log,
        metrics,
        relay: (userId) => ledger.relay(userId),
        isUp: () => nats.connected(),
      });
      const forgetFormer = async (userIds: readonly string[]) => {
        for (const userId of userIds) await purgeUserEvents(nats, [nodeStarted, nodePaused, nodeStopped], userId);
      };
      const sweeps = startSweeps({ ledger, reads, forgetFormer, leases, clock, log, metrics });
      const following = await followEpochs(nats, reads, epochs);
      const replicas = followReplicas(nats);
      shutdown.on('unready', 'replicas', () => replicas.leave());
      const serving = [
        following,
        ...listen(nats, ledger, reads, epochs),
        ...serveLedger(nats, replicas, ledger, reads),
        serveExport(nats, node, reads),
      ];
      kit.republish(miningStates(ledger));
      sweeper.start();
      keeping.start();

      shutdown.on('consumers', 'replicas', () => replicas.stop());
      for (const one of serving) shutdown.on('consumers', 'events and requests', () => one.stop());
      shutdown.on('consumers', 'sweeps', () => sweeps.stop());
      shutdown.on('relay', 'outbox', async () => {
        await sweeper.stop();
        await ledger.flush();
        telling.stop();
        await keeping.stop();
        await counting.flush();
      });
    },
  };
}
