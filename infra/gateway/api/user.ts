import type { IncomingMessage } from 'node:http';

const IN_PATH = /^\/api\/users\/([0-9a-f]{32})(?:[/?]|$)/;
const BEARER = /^Bearer +[\w-]+\.([\w-]+)\./i;
const COOKIE = /(?:^|; *)(?:__Host-)?cord=[\w-]+\.([\w-]+)\./;
/** A token of ours is some 400 characters long. */
const CLAIMS_CHARS_MAX = 2_048;

/** Whether whoever calls says to be signed in. */
export function hasSession({ authorization = '', cookie = '' }: IncomingMessage['headers']): boolean {
  return BEARER.test(authorization) || COOKIE.test(cookie);
}

/**
 * Whose call this is, so that it goes to the replica that has the user: the path's user, else the token's. Believed without
 * a check, for it decides nothing but the way: the service checks who calls, and a wrong way costs a read.
 */
export function userOf({ url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>): string | undefined {
  const inPath = IN_PATH.exec(url)?.[1];
  if (inPath) return inPath;
  const claims = BEARER.exec(headers.authorization ?? '')?.[1] ?? COOKIE.exec(headers.cookie ?? '')?.[1];
  if (!claims || claims.length > CLAIMS_CHARS_MAX) return undefined;
  try {
    const { sub } = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'));
    return typeof sub === 'string' && /^[0-9a-f]{32}$/.test(sub) ? sub : undefined;
  } catch {
    return undefined;
  }
}
