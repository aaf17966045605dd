import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeProtectedHeader } from 'jose';
import {
  RIGHTS_STALE_MS,
  SESSION_CACHE_MAX,
  SESSION_SETTLE_MS_MAX,
  SESSION_TOKEN_CHARS_MAX,
  UNKNOWN_KEY_REFETCH_MS,
} from '../bounds.js';
import type { SessionUser } from '../caller.js';
import type { Clock } from '../clock.js';
import type { Log } from '../log.js';
import { lru } from '../lru.js';
import type { Nats } from '../nats.js';
import { notTaken } from '../problem.js';
import { copyRights, type RightsCopy } from './rights-copy.js';
import {
  type Role,
  revocation,
  sessionRevocationKey,
  signingKeyKey,
  userRevocationKey,
  userRoles,
} from './session-state.js';
import { importSessionKey, readSession, type SessionClaims, type SessionKey } from './session-token.js';

export type SessionCheck = ReturnType<typeof createSessionCheck>;

interface SessionCheckOptions {
  clock: Clock;
  log: Log;
}

/** Checks sign-in sessions with a copy of auth's rights, without a request to auth for each. Only the gateway has one. */
export function createSessionCheck({ clock, log }: SessionCheckOptions) {
  const verified = lru<string, SessionClaims>(SESSION_CACHE_MAX);
  const keys = new Map<string, Promise<SessionKey | null>>();
  const roles = new Map<string, HeldRoles>();
  const notBeforeMs = new Map<string, number>();
  let copy: RightsCopy | undefined;
  let refetch: { kid: string; atMs: number; done: Promise<void> | undefined } | undefined;

  const onChange = (rightsKey: string, value: unknown): void => {
    const dot = rightsKey.indexOf('.');
    const id = rightsKey.slice(dot + 1);
    const kind = rightsKey.slice(0, dot);
    if (kind === 'key') setOrDelete(keys, id, value === null ? null : importKey(value, log));
    if (kind === 'jti' || kind === 'user')
      setOrDelete(notBeforeMs, rightsKey, value === null ? null : readRevocation(value, log));
    if (kind === 'role') setOrDelete(roles, id, value === null ? null : readRoles(value, log));
  };

  const assertReady = (): void => {
    if (copy?.isReady()) return;
    throw notTaken('session-state-unknown', 'Sign-in cannot be checked right now. Please try again.', 2);
  };

  const keyOf = async (kid: string): Promise<SessionKey | null> => {
    const known = keys.get(kid);
    if (known) return known;
    // A kid may be newer than the copy; one request in 30 s, so that made-up kids cost nothing.
    if (!refetch || performance.now() - refetch.atMs >= UNKNOWN_KEY_REFETCH_MS)
      refetch = { kid, atMs: performance.now(), done: copy?.refresh(signingKeyKey(kid)) };
    // Concurrent callers with the same kid wait for the same response.
    if (refetch.kid !== kid) return null;
    await refetch.done;
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
      const claims = await readSession(token, key);
      verified.set(tokenHash, claims);
      return claims;
    } catch {
      return null;
    }
  };

  const isValid = (userId: string, session: Omit<SessionClaims, 'userId'>): boolean => {
    if (session.expiresAtMs <= clock.now()) return false;
    if (!keys.has(session.keyId)) return false;
    if (copy?.isEnded(session.sessionId) || notBeforeMs.has(sessionRevocationKey(session.sessionId))) return false;
    const userNotBeforeMs = notBeforeMs.get(userRevocationKey(userId));
    return userNotBeforeMs === undefined || session.issuedAtMs >= userNotBeforeMs;
  };

  const userOf = (claims: SessionClaims | null | undefined): SessionUser | null => {
    if (!claims || !isValid(claims.userId, claims)) return null;
    const { list, confirmsFromMs } = roles.get(claims.userId) ?? NO_ROLES;
    const { userId: id, sessionId, keyId, issuedAtMs, expiresAtMs } = claims;
    const since = confirmsFromMs === undefined ? {} : { confirmsFromMs };
    return { id, sessionId, roles: list, isAdmin: list.includes('admin'), ...since, keyId, issuedAtMs, expiresAtMs };
  };

  return {
    /**
     * Starts following keys, revocations and roles. Resolves after the first read, or when the first request gets no
     * response: auth may start later.
     */
    async start(nats: Nats) {
      copy = copyRights(nats, onChange);
      await Promise.race([copy.ready, copy.tried]);
    },
    /** Resolves when all that auth has published before this moment holds here, or after SESSION_SETTLE_MS_MAX. */
    async settle() {
      const late = sleep(SESSION_SETTLE_MS_MAX, undefined, { ref: false });
      await Promise.race([copy?.settled().catch(() => undefined), late]);
    },
    /**
     * Returns the user of a token, or null for an invalid, expired or revoked one.
     * @throws Problem 503 while keys and revocations were never read
     */
    async verify(token: string) {
      assertReady();
      if (token.length > SESSION_TOKEN_CHARS_MAX) return null;
      return userOf(await claimsOf(token));
    },
    /**
     * The same for a token whose signature `verify` has checked before; null for any other. Costs no signature check.
     * @throws as `verify`
     */
    verifyKnown(token: string) {
      assertReady();
      return token.length > SESSION_TOKEN_CHARS_MAX ? null : userOf(knownClaimsOf(token));
    },
    /** Whether a user found by `verify` is still valid: not expired, not revoked, the key in use. */
    isStillValid: (user: SessionUser) => isValid(user.id, user),
    /** Writes are refused while true: revocations may be missing (services/README.md#sign-in-and-rights). */
    isStale: () => !copy || copy.staleMs() > RIGHTS_STALE_MS,
    ready: () => copy?.isReady() ?? false,
    async stop() {
      await copy?.stop();
    },
  };
}

function setOrDelete<V>(map: Map<string, V>, key: string, value: V | null): void {
  if (value === null) map.delete(key);
  else map.set(key, value);
}

async function importKey(value: unknown, log: Log): Promise<SessionKey | null> {
  try {
    return await importSessionKey(value);
  } catch (err) {
    log.error({ err }, 'a published key cannot be read');
    return null;
  }
}

/** An unreadable revocation ends the session all the same. */
function readRevocation(value: unknown, log: Log): number {
  const parsed = revocation.safeParse(value);
  if (parsed.success) return parsed.data.notBeforeMs;
  log.error('a revocation cannot be read; ending every session that it covers');
  return Number.POSITIVE_INFINITY;
}

interface HeldRoles {
  list: readonly Role[];
  confirmsFromMs?: number | undefined;
}

const NO_ROLES: HeldRoles = { list: [] };

/** Unreadable roles count as none. */
function readRoles(value: unknown, log: Log): HeldRoles {
  const parsed = userRoles.safeParse(value);
  if (parsed.success) {
    const { roles, confirmsFromMs } = parsed.data;
    return { list: roles.filter((role) => role === 'admin'), confirmsFromMs };
  }
  log.error('roles cannot be read; the user has none');
  return NO_ROLES;
}
