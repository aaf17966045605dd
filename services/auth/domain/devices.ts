import type { UserDoc } from './user-doc.js';

/** A sign-in from a device that was new to the account. */
export interface Opened {
  sessionId: string;
  /** Browser and system (domain/device.ts). */
  device: string;
  openedAtMs: number;
}

/** Devices that are known of one account; the one that was not used for longest goes first. */
const DEVICES_MAX = 16;
/** Sign-ins that are published together (services/contracts/events/user.ts): more than one only while NATS is away. */
const OPENED_MAX = 3;

/**
 * What a sign-in changes of the devices of an account.
 */
export function afterSignIn(
  user: Pick<UserDoc, 'devices' | 'opened'>,
  signIn: Opened,
): Pick<UserDoc, 'devices' | 'opened'> {
  const known = user.devices;
  const devices = [...known.filter((device) => device !== signIn.device), signIn.device].slice(-DEVICES_MAX);
  if (known.includes(signIn.device)) return { devices };
  return { devices, opened: [...(user.opened ?? []), signIn].slice(-OPENED_MAX) };
}
