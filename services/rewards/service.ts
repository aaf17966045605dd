import { badgePurchased, claimMade, epochChanged } from '@cord/contracts/events/rewards';
import { exportRpc } from '@cord/contracts/rpc/export';
import { epochsRpc } from '@cord/contracts/rpc/ledger';
import { openAuditLog, serveAuditLog } from '@cord/kit/audit-log';
import { requestRegistration } from '@cord/kit/registration';
import type { ServiceDefinition } from '@cord/kit/service';
import { openBadgeDesk } from './badge/open.js';
import { REFUNDS } from './badge/refunds.js';
import { timed } from './chain/timed.js';
import { createOneTimeClaims } from './claims.js';
import { config } from './config.js';
import { data } from './data.js';
import { createEpochDesk } from './epoch-desk.js';
import { listen, takeRegistered } from './events.js';
import { exportOf } from './export.js';
import { accountRoutes } from './http/accounts.js';
import { claimRoutes } from './http/claims.js';
import { epochRoutes, liveEpochs } from './http/epochs.js';
import { orderRoutes } from './http/orders.js';
import { refundRoutes } from './http/refunds.js';
import { rulesRoutes } from './http/rules.js';
import { walletRoutes } from './http/wallet.js';
import { createRpcProxy } from './rpc-proxy.js';
import { createSolPrice } from './sol-price.js';
import { EPOCHS, type EpochTable, HOLDERS, openStore } from './store.js';

/** Timeout of a request that hands the epoch table to mining, ms. */
const MINING_ANSWERS_MS_MAX = 2_000;

/** The rewards service: badge orders and their proof on chain, cord claim, compensation, epochs, SOL price, RPC proxy. */
export const service: ServiceDefinition<typeof config> = {
  name: 'rewards',
  config,
  data,
  async build({
    config: settings,
    http,
    nats,
    store: connection,
    clock,
    leases,
    live,
    log,
    metrics,
    outbox,
    republish,
    erase,
    shutdown,
    switches,
  }) {
    const store = openStore(connection);
    const audit = openAuditLog(connection, clock);
    const outboxes = {
      holders: outbox(HOLDERS),
      epochs: outbox<EpochTable>(EPOCHS, { beforePublish: (table) => epochs.beforePublish(table) }),
      refunds: outbox(REFUNDS),
    };
    const epochs = createEpochDesk({
      ...{ store, outbox: () => outboxes.epochs, audit, clock, nats, log },
      hand(version, { epochs: rows, books }) {
        const request = { version: String(version), epochs: [...rows], books: [...books] };
        return nats.request(epochsRpc, request, { timeoutMs: MINING_ANSWERS_MS_MAX });
      },
    });
    const terms = { on: settings.COMPENSATION === 'on', untilMs: settings.COMPENSATION_UNTIL ?? null };
    const claims = createOneTimeClaims({
      ...{ store, clock, terms, outbox: outboxes.holders },
      requestRegistration: requestRegistration(nats, (registered) => takeRegistered(store, registered)),
    });
    const price = createSolPrice(settings.SOL_PRICE_URL, clock, log);

    const desk = openBadgeDesk({
      ...{ connection, settings, store, price, clock, leases, live, log, metrics },
      outboxes,
    });
    const { orders, refunds, proof } = desk;

    live.hintAfter('orders', [badgePurchased, claimMade]);
    live.after(epochChanged, (table) => live.sendAll('epoch', liveEpochs(table, clock.now())));
    await epochs.begin();
    republish();

    claimRoutes(http, { store, claims, terms, price, switches });
    orderRoutes(http, desk, clock, switches);
    refundRoutes(http, { refunds, proof, holders: store.holders, audit });
    accountRoutes(http, { store, desk, terms, audit });
    walletRoutes(http, createRpcProxy(settings.SOLANA_RPC_URL, undefined, timed(metrics, 'pages')), {
      orders: proof !== null,
      reflector: settings.SOLANA_REFLECTOR ?? null,
      lamports: settings.BADGE_PRICE_LAMPORTS,
    });
    epochRoutes(http, { desk: epochs, clock, nats });
    rulesRoutes(http, { desk: epochs, clock });

    const consuming = [
      serveAuditLog(nats, 'rewards', audit),
      listen(nats, store, erase, epochs),
      nats.serve(exportRpc('rewards'), ({ userId }) => exportOf({ store, orders, refunds }, userId)),
    ];
    for (const each of consuming) shutdown.on('consumers', 'events', () => each.stop());
    if (proof) {
      for (const each of [proof.reconciler, proof.refundProofs]) {
        each.start();
        shutdown.on('consumers', 'reconciler', () => each.stop());
      }
    }
  },
};
