import type { Context } from 'koa';
import { forbidden } from '../problem.js';

export interface Credentials {
  token: string;
  by: 'bearer' | 'cookie';
}

/** The cookie of a sign-in session: `__Host-cord`; `cord` where the site is plain http (services/auth/README.md#a-sign-in). */
export function sessionCookieName(publicOrigin: string): '__Host-cord' | 'cord' {
  return publicOrigin.startsWith('https:') ? '__Host-cord' : 'cord';
}

/** The token of a request; with both, the bearer counts. */
export function credentialsOf(ctx: Context, cookieName: string): Credentials | null {
  const bearer = /^Bearer +([\w.-]+)$/i.exec(ctx.get('authorization'))?.[1];
  if (bearer) return { token: bearer, by: 'bearer' };
  const cookie = ctx.cookies.get(cookieName);
  return cookie ? { token: cookie, by: 'cookie' } : null;
}

/**
 * A write authorised by cookie must come from our own pages (services/README.md#sign-in-and-rights): Origin is PUBLIC_ORIGIN,
 * or Sec-Fetch-Site says same-origin. With neither header it is refused.
 * @throws Problem 403
 */
export function requireSameOrigin(ctx: Context, publicOrigin: string): void {
  const origin = ctx.get('origin');
  const sameOrigin = origin ? origin === publicOrigin : ctx.get('sec-fetch-site') === 'same-origin';
  if (!sameOrigin) throw forbidden('cross-origin', 'This request did not come from our site');
}

/** Methods that write. */
export function isWrite(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS';
}
