import * as noticesEndpoints from '@cord/contracts/addresses/notices';
import type { Sdk } from '@cord/sdk';
import { textLanguage } from '@cord/sdk/host';
import { thisBrowser } from '../settings/push/this-browser';
import { keepPushOwner, readPushOwner } from './push-owner';

/**
 * Keeps what the worker needs to register a changed subscription by itself, where this browser is pushed to for this user and has not kept it: one that
 * was allowed by an earlier release, or whose caches were emptied. Asks nobody for leave, and the server only where something is missing.
 */
export async function knowPushOwner(
  { api, session }: Pick<Sdk, 'api' | 'session'>,
  userId: string | null,
): Promise<void> {
  const { id } = await thisBrowser();
  if (userId === null || id === null) return;
  const known = await readPushOwner();
  if (known?.userId === userId && known.id === id) return;
  const devices = await api.call(noticesEndpoints.pushDevices, { params: { id: userId } });
  const isSignedIn = session.state.get().user?.id === userId;
  // What the server does not push to is not this user's, or the worker is about to register it.
  if (isSignedIn && devices.some((device) => device.id === id))
    await keepPushOwner({ userId, id, locale: textLanguage.get() });
}
