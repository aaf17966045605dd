import * as noticesEndpoints from '@cord/contracts/addresses/notices';
import type { ResponseOf } from '@cord/contracts/calls';
import type { Sdk } from '@cord/sdk';
import { textLanguage } from '@cord/sdk/host';
import { keepPushOwner } from '../../offline/push-owner';

type Device = ResponseOf<typeof noticesEndpoints.pushSubscribe>;

/** Push state of this browser. */
export interface Browser {
  /** `none`: pushes are unsupported, or only after installation. */
  permission: NotificationPermission | 'none';
  /** Id of its subscription on the server. */
  id: string | null;
}

/** The user or the browser denies the permission. */
export class NotAllowed extends Error {}

const isAble = () => 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;

/** Returns half of the endpoint's SHA-256, like the server (services/notices/push/subscriptions.ts). */
async function idOf({ endpoint }: PushSubscription): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint));
  return Array.from(new Uint8Array(hash, 0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function subscribed(): Promise<PushSubscription | null> {
  const worker = await navigator.serviceWorker.getRegistration();
  return (await worker?.pushManager.getSubscription()) ?? null;
}

/** Returns the push state without a prompt. */
export async function thisBrowser(): Promise<Browser> {
  if (!isAble()) return { permission: 'none', id: null };
  const subscription = await subscribed();
  return { permission: Notification.permission, id: subscription && (await idOf(subscription)) };
}

/**
 * Requests the permission and subscribes; only after a press.
 * @param key the server's public key
 * @throws NotAllowed, ApiError
 */
export async function allowHere({ api }: Pick<Sdk, 'api'>, userId: string, key: string): Promise<Device> {
  if (!isAble() || (await Notification.requestPermission()) !== 'granted') throw new NotAllowed();
  const { pushManager } = await navigator.serviceWorker.ready;
  // A subscription with another key belongs to an earlier system and is replaced.
  const options = { userVisibleOnly: true, applicationServerKey: key };
  const made = await pushManager.subscribe(options).catch(async () => {
    await (await pushManager.getSubscription())?.unsubscribe();
    return pushManager.subscribe(options);
  });
  return register(api, userId, made);
}

/** Registers this browser's subscription for this session; does nothing without one. @throws ApiError */
export async function registerHere({ api }: Pick<Sdk, 'api'>, userId: string): Promise<void> {
  const made = await subscribed();
  if (made !== null) await register(api, userId, made);
}

async function register(api: Sdk['api'], userId: string, made: PushSubscription): Promise<Device> {
  const { endpoint = '', keys = {} } = made.toJSON();
  const { p256dh = '', auth = '' } = keys;
  const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions();
  const locale = textLanguage.get();
  const body = { endpoint, keys: { p256dh, auth }, zone, locale };
  const device = await api.call(noticesEndpoints.pushSubscribe, { params: { id: userId }, body });
  await keepPushOwner({ userId, id: device.id, locale });
  return device;
}
