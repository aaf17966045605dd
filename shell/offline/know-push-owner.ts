import * as noticesEndpoints from '@cord/contracts/addresses/notices';
import type { Sdk } from '@cord/sdk';
import { registerHere, thisBrowser } from '../settings/push/this-browser';
import { endPushes, readPushOwner } from './push-owner';

/**
 * Registers this browser's push subscription again for this user. A subscription ends with its session, and the
 * worker needs to know its owner. A subscription of another user is ended. It never requests permission.
 */
export async function knowPushOwner(
  { api, session }: Pick<Sdk, 'api' | 'session'>,
  userId: string | null,
): Promise<void> {
  const { id } = await thisBrowser();
  if (userId === null || id === null) return;
  const devices = await api.call(noticesEndpoints.pushDevices, { params: { id: userId } });
  if (session.state.get().user?.id !== userId) return;
  // A subscription unknown to the server belongs to another user, or the worker is about to register it.
  if (devices.some((device) => device.id === id)) await registerHere({ api }, userId);
  else if (((await readPushOwner())?.userId ?? userId) !== userId) await endPushes();
}
