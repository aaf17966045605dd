import { createHash } from 'node:crypto';

const VERSION_LENGTH = 12;

/**
 * Returns the path of a user's picture on our own origin, null for none. Discord's own address would expose the Discord
 * id, which stays in auth (services/README.md#erasure), and would need another host in the content security policy. The
 * version changes with the picture, so that it can be cached for long.
 */
export function avatarPath(user: { _id: string; avatar: string | null }): string | null {
  if (user.avatar === null) return null;
  const version = createHash('sha256').update(user.avatar).digest('hex').slice(0, VERSION_LENGTH);
  return `/api/users/${user._id}/avatar?v=${version}`;
}

/** Returns the bytes of a `data:` image; null for Discord's hash. */
export function avatarData(avatar: string): { type: string; bytes: Buffer } | null {
  const match = /^data:(image\/[a-z]+);base64,(.+)$/.exec(avatar);
  const [, type, base64] = match ?? [];
  return type && base64 ? { type, bytes: Buffer.from(base64, 'base64') } : null;
}
