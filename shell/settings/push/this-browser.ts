import * as noticesEndpoints from '@cord/contracts/addresses/notices';
import type { ResponseOf } from '@cord/contracts/calls';
import type { Sdk } from '@cord/sdk';
import { textLanguage } from '@cord/sdk/host';
import { keepPushOwner } from '../../offline/push-owner';

type Device = ResponseOf<typeof noticesEndpoints.pushSubscribe>;

/** What this browser shows of pushes. */
export interface Browser {
  /** `none`: it cannot be pushed to at all, or not before it is installed. */
  permission: NotificationPermission | 'none';
  /** How the server knows it, where it has subscribed. */
  id: string | null;
}

/** The user, or the browser for the user, does not allow it. */
export class NotAllowed extends Error {}

const isAble = () => 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;

/** Half of the SHA-256 of its endpoint, as the server makes it (services/notices/push/subscriptions.ts). */
async function idOf({ endpoint }: PushSubscription): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint));
  return Array.from(new Uint8Array(hash, 0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function subscribed(): Promise<PushSubscription | null> {
  const worker = await navigator.serviceWorker.getRegistration();
  return (await worker?.pushManager.getSubscription()) ?? null;
}

/** How things stand here; no question opens. */
export async function thisBrowser(): Promise<Browser> {
  if (!isAble()) return { permission: 'none', id: null };
  const subscription = await subscribed();
  return { permission: Notification.permission, id: subscription && (await idOf(subscription)) };
}

/**
 * Requests the permission, then subscribes. Only ever after a press.
 * @param key of the server
 * @throws NotAllowed, ApiError
 */
export async function allowHere({ api }: Pick<Sdk, 'api'>, userId: string, key: string): Promise<Device> {
  if (!isAble() || (await Notification.requestPermission()) !== 'granted') throw new NotAllowed();
  const { pushManager } = await navigator.serviceWorker.ready;
  // One of another key, of a system that was here before, is none of ours.
  const options = { userVisibleOnly: true, applicationServerKey: key };
  const made = await pushManager.subscribe(options).catch(async () => {
    await (await pushManager.getSubscription())?.unsubscribe();
    return pushManager.subscribe(options);
  });
  return register(api, userId, made);
}

/** Registers what this browser has subscribed to, as of the sign-in of this page; nothing where it has not. @throws ApiError */
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
