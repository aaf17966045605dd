import { hash } from 'node:crypto';
import { BUCKETS } from '@cord/contracts/events/streams';
import { type CryptoKey, decodeProtectedHeader, importJWK } from 'jose';
import { SESSION_CACHE_MAX, SESSION_TOKEN_CHARS_MAX, UNKNOWN_KEY_REFETCH_MS, WATCH_STALE_MS } from './bounds.js';
import type { Clock } from './clock.js';
import type { Log } from './log.js';
import { createLru } from './lru.js';
import type { BucketWatch } from './nats/watch.js';
import type { Nats } from './nats.js';
import { unavailable } from './problem.js';
import { type Role, revocation, sessionRevocationKey, userRevocationKey, userRoles } from './session-state.js';
import { publicJwk, readSession, type SessionClaims } from './session-token.js';

/** Who is calling. */
export interface SessionUser {
  /** User id, 32 hex characters. */
  id: string;
  sessionId: string;
  roles: readonly Role[];
  isAdmin: boolean;
  issuedAtMs: number;
  expiresAtMs: number;
}

export interface SessionCheck {
  /** Begins to watch keys, revocations and roles; resolves when all three have been read. */
  start(nats: Nats): Promise<void>;
  /**
   * The user of a token, or null for one that does not hold (wrong, expired, revoked).
   * @throws Problem 503 while keys and revocations were never read
   */
  verify(token: string): Promise<SessionUser | null>;
  /**
   * The same of a token that `verify` has found to be signed by us before; null for every other one. Costs no check of
   * a signature. @throws as `verify`
   */
  verifyKnown(token: string): SessionUser | null;
  /** Writes are refused while this says so: revocations may be missing (design.md, Sign-in and rights). */
  isStale(): boolean;
  ready(): boolean;
  stop(): Promise<void>;
}

interface SessionCheckOptions {
  clock: Clock;
  log: Log;
}

/** Checks sign-in sessions by the watched key-value state, without asking auth. */
export function createSessionCheck({ clock, log }: SessionCheckOptions): SessionCheck {
  const verified = createLru<string, SessionClaims>(SESSION_CACHE_MAX);
  const keys = new Map<string, Promise<CryptoKey | null>>();
  const roles = new Map<string, readonly Role[]>();
  const notBeforeMs = new Map<string, number>();
  let watches: { jwks: BucketWatch; revocations: BucketWatch; roles: BucketWatch } | undefined;
  let refetchedAtMs = Number.NEGATIVE_INFINITY;

  const watchesOrThrow = () => {
    const { jwks, revocations } = watches ?? {};
    if (jwks?.isReady() && revocations?.isReady() && watches) return watches;
    throw unavailable('session-state-unknown', 'Sign-in cannot be checked right now. Please try again.', 2);
  };

  const keyOf = async (kid: string): Promise<CryptoKey | null> => {
    const known = keys.get(kid);
    if (known) return known;
    // A kid may be newer than the watch; asked for once in 30 s, so that made-up kids cost nothing.
    if (performance.now() - refetchedAtMs < UNKNOWN_KEY_REFETCH_MS) return null;
    refetchedAtMs = performance.now();
    await watches?.jwks.refresh(kid).catch((err: unknown) => log.warn({ err }, 'an unknown key was not found'));
    return keys.get(kid) ?? null;
  };

  const knownClaimsOf = (token: string) => verified.get(hash('sha256', token, 'base64'));

  const claimsOf = async (token: string): Promise<SessionClaims | null> => {
    const tokenHash = hash('sha256', token, 'base64');
    const cached = verified.get(tokenHash);
    if (cached) return cached;
    try {
      const { kid } = decodeProtectedHeader(token);
      if (typeof kid !== 'string' || !/^[\w-]{1,128}$/.test(kid)) return null;
      const key = await keyOf(kid);
      if (!key) return null;
      const claims = await readSession(token, key, kid);
      verified.set(tokenHash, claims);
      return claims;
    } catch {
      return null;
    }
  };

  const holds = (claims: SessionClaims): boolean => {
    if (claims.expiresAtMs <= clock.now()) return false;
    if (!keys.has(claims.keyId)) return false;
    if (notBeforeMs.has(sessionRevocationKey(claims.sessionId))) return false;
    const userNotBeforeMs = notBeforeMs.get(userRevocationKey(claims.userId));
    return userNotBeforeMs === undefined || claims.issuedAtMs >= userNotBeforeMs;
  };

  const userOf = (claims: SessionClaims | null | undefined): SessionUser | null => {
    if (!claims || !holds(claims)) return null;
    const list = roles.get(claims.userId) ?? [];
    const { userId: id, sessionId, issuedAtMs, expiresAtMs } = claims;
    return { id, sessionId, roles: list, isAdmin: list.includes('admin'), issuedAtMs, expiresAtMs };
  };

  return {
    async start(nats) {
      const started = {
        jwks: nats.watch(BUCKETS.jwks),
        revocations: nats.watch(BUCKETS.revocations),
        roles: nats.watch(BUCKETS.roles),
      };
      started.jwks.onChange((kid, value) => keep(keys, kid, value && importKey(value, log)));
      started.revocations.onChange((key, value) => keep(notBeforeMs, key, value && readRevocation(value, log)));
      started.roles.onChange((userId, value) => keep(roles, userId, value && readRoles(value, log)));
      watches = started;
      await Promise.all([started.jwks.ready, started.revocations.ready, started.roles.ready]);
    },
    async verify(token) {
      watchesOrThrow();
      if (token.length > SESSION_TOKEN_CHARS_MAX) return null;
      return userOf(await claimsOf(token));
    },
    verifyKnown(token) {
      watchesOrThrow();
      return token.length > SESSION_TOKEN_CHARS_MAX ? null : userOf(knownClaimsOf(token));
    },
    isStale: () => !watches || Object.values(watches).some((watch) => watch.staleMs() > WATCH_STALE_MS),
    ready: () => watches !== undefined && Object.values(watches).every((watch) => watch.isReady()),
    async stop() {
      await Promise.all(Object.values(watches ?? {}).map((watch) => watch.stop()));
    },
  };
}

function keep<V>(map: Map<string, V>, key: string, value: V | undefined | ''): void {
  if (value === undefined || value === '') map.delete(key);
  else map.set(key, value);
}

async function importKey(json: string, log: Log): Promise<CryptoKey | null> {
  try {
    const { kty, crv, x } = publicJwk.parse(JSON.parse(json));
    const key = await importJWK({ kty, crv, x }, 'EdDSA');
    return key instanceof Uint8Array ? null : key;
  } catch (err) {
    log.error({ err }, 'a published key cannot be read');
    return null;
  }
}

/** A revocation that cannot be read ends the session all the same. */
function readRevocation(json: string, log: Log): number {
  const parsed = revocation.safeParse(parse(json));
  if (parsed.success) return parsed.data.notBeforeMs;
  log.error('a revocation cannot be read; it counts for every session');
  return Number.POSITIVE_INFINITY;
}

/** Roles that cannot be read are none. */
function readRoles(json: string, log: Log): readonly Role[] {
  const parsed = userRoles.safeParse(parse(json));
  if (parsed.success) return parsed.data.roles;
  log.error('roles cannot be read; they count as none');
  return [];
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
