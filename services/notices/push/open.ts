import { runWhileServing } from '@cord/kit/periodic';
import { createSeal } from '@cord/kit/seal';
import type { Kit } from '@cord/kit/service';
import { type Config, pushSettings } from '../config.js';
import type { EpochCopy } from '../inbox/epochs.js';
import type { Lookups } from '../inbox/lookups.js';
import type { People } from '../inbox/people.js';
import type { NoticeStore } from '../inbox/store.js';
import { createDelivery, type Delivery } from './deliver.js';
import { isAllowed, isPrivate } from './hosts.js';
import { createNoticePushes } from './notices.js';
import { createSender } from './sender.js';
import { sessionLookup } from './sessions.js';
import {
  type Keys,
  openSubscriptions,
  type Subscriber,
  type SubscriptionDoc,
  type Subscriptions,
} from './subscriptions.js';
import { REFUSALS } from './texts.js';
import { createWarnings, type Warnings } from './warnings.js';

/** The parts of a system that pushes. */
export interface Pushing {
  /** `applicationServerKey` for browsers. */
  publicKey: string;
  subscriptions: Subscriptions;
  delivery: Delivery;
  warnings: Warnings;
  /** Returns why an endpoint is refused, or null. */
  refusalOf(endpoint: string): Promise<string | null>;
  /** @returns null for an erased user */
  subscribe(userId: string, keys: Keys, subscriber: Subscriber, nowMs: number): Promise<SubscriptionDoc | null>;
}

/** Wires the devices and pushes; `pushing` is null without a push key. */
export function openPushing(
  kit: Kit<Config>,
  { notices, people, epochs, lookups }: { notices: NoticeStore; people: People; epochs: EpochCopy; lookups: Lookups },
): { subscriptions: Subscriptions; pushing: Pushing | null } {
  const { clock, config, log, metrics, nats, shutdown, store } = kit;
  const settings = pushSettings(config);
  // A subscription is valid only with this key, and so is its seal: both end with the key.
  const seal = createSeal(() => (settings === null ? [] : [settings.keys.privateKey]), 'push subscriptions');
  const subscriptions = openSubscriptions(store, seal);
  if (settings === null) {
    log.warn('VAPID_PRIVATE_KEY is not set: push notifications are off');
    return { subscriptions, pushing: null };
  }
  const { keys, hosts } = settings;
  const sender = createSender(settings, log);
  const pushes = metrics.counter('cord_pushes_total');
  const onSent = (outcome: string) => pushes.inc({ outcome });
  const delivery = createDelivery({
    subscriptions,
    sender,
    lookups,
    clock,
    sessions: sessionLookup(nats, clock),
    onSent,
  });
  const warnings = createWarnings({ people, subscriptions, delivery, lookups, clock });
  runWhileServing(kit, [createNoticePushes({ notices, epochs, delivery, lookups, clock }), warnings.work]);
  shutdown.on('nats', 'connections to push services', () => sender.close());

  const pushing: Pushing = {
    publicKey: keys.publicKey,
    subscriptions,
    delivery,
    warnings,
    async refusalOf(endpoint) {
      if (!isAllowed(endpoint, hosts)) return REFUSALS.unknownService;
      return (await isPrivate(endpoint, hosts)) ? REFUSALS.privateNetwork : null;
    },
    async subscribe(userId, given, subscriber, nowMs) {
      if (await people.isErased(userId)) return null;
      const put = await subscriptions.put(userId, given, subscriber, nowMs);
      // An erasure marks first, then deletes: so either this check or its deletion catches the subscription.
      if (await people.isErased(userId)) {
        await subscriptions.forget(userId);
        return null;
      }
      await warnings.lookSoon(userId);
      return put;
    },
  };
  return { subscriptions, pushing };
}
