import { checkinPerformed, taskCompleted } from '@cord/contracts/events/tasks';
import { exportRpc } from '@cord/contracts/rpc/export';
import { openAuditLog, serveAuditLog } from '@cord/kit/audit-log';
import { createDaySums } from '@cord/kit/day-sums';
import { runWhileServing } from '@cord/kit/periodic';
import { requestRegistration } from '@cord/kit/registration';
import { followRules } from '@cord/kit/rules';
import type { ServiceDefinition } from '@cord/kit/service';
import { createAccounts } from './accounts.js';
import { createCatalogue } from './catalogue.js';
import { createClaimed } from './claimed.js';
import { createClaims } from './claims.js';
import { config } from './config.js';
import { data } from './data.js';
import { listen, takeProfile } from './events.js';
import { createExcused } from './excused.js';
import { exportOf } from './export.js';
import { catalogueRoutes } from './http/catalogue.js';
import { checkinRoutes } from './http/checkin.js';
import { outageRoutes, serveExcused, serveOutages } from './http/outages.js';
import { taskRoutes } from './http/tasks.js';
import { createOutages } from './outages.js';
import { CLAIMED, openStore, RECORDS, STREAKS } from './store.js';

/** The tasks service: catalogue, progress, visits, completions, daily check-in and streaks. */
export const service: ServiceDefinition<typeof config> = {
  name: 'tasks',
  config,
  data,
  async build(kit) {
    const { health, http, nats, store: connection, clock, live, log, metrics, outbox, shutdown, switches } = kit;
    const store = openStore(connection);
    const audit = openAuditLog(connection, clock);
    const catalogue = createCatalogue(connection, clock, audit);
    await catalogue.seed();

    const claimedDays = createDaySums(
      { clock, log, metrics },
      { name: 'claimed', collection: CLAIMED.in(connection) as never, field: 'byTask' },
    );
    const claimed = createClaimed(claimedDays);
    const rules = followRules({ nats, clock, log });
    const canBeMade = async () => health.isReached() && nats.connected() && (await rules.areKnown());
    const outages = createOutages(connection, { clock, canBeMade });
    const excused = createExcused(connection, { switches, outages, clock });
    const claims = createClaims({
      store,
      catalogue,
      clock,
      accounts: createAccounts(nats),
      excused,
      rules,
      outboxes: { records: outbox(RECORDS), streaks: outbox(STREAKS) },
      counts: claimed,
      requestRegistration: requestRegistration(nats, (registered) => takeProfile(store, registered)),
    });

    kit.republish();
    live.hintAfter('tasks', [taskCompleted]);
    live.hintAfter('checkin', [checkinPerformed]);
    taskRoutes(http, catalogue, claims, live, switches);
    catalogueRoutes(http, { catalogue, claimed, live });
    checkinRoutes(http, { claims, switches, rules });
    outageRoutes(http, { excused, outages });

    const consuming = [
      ...listen(nats, store, kit.erase),
      nats.serve(exportRpc('tasks'), ({ userId }) => exportOf(store, userId)),
      serveExcused(nats, excused, clock),
      serveOutages(nats, outages, clock),
      serveAuditLog(nats, 'tasks', audit),
    ];
    for (const each of consuming) shutdown.on('consumers', 'events', () => each.stop());
    runWhileServing(kit, [rules.work, outages.work, excused.work]);
    claimedDays.start();
    shutdown.on('relay', 'sums of days', () => claimedDays.stop());
  },
};
