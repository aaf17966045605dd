import * as noticesEndpoints from '@cord/contracts/addresses/notices';
import type { Sdk } from '@cord/sdk';
import { registerHere, thisBrowser } from '../settings/push/this-browser';
import { endPushes, readPushOwner } from './push-owner';

/**
 * Registers this browser anew where it is pushed to for this user: pushes end with the sign-in that registered them, and the worker needs to know whose
 * the browser is. Where another user allowed it, pushes end here. Requests no permission.
 */
export async function knowPushOwner(
  { api, session }: Pick<Sdk, 'api' | 'session'>,
  userId: string | null,
): Promise<void> {
  const { id } = await thisBrowser();
  if (userId === null || id === null) return;
  const devices = await api.call(noticesEndpoints.pushDevices, { params: { id: userId } });
  if (session.state.get().user?.id !== userId) return;
  // What the server does not push to is not this user's, or the worker is about to register it.
  if (devices.some((device) => device.id === id)) await registerHere({ api }, userId);
  else if (((await readPushOwner())?.userId ?? userId) !== userId) await endPushes();
}
