import { baseConfig, ConfigError, isLocalMode, schemas } from '@cord/kit/config';
import type { z } from 'zod';
import { HOST_FORM, type HostRules } from './push/hosts.js';
import { type VapidKeys, vapidKeys } from './push/vapid.js';

/** The push services of the browsers there are: Chrome and what is made of it, Firefox, Safari, Edge on Windows. */
const PUSH_HOSTS = 'fcm.googleapis.com,*.push.services.mozilla.com,*.push.apple.com,*.notify.windows.com';
/** The contact for pushes (RFC 8292) of a system that people do not reach by https. */
const NOBODYS_ADDRESS = 'mailto:push@cord.invalid';

/** What notices reads beside what every service reads (infra/dev/ENVIRONMENT.md). */
export const config = baseConfig.extend({
  /** The key by which push services identify this system, 32 bytes as hex or base64url; without it nothing is pushed. */
  VAPID_PRIVATE_KEY: schemas.VAPID_PRIVATE_KEY,
  /** What belongs to it, for who wants that checked. */
  VAPID_PUBLIC_KEY: schemas.VAPID_PUBLIC_KEY,
  VAPID_SUBJECT: schemas.VAPID_SUBJECT,
  PUSH_HOSTS: schemas.PUSH_HOSTS.unwrap()
    .default(PUSH_HOSTS)
    .transform((text) => text.split(',').flatMap((host) => host.trim().toLowerCase() || []))
    .refine(
      (hosts) => hosts.every((host) => HOST_FORM.test(host)),
      'must be a list of host names, each with *. or :port',
    ),
});
export type Config = z.output<typeof config>;

export interface PushSettings {
  keys: VapidKeys;
  subject: string;
  hosts: HostRules;
}

/**
 * How this system pushes; null where it has no key.
 * @throws ConfigError for a key that is none, and a public key of another
 */
export function pushSettings(given: Config): PushSettings | null {
  if (given.VAPID_PRIVATE_KEY === undefined) return null;
  const refuse = (variable: string, message: string) => new ConfigError([{ variable, message }]);
  const keys = vapidKeys(given.VAPID_PRIVATE_KEY);
  if (keys === null) throw refuse('VAPID_PRIVATE_KEY', 'is no private key of P-256');
  if (given.VAPID_PUBLIC_KEY !== undefined && given.VAPID_PUBLIC_KEY.replace(/=+$/, '') !== keys.publicKey)
    throw refuse('VAPID_PUBLIC_KEY', 'does not belong to VAPID_PRIVATE_KEY');
  const { PUBLIC_ORIGIN: origin } = given;
  return {
    keys,
    subject: given.VAPID_SUBJECT ?? (origin.startsWith('https:') ? origin : NOBODYS_ADDRESS),
    hosts: { names: given.PUSH_HOSTS, allowsLoopback: isLocalMode(given) },
  };
}
