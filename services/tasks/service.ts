import { checkinPerformed, taskCompleted } from '@cord/contracts/events/tasks';
import { exportRpc } from '@cord/contracts/rpc/export';
import { openAuditLog, serveAuditLog } from '@cord/kit/audit-log';
import { createDaySums } from '@cord/kit/day-sums';
import { createRelay } from '@cord/kit/outbox';
import { createPromisedCredits } from '@cord/kit/promised-credits';
import { serveParkedCredits } from '@cord/kit/promises/serve-parked';
import type { ServiceDefinition } from '@cord/kit/service';
import { createAccounts } from './accounts.js';
import { createCatalogue } from './catalogue.js';
import { createClaimed } from './claimed.js';
import { createClaims } from './claims.js';
import { config } from './config.js';
import { data } from './data.js';
import { listen } from './events.js';
import { createExcused } from './excused.js';
import { exportOf } from './export.js';
import { catalogueRoutes } from './http/catalogue.js';
import { checkinRoutes } from './http/checkin.js';
import { taskRoutes } from './http/tasks.js';
import { taskStates } from './states.js';
import { CLAIMED, type ClaimedDoc, openStore, RECORDS, STREAKS } from './store.js';

/** Task catalogue, progress, visits, completions, daily check-in and streaks. */
export const service: ServiceDefinition<typeof config> = {
  name: 'tasks',
  config,
  data,
  async build({
    http,
    nats,
    store: connection,
    ledger,
    clock,
    live,
    leases,
    log,
    metrics,
    republish,
    shutdown,
    switches,
  }) {
    const store = openStore(connection);
    const audit = openAuditLog(connection, clock);
    const catalogue = createCatalogue(connection, clock, audit);
    await catalogue.seed();

    const keeping = { store: connection, clock, leases, log };
    const relayOf = (collection: string) => createRelay({ ...keeping, collection, nats, metrics });
    const promisesOf = (collection: string) => createPromisedCredits({ ...keeping, collection, ledger, metrics });
    const relays = { records: relayOf(RECORDS), streaks: relayOf(STREAKS) };
    const promises = { records: promisesOf(RECORDS), streaks: promisesOf(STREAKS) };
    const claimedDays = createDaySums(
      { clock, log, metrics },
      { name: 'claimed', collection: connection.collection<ClaimedDoc>(CLAIMED) as never, field: 'byTask' },
    );
    const claimed = createClaimed(claimedDays);
    const claims = createClaims({
      store,
      catalogue,
      clock,
      accounts: createAccounts(nats),
      excused: createExcused(connection, switches),
      promises,
      relays,
      counts: claimed,
    });

    republish(taskStates);
    live.hintAfter('tasks', [taskCompleted]);
    live.hintAfter('checkin', [checkinPerformed]);
    taskRoutes(http, catalogue, claims, live, switches);
    catalogueRoutes(http, { catalogue, claimed, live });
    checkinRoutes(http, claims, switches);

    const consuming = [
      ...listen(nats, store),
      nats.serve(exportRpc('tasks'), ({ userId }) => exportOf(store, userId)),
      serveAuditLog(nats, 'tasks', audit),
      serveParkedCredits(nats, 'tasks', Object.values(promises)),
    ];
    for (const each of consuming) shutdown.on('consumers', 'events', () => each.stop());
    for (const each of [...Object.values(relays), ...Object.values(promises), claimedDays]) {
      each.start();
      shutdown.on('relay', 'outbox and promises', () => each.stop());
    }
  },
};
