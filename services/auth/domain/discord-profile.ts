import { SNOWFLAKE, snowflakeToMs } from '@cord/contracts/rules/age';

/** The stored fields of a Discord account: only what is needed. */
export interface DiscordProfile {
  discordId: string;
  /** global_name when there is one, else the username; not unique. */
  username: string;
  /** Four digits of an old account; null for Discord's "0". */
  discriminator: string | null;
  /** Discord's avatar hash or, from the stand-in, a `data:` image; null for none. */
  avatar: string | null;
  /** Whether two-factor authentication is on at Discord. */
  secondFactor: boolean;
  /** Creation of the Discord account, ms since epoch, from the first bits of the snowflake. */
  discordCreatedAtMs: number;
}

/** Discord's `/users/@me` response is not a user ('Invalid user data'). */
export class InvalidDiscordUser extends Error {
  constructor() {
    super('Invalid user data');
    this.name = 'InvalidDiscordUser';
  }
}

const AVATAR_HASH = /^[A-Za-z0-9_]{1,64}$/;
const AVATAR_DATA = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+=*$/;
const AVATAR_DATA_LENGTH_MAX = 64 * 1024;
const NAME_LENGTH_MAX = 64;

/**
 * Reads the profile from Discord's `/users/@me` response.
 * @throws InvalidDiscordUser without id and username, or with an id that is no snowflake.
 */
export function readDiscordProfile(answer: unknown): DiscordProfile {
  const { id, username, global_name, discriminator, avatar, mfa_enabled } = fieldsOf(answer);
  if (typeof id !== 'string' || !SNOWFLAKE.test(id)) throw new InvalidDiscordUser();
  const own = visibleName(username);
  if (own === null) throw new InvalidDiscordUser();
  const shown = visibleName(global_name);
  return {
    discordId: id,
    username: shown === null || isBlank(shown) ? own : shown,
    discriminator: typeof discriminator === 'string' && /^\d{4}$/.test(discriminator) ? discriminator : null,
    avatar: readAvatar(avatar),
    secondFactor: mfa_enabled === true,
    discordCreatedAtMs: createdAtMs(id),
  };
}

function fieldsOf(answer: unknown): Record<string, unknown> {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) throw new InvalidDiscordUser();
  return answer as Record<string, unknown>;
}

/** Removes control characters and direction marks, which could disguise one name as another. */
function visibleName(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const visible = value.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '').trim();
  return visible === '' ? null : Array.from(visible).slice(0, NAME_LENGTH_MAX).join('');
}

/** Returns whether a name has only invisible characters, as in Discord's "invisible names": nobody could see or click it. */
function isBlank(name: string): boolean {
  return /^[\p{Default_Ignorable_Code_Point}\p{M}\p{Z}\u2800]*$/u.test(name);
}

function readAvatar(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > AVATAR_DATA_LENGTH_MAX) return null;
  return AVATAR_HASH.test(value) || AVATAR_DATA.test(value) ? value : null;
}

function createdAtMs(id: string): number {
  try {
    return snowflakeToMs(id);
  } catch {
    throw new InvalidDiscordUser();
  }
}
