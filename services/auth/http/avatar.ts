import { boundedBytes } from '@cord/kit/http/bounded-body';
import { notFound } from '@cord/kit/problem';
import type { Context, Middleware } from 'koa';
import { LRUCache } from 'lru-cache';
import { avatarData, avatarPath } from '../domain/avatar.js';
import type { UserStore } from '../store/users.js';

interface Picture {
  type: string;
  bytes: Buffer;
}

const PICTURES_MAX = 500;
/** Maximum size of all cached pictures, bytes. */
const PICTURES_BYTES_MAX = 32 * 1024 * 1024;
const PICTURE_BYTES_MAX = 512 * 1024;
const CDN_TIMEOUT_MS = 3_000;
/** How long a picture missing at Discord is not requested again, ms: a user's change leaves such pictures in the rankings. */
const NONE_MS = 600_000;
const NONE: Picture = { type: '', bytes: Buffer.alloc(0) };
const PICTURE_TYPE = /^image\/(?:png|jpeg|gif|webp)$/;

/**
 * GET /users/:id/avatar?v=: serves a user's picture from our own origin, so that neither the Discord id nor the
 * visitor's address leaves the system, and the content security policy needs no other host.
 */
export function avatarRoute(deps: { users: UserStore; cdnUrl: string }): Middleware {
  const { users, cdnUrl } = deps;
  const pictures = new LRUCache<string, Picture>({
    max: PICTURES_MAX,
    maxSize: PICTURES_BYTES_MAX,
    sizeCalculation: ({ bytes }) => bytes.length + 1,
  });

  return async (ctx) => {
    const user = await users.byId(String((ctx as Context & { params: { id?: string } }).params.id));
    const path = user && avatarPath(user);
    if (!user || user.avatar === null || path === null) throw notFound('no-picture', 'Picture not found');
    const picture = pictures.get(path) ?? (await pictureOf(user.discordId, user.avatar));
    if (picture !== null) pictures.set(path, picture, picture === NONE ? { ttl: NONE_MS } : {});
    if (picture === null || picture === NONE) throw notFound('no-picture', 'Picture not found');
    // After an erasure it is shown at most this long, and only from the cache of a browser that had loaded it.
    ctx.set('Cache-Control', 'private, max-age=3600');
    ctx.type = picture.type;
    ctx.body = picture.bytes;
  };

  async function pictureOf(discordId: string, avatar: string): Promise<Picture | null> {
    return avatarData(avatar) ?? fetchPicture(`${cdnUrl}/avatars/${discordId}/${avatar}.png?size=128`);
  }
}

/** Fetches a picture from Discord; NONE when it has none, null when it does not respond. */
async function fetchPicture(url: string): Promise<Picture | null> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(CDN_TIMEOUT_MS), redirect: 'error' });
    const type = response.headers.get('content-type')?.split(';')[0]?.trim() ?? '';
    if (response.status === 429 || response.status >= 500) return null;
    if (!response.ok || !PICTURE_TYPE.test(type)) return NONE;
    return { type, bytes: await boundedBytes(response.body ?? [], PICTURE_BYTES_MAX) };
  } catch {
    return null;
  }
}
