import { SESSION_MS } from '@cord/contracts/rules/timings';
import { createLogger } from '@cord/kit/log';
import { unavailable } from '@cord/kit/problem';
import { createSeal } from '@cord/kit/seal';
import { randomId } from '@cord/kit/testing/index';
import { createTestDelivery } from '@cord/kit/testing/last-only';
import { type PushedBrowser, pushPlace, startPushService } from '@cord/kit/testing/push-service';
import { createEpochPushes } from '../inbox/epoch-pushes.js';
import { openEpochWalks } from '../inbox/epoch-walks.js';
import { listen } from '../inbox/events.js';
import { createDelivery } from '../push/deliver.js';
import { createNoticePushes } from '../push/notices.js';
import { createSender } from '../push/sender.js';
import { type AllowedBy, openSubscriptions } from '../push/subscriptions.js';
import { type VapidKeys, vapidKeys } from '../push/vapid.js';
import { createWarnings } from '../push/warnings.js';
import { openInboxWorld } from './inbox-world.js';

export const SUBJECT = 'mailto:push@cord.example';
export const KEYS = vapidKeys('1'.repeat(64)) as VapidKeys;

/** Opens the inbox and its pushes, to browsers on this machine. */
export async function openPushWorld() {
  const world = await openInboxWorld();
  const { clock, connection, inbox, streaks, commissions, epochs, notices, people, lookups, announced } = world;
  const place = await pushPlace();
  const service = await startPushService(place);
  const hosts = { names: [service.host], allowsLoopback: true };
  const log = createLogger('test', 'silent');
  const sender = createSender({ keys: KEYS, subject: SUBJECT, hosts, ca: service.ca }, log);
  const seal = createSeal(() => [KEYS.privateKey], 'push subscriptions');
  const subscriptions = openSubscriptions(connection, seal);
  const sent: string[] = [];
  const onSent = (outcome: string) => void sent.push(outcome);
  /** Ended sessions. */
  const ended = new Set<string>();
  const sessions = {
    known: true,
    async holds(_: string, at: AllowedBy) {
      if (!sessions.known) throw unavailable('service-unavailable', 'No response', 1);
      return !ended.has(at.sessionId);
    },
  };
  const delivery = createDelivery({ subscriptions, sender, lookups, clock, sessions, onSent });
  const warnings = createWarnings({ people, subscriptions, delivery, lookups, clock });
  const walks = openEpochWalks(connection);
  const live = { sendAll: (kind: string) => void announced.push(`${kind} all`) };
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
  const pushes = createNoticePushes({ notices, epochs, delivery, lookups, clock });
  const { nodeRuns } = warnings;
  const hand = createTestDelivery((nats) =>
    listen(nats, { inbox, people: world.people, streaks, commissions, epochs, live, erase: world.erase, nodeRuns }),
  );
  const turn = { moved: false, lease: async () => true, rest: () => undefined };
  return {
    ...world,
    service,
    sender,
    subscriptions,
    sessions,
    ended,
    delivery,
    walks,
    warnings,
    /** Outcome of each push, in order. */
    sent,
    hand,
    /** Runs only the pushes of notices once. */
    pushNotices: () => pushes.run(turn),
    /** Runs all periodic work once, on this replica. */
    async sweep() {
      await world.sweep();
      for (const work of [epochPushes, warnings.work, pushes]) await work.run(turn);
    },
    /** Creates a user with a browser that receives pushes. */
    async someone({ zone = 'Europe/Berlin' } = {}) {
      const userId = randomId();
      return { userId, browser: await this.another(userId, { zone }) };
    },
    async another(userId: string, { zone = 'Europe/Berlin', sessionId = randomId() } = {}): Promise<PushedBrowser> {
      const browser = service.browser();
      const { endpoint, keys } = browser.subscription;
      const nowMs = clock.now();
      const session = { sessionId, keyId: 'k', issuedAtMs: nowMs, expiresAtMs: nowMs + SESSION_MS };
      await subscriptions.put(userId, { endpoint, keys }, { session, device: 'Firefox on Linux', zone }, nowMs);
      return browser;
    },
    async stop() {
      sender.close();
      await service.stop();
      await place.remove();
      await world.stop();
    },
  };
}
