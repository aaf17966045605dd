import { baseConfig, ConfigError, isLocalMode, schemas } from '@cord/kit/config';
import type { z } from 'zod';
import { HOST_FORM, type HostRules } from './push/hosts.js';
import { type VapidKeys, vapidKeys } from './push/vapid.js';

/** The browsers' push services: Chromium browsers, Firefox, Safari, Edge on Windows. */
const PUSH_HOSTS = 'fcm.googleapis.com,*.push.services.mozilla.com,*.push.apple.com,*.notify.windows.com';
/** The contact for pushes (RFC 8292) of a system without a public https origin. */
const DEFAULT_CONTACT = 'mailto:push@cord.invalid';

/** Settings of notices beside the common ones (infra/dev/ENVIRONMENT.md). */
export const config = baseConfig.extend({
  /** The key that identifies this system to push services, 32 bytes as hex or base64url; without it nothing is pushed. */
  VAPID_PRIVATE_KEY: schemas.VAPID_PRIVATE_KEY,
  /** The matching public key, optional, as a check. */
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
 * Returns the push settings; null without a key.
 * @throws ConfigError for an invalid key, or a public key that does not match
 */
export function pushSettings(given: Config): PushSettings | null {
  if (given.VAPID_PRIVATE_KEY === undefined) return null;
  const refuse = (variable: string, message: string) => new ConfigError([{ variable, message }]);
  const keys = vapidKeys(given.VAPID_PRIVATE_KEY);
  if (keys === null) throw refuse('VAPID_PRIVATE_KEY', 'is not a P-256 private key');
  if (given.VAPID_PUBLIC_KEY !== undefined && given.VAPID_PUBLIC_KEY.replace(/=+$/, '') !== keys.publicKey)
    throw refuse('VAPID_PUBLIC_KEY', 'does not belong to VAPID_PRIVATE_KEY');
  const { PUBLIC_ORIGIN: origin } = given;
  return {
    keys,
    subject: given.VAPID_SUBJECT ?? (origin.startsWith('https:') ? origin : DEFAULT_CONTACT),
    hosts: { names: given.PUSH_HOSTS, allowsLoopback: isLocalMode(given) },
  };
}
