import type { IncomingMessage } from 'node:http';
import { forbidden } from '../problem.js';

type WithHeaders = Pick<IncomingMessage, 'headers'>;

interface Credentials {
  token: string;
  by: 'bearer' | 'cookie';
}

/** Cookie name of a sign-in session: `__Host-cord`, or `cord` when the site is plain http. */
export function sessionCookieName(publicOrigin: string): '__Host-cord' | 'cord' {
  return publicOrigin.startsWith('https:') ? '__Host-cord' : 'cord';
}

/** Returns the token of `Authorization: Bearer`. */
export function bearerOf({ headers }: WithHeaders): string | undefined {
  return /^Bearer +([\w.-]+)$/i.exec(headers.authorization ?? '')?.[1];
}

/** Returns the session token of a request; a bearer takes precedence over the cookie. */
export function credentialsOf(request: WithHeaders, cookieName: string): Credentials | null {
  const bearer = bearerOf(request);
  if (bearer) return { token: bearer, by: 'bearer' };
  const cookie = cookiesIn(request.headers.cookie).find(([name]) => name === cookieName)?.[1];
  return cookie ? { token: cookie, by: 'cookie' } : null;
}

/** Returns a Cookie header without one cookie; undefined when none is left. */
export function withoutCookie(header: string | undefined, name: string): string | undefined {
  const rest = cookiesIn(header).filter(([each]) => each !== name);
  return rest.length === 0 ? undefined : rest.map((pair) => pair.join('=')).join('; ');
}

function cookiesIn(header = ''): [string, string][] {
  return header.split(';').flatMap((text): [string, string][] => {
    const at = text.indexOf('=');
    return at < 0 ? [] : [[text.slice(0, at).trim(), text.slice(at + 1).trim()]];
  });
}

/**
 * A write authorised by cookie must come from our own pages: Origin is PUBLIC_ORIGIN,
 * or Sec-Fetch-Site is same-origin. With neither header it is refused.
 * @throws Problem 403
 */
export function requireSameOrigin({ headers }: WithHeaders, publicOrigin: string): void {
  const { origin } = headers;
  const sameOrigin = origin ? origin === publicOrigin : headers['sec-fetch-site'] === 'same-origin';
  if (!sameOrigin) throw forbidden('cross-origin', 'This request did not come from our site');
}

/** Whether a method writes. */
export function isWrite(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS';
}
