import { exportRpc } from '@cord/contracts/rpc/export';
import { runWhileServing } from '@cord/kit/periodic';
import { plainJson } from '@cord/kit/plain-json';
import type { Rules } from '@cord/kit/rules';
import type { Kit } from '@cord/kit/service';
import type { Config } from '../config.js';
import { inboxRoutes } from '../http/inbox.js';
import { pushRoutes } from '../http/push.js';
import { openPushing } from '../push/open.js';
import { createCommissions } from './commissions.js';
import { createEpochPushes } from './epoch-pushes.js';
import { openEpochWalks } from './epoch-walks.js';
import { openEpochs } from './epochs.js';
import { listen } from './events.js';
import { createInbox } from './inbox.js';
import { createLookups } from './lookups.js';
import { openPeople } from './people.js';
import { createReading } from './reading.js';
import { openNoticeStore } from './store.js';
import { createStreaks } from './streaks.js';

/** Wires the inbox: its store, consumers, routes and periodic work. */
export function openInbox(kit: Kit<Config>, rules: Rules): void {
  const { clock, http, live, nats, shutdown } = kit;
  const notices = openNoticeStore(kit.store);
  const people = openPeople(kit.store);
  const epochs = openEpochs(kit.store);
  const lookups = createLookups(nats, rules);
  const inbox = createInbox({ notices, people, clock, live, choicesOf: lookups.choicesOf });
  const streaks = createStreaks({ people, inbox, clock, lookups });
  const commissions = createCommissions({ people, inbox, lookups, clock });
  const { subscriptions, pushing } = openPushing(kit, { notices, people, epochs, lookups });
  const walks = openEpochWalks(kit.store);
  const epochPushes = createEpochPushes({
    epochs,
    walks,
    notices,
    people,
    devices: subscriptions,
    lookups,
    clock,
    live,
  });
  inboxRoutes(http, createReading({ notices, people, epochs, lookups, clock, live }));
  pushRoutes(http, pushing, clock);

  const parts = {
    inbox,
    people,
    streaks,
    commissions,
    epochs,
    live,
    erase: kit.erase,
    nodeRuns: async (userId: string, leaseUntilMs: number) => pushing?.warnings.nodeRuns(userId, leaseUntilMs),
  };
  const consuming = [
    ...listen(nats, parts),
    nats.serve(exportRpc('notices'), async ({ userId }) =>
      plainJson({
        notices: await notices.ofUser(userId),
        person: await people.docs.get(userId),
        devices: (await subscriptions.ofUser(userId)).map(({ sealed: _secret, ...device }) => device),
      }),
    ),
  ];
  for (const each of consuming) shutdown.on('consumers', 'events', () => each.stop());
  runWhileServing(kit, [rules.work, streaks.work, commissions.work, epochPushes]);
}
