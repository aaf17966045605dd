import type { UserDoc } from './user-doc.js';

/** A sign-in from a device that was new to the account. */
export interface Opened {
  sessionId: string;
  /** Browser and system (domain/device.ts). */
  device: string;
  openedAtMs: number;
}

/** Maximum number of known devices per account; the least recently used is dropped. */
const DEVICES_MAX = 16;
/** Maximum number of sign-ins published together (services/contracts/events/user.ts): more than one only while NATS is down. */
const OPENED_MAX = 3;

/** Returns the changed device fields of an account after a sign-in. */
export function afterSignIn(
  user: Pick<UserDoc, 'devices' | 'opened'>,
  signIn: Opened,
): Pick<UserDoc, 'devices' | 'opened'> {
  const known = user.devices;
  const devices = [...known.filter((device) => device !== signIn.device), signIn.device].slice(-DEVICES_MAX);
  if (known.includes(signIn.device)) return { devices };
  return { devices, opened: [...(user.opened ?? []), signIn].slice(-OPENED_MAX) };
}
