import { baseConfig, ConfigError, isLocalMode, schemas } from '@cord/kit/config';
import type { NatsSettings } from '@cord/kit/nats';
import { z } from 'zod';
import { secretValues } from './keys/secret-values.js';
import type { GrantSettings } from './signin/grant.js';

/** Settings of auth beside the common ones (infra/dev/ENVIRONMENT.md). */
export const authConfig = baseConfig.extend({
  /** NATS as the user of auth's own account; if absent (one account for all), as auth itself. */
  NATS_RIGHTS_URL: schemas.NATS_RIGHTS_URL,
  NATS_RIGHTS_CREDS: schemas.NATS_RIGHTS_CREDS,
  SESSION_SECRET: schemas.SESSION_SECRET,
  /** Path of a file with the values instead, read at each use. */
  SESSION_SECRET_FILE: z.string().min(1).optional(),
  KEY_ENCRYPTION_KEY: schemas.KEY_ENCRYPTION_KEY,
  KEY_ENCRYPTION_KEY_FILE: z.string().min(1).optional(),
  TOMBSTONE_KEY: schemas.TOMBSTONE_KEY,
  DISCORD_CLIENT_SECRET: schemas.DISCORD_CLIENT_SECRET,
  DISCORD_PKCE: schemas.DISCORD_PKCE,
  /** A user who signs in with one of these ids is an admin. */
  ADMIN_DISCORD_IDS: schemas.ADMIN_DISCORD_IDS,
});
type AuthConfig = z.output<typeof authConfig>;

/**
 * Returns the values of a renewable secret, from the environment or a file.
 * @throws ConfigError that names it when neither has one
 */
export function renewableSecret(
  config: Pick<AuthConfig, 'SESSION_SECRET' | 'SESSION_SECRET_FILE' | 'KEY_ENCRYPTION_KEY' | 'KEY_ENCRYPTION_KEY_FILE'>,
  name: 'SESSION_SECRET' | 'KEY_ENCRYPTION_KEY',
) {
  try {
    return secretValues(config[name], config[`${name}_FILE`]);
  } catch (error) {
    const message = error instanceof RangeError ? error.message : 'the file cannot be read';
    throw new ConfigError([{ variable: config[`${name}_FILE`] ? `${name}_FILE` : name, message }]);
  }
}

/** Returns the NATS settings of auth's own account, which publishes keys, revocations and roles (services/README.md#sign-in-and-rights). */
export function rightsSettings(config: AuthConfig): NatsSettings {
  const given = config.NATS_RIGHTS_URL !== undefined || config.NATS_RIGHTS_CREDS !== undefined;
  return {
    NATS_URL: config.NATS_RIGHTS_URL ?? config.NATS_URL,
    NATS_CREDS: given ? config.NATS_RIGHTS_CREDS : config.NATS_CREDS,
  };
}

/** Discord's addresses and our credentials there. */
export interface DiscordSettings extends GrantSettings {
  apiUrl: string;
  cdnUrl: string;
}

/**
 * Returns the settings of Discord, or in local mode of the stand-in behind our own origin (infra/README.md#local-mode).
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
        message: 'is required outside local mode',
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

/** Returns Discord's addresses below a base: the authorize page for people, the API for auth. */
export function addresses(base: string, cdnUrl: string) {
  return {
    authorizeUrl: `${base}/oauth2/authorize`,
    tokenUrl: `${base}/api/oauth2/token`,
    apiUrl: `${base}/api`,
    cdnUrl,
  };
}
