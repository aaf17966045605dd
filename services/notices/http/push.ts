import { noticesEndpoints, type PushDevice } from '@cord/contracts/http/notices';
import { TEXTS } from '@cord/contracts/texts';
import type { Clock } from '@cord/kit/clock';
import { deviceOf } from '@cord/kit/device';
import type { Http } from '@cord/kit/http';
import { badInput, notFound, Problem, unavailable } from '@cord/kit/problem';
import { testNotice } from '../push/notice-text.js';
import type { Pushing } from '../push/open.js';
import type { SubscriptionDoc } from '../push/subscriptions.js';

/** How long a test push stays valid, ms. */
const TEST_MS = 60_000;

/**
 * Mounts the push devices of a user.
 * @param pushing null when this system has no push key
 */
export function pushRoutes(http: Http, pushing: Pushing | null, clock: Pick<Clock, 'now'>): void {
  const there = (): Pushing => {
    if (pushing === null) throw notFound('push-is-off', 'Push notifications are turned off');
    return pushing;
  };
  const noDevice = () => notFound('no-such-device', 'This device does not receive push notifications');

  http.route(noticesEndpoints.pushKey, async () => ({ key: pushing?.publicKey ?? null }));
  http.route(noticesEndpoints.pushDevices, async ({ params }) =>
    ((await pushing?.subscriptions.ofUser(params.id)) ?? []).map(shown),
  );
  http.route(noticesEndpoints.pushSubscribe, async ({ user, params, body, headers, now }) => {
    const { endpoint, keys, zone, locale } = body;
    const device = deviceOf(headers['user-agent'] ?? '');
    const refusal = await there().refusalOf(endpoint);
    if (refusal !== null) throw badInput('endpoint', refusal);
    const subscriber = { session: user, device, ...(zone ? { zone } : {}), ...(locale ? { locale } : {}) };
    const put = await there().subscribe(params.id, { endpoint, keys }, subscriber, now);
    if (put === null) throw notFound('no-such-user', TEXTS.userNotFound);
    return shown(put);
  });
  http.route(noticesEndpoints.pushRemove, async ({ params, body }) => {
    if (!(await there().subscriptions.remove(params.id, body.id))) throw noDevice();
    return undefined;
  });
  http.route(noticesEndpoints.pushTest, async ({ params, body, now }) => {
    const outcome = await there().delivery.deliverTo(params.id, body.id, {
      untilMs: clock.now() + TEST_MS,
      message: async (reader) => ({ ...testNotice(reader), tab: 'settings', about: 'test', atMs: now, always: true }),
    });
    if (outcome === null || outcome.is === 'gone') throw noDevice();
    if (outcome.is === 'refused')
      throw new Problem(422, 'push-refused', 'The push service of this browser refused the subscription');
    if (outcome.is === 'later')
      throw unavailable('push-unreachable', 'The push service of this browser is not responding', 30);
    return { success: true as const };
  });
}

function shown({ _id, device, createdAtMs, lastSentAtMs }: SubscriptionDoc): PushDevice {
  return {
    id: _id,
    device,
    allowedAt: new Date(createdAtMs).toISOString(),
    lastSentAt: lastSentAtMs === null ? null : new Date(lastSentAtMs).toISOString(),
  };
}
