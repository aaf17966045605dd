import { baseConfig, ConfigError, isLocalMode, secret } from '@cord/kit/config';
import type { NatsSettings } from '@cord/kit/nats';
import { z } from 'zod';
import type { GrantSettings } from './signin/grant.js';

/** What auth reads beside the common settings (interface.md, Environment). */
export const authConfig = baseConfig.extend({
  /** NATS as the user of auth's own account; without it (one account for all) as auth itself. */
  NATS_RIGHTS_URL: baseConfig.shape.NATS_URL.unwrap().optional(),
  /** Path of that user's creds file. */
  NATS_RIGHTS_CREDS: z.string().min(1).optional(),
  SESSION_SECRET: secret(),
  KEY_ENCRYPTION_KEY: secret(),
  TOMBSTONE_KEY: secret(),
  DISCORD_CLIENT_SECRET: z.string().min(1).optional(),
  DISCORD_PKCE: z.enum(['on', 'off']).default('on'),
  /** Discord ids, with commas: whoever signs in with one of them is an admin. */
  ADMIN_DISCORD_IDS: z
    .string()
    .default('')
    .transform((text) => text.split(',').flatMap((id) => id.trim() || []))
    .refine((ids) => ids.every((id) => /^\d{1,20}$/.test(id)), 'must be a list of Discord ids'),
});
export type AuthConfig = z.output<typeof authConfig>;

/** How auth reaches its own account, from which keys, revocations and roles are told (design.md, Sign-in and rights). */
export function rightsSettings(config: AuthConfig): NatsSettings {
  const given = config.NATS_RIGHTS_URL !== undefined || config.NATS_RIGHTS_CREDS !== undefined;
  return {
    NATS_URL: config.NATS_RIGHTS_URL ?? config.NATS_URL,
    NATS_CREDS: given ? config.NATS_RIGHTS_CREDS : config.NATS_CREDS,
  };
}

/** Where Discord is, and who we are there. */
export interface DiscordSettings extends GrantSettings {
  apiUrl: string;
  cdnUrl: string;
}

/**
 * Discord itself, or in local mode the stand-in behind our own origin (interface.md, Local mode).
 * @throws ConfigError when the client secret of a real application is missing
 */
export function discordSettings(config: AuthConfig): DiscordSettings {
  const redirectUri = `${config.PUBLIC_ORIGIN}/api/auth/discord/callback`;
  const pkce = config.DISCORD_PKCE === 'on';
  if (isLocalMode(config)) {
    const standIn = `${config.PUBLIC_ORIGIN}/dev/discord`;
    const clientSecret = config.DISCORD_CLIENT_SECRET ?? 'local mode has no secret';
    return { ...addresses(standIn, `${standIn}/cdn`), clientId: 'cord-local', clientSecret, pkce, redirectUri };
  }
  if (!config.DISCORD_CLIENT_ID || !config.DISCORD_CLIENT_SECRET) {
    throw new ConfigError([
      {
        variable: config.DISCORD_CLIENT_ID ? 'DISCORD_CLIENT_SECRET' : 'DISCORD_CLIENT_ID',
        message: 'is needed outside local mode',
      },
    ]);
  }
  return {
    ...addresses('https://discord.com', 'https://cdn.discordapp.com'),
    clientId: config.DISCORD_CLIENT_ID,
    clientSecret: config.DISCORD_CLIENT_SECRET,
    pkce,
    redirectUri,
  };
}

/** Discord's addresses below a base: the authorize page for people, the API for us. */
export function addresses(base: string, cdnUrl: string) {
  return {
    authorizeUrl: `${base}/oauth2/authorize`,
    tokenUrl: `${base}/api/oauth2/token`,
    apiUrl: `${base}/api`,
    cdnUrl,
  };
}
