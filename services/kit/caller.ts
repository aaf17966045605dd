import type { ServiceName } from '@cord/contracts/endpoint';
import { type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import { CALLER_LIFETIME_MS, CALLER_TOKENS_KEPT_MAX, CALLER_TOLERANCE_MS } from './bounds.js';
import { callerKeyOf } from './caller-key.js';
import { lru } from './lru.js';

/*
 * The caller, as the gateway has authenticated it. Each call to a service carries a gateway token, signed for this service only and valid
 * for 60 s, with the user, the session and its rights. Cookies and session tokens stop at the gateway.
 */

/** The signed-in user of a call. */
export interface SessionUser {
  /** User id, 32 hex characters. */
  id: string;
  sessionId: string;
  roles: readonly 'admin'[];
  isAdmin: boolean;
  /** From when this admin may confirm proposals, ms since epoch (services/auth/README.md); absent for others. */
  confirmsFromMs?: number;
  /** The key that signed the session's token. */
  keyId: string;
  /** When the user signed in, ms since epoch. */
  issuedAtMs: number;
  expiresAtMs: number;
}

export interface Caller {
  /** Null for a caller who is not signed in. */
  user: SessionUser | null;
  /** Source of the session: a browser's cookie, or a bearer. Null without a user. */
  by: 'cookie' | 'bearer' | null;
  /** The gateway may have missed ended sessions or revoked roles: writes and reads of others' data are refused. */
  isStale: boolean;
  /** Why a given session was not checked: calls that need a user get this status, with Retry-After in s. */
  unchecked: { status: 429 | 503; seconds: number } | null;
}

const ALGORITHM = 'HS256';
const ISSUER = 'cord-gateway';
const TYPE = 'cord-caller+jwt';

const id = z.string().regex(/^[0-9a-f]{32}$/);
const claims = z.object({
  /** User id. */
  sub: id.optional(),
  session: z
    .object({ id, key: z.string(), by: z.enum(['cookie', 'bearer']), fromMs: z.number(), toMs: z.number() })
    .optional(),
  roles: z.array(z.string()).default([]),
  confirmsFromMs: z.number().optional(),
  stale: z.boolean().default(false),
  unchecked: z.object({ status: z.union([z.literal(429), z.literal(503)]), seconds: z.number() }).optional(),
});

/**
 * Returns a function that signs a service's caller, with the same token for half of its lifetime.
 * @param gatewayKey GATEWAY_KEY
 * @param options.lifetimeMs lifetime of a token by the machine's clock, ms
 */
export function callerSigner(gatewayKey: string, { lifetimeMs = CALLER_LIFETIME_MS } = {}) {
  const made = lru<string, { token: Promise<string>; untilMs: number }>(CALLER_TOKENS_KEPT_MAX);
  const keys = new Map<ServiceName, string>();
  return (service: ServiceName, caller: Caller): Promise<string> => {
    const name = `${service} ${JSON.stringify(caller)}`;
    const nowMs = Date.now();
    const before = made.get(name);
    if (before && nowMs < before.untilMs) return before.token;
    const key = keys.get(service) ?? callerKeyOf(gatewayKey, service);
    keys.set(service, key);
    const token = signCaller(caller, service, key, nowMs + lifetimeMs);
    made.set(name, { token, untilMs: nowMs + lifetimeMs / 2 });
    return token;
  };
}

/**
 * Signs one token.
 * @param audience the receiving service
 * @param untilMs expiry, ms since epoch by the machine's clock
 */
export function signCaller(
  caller: Caller,
  audience: ServiceName | ServiceName[],
  callerKey: string,
  untilMs: number,
): Promise<string> {
  return new SignJWT(payloadOf(caller))
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
    .setIssuer(ISSUER)
    .setAudience(audience)
    .setExpirationTime(Math.ceil(untilMs / 1_000))
    .sign(keyBytes(callerKey));
}

/**
 * Returns a function that reads the gateway's tokens.
 * @param callerKeys CALLER_KEY of the service; during a renewal the former one too
 * @returns null for a token that is malformed, for another service, or expired
 */
export function callerReader(service: ServiceName, callerKeys: readonly string[]) {
  const keys = callerKeys.map(keyBytes);
  const read = lru<string, { caller: Caller; untilMs: number }>(CALLER_TOKENS_KEPT_MAX);
  const expected = { algorithms: [ALGORITHM], typ: TYPE, issuer: ISSUER, audience: service };
  return async (token: string): Promise<Caller | null> => {
    const known = read.get(token);
    if (known) return Date.now() < known.untilMs ? known.caller : null;
    for (const key of keys) {
      try {
        const options = { ...expected, requiredClaims: ['exp'], clockTolerance: CALLER_TOLERANCE_MS / 1_000 };
        const { payload } = await jwtVerify(token, key, options);
        const caller = callerIn(claims.parse(payload));
        read.set(token, { caller, untilMs: (payload.exp ?? 0) * 1_000 + CALLER_TOLERANCE_MS });
        return caller;
      } catch {
        // Signed with the other key, or not for this service.
      }
    }
    return null;
  };
}

const keyBytes = (key: string) => new TextEncoder().encode(key);

function payloadOf({ user, by, isStale, unchecked }: Caller): JWTPayload {
  return {
    ...(user && by
      ? {
          sub: user.id,
          session: { id: user.sessionId, key: user.keyId, by, fromMs: user.issuedAtMs, toMs: user.expiresAtMs },
          roles: [...user.roles],
          ...(user.confirmsFromMs === undefined ? {} : { confirmsFromMs: user.confirmsFromMs }),
        }
      : {}),
    ...(isStale ? { stale: true } : {}),
    ...(unchecked ? { unchecked } : {}),
  };
}

function callerIn({ sub, session, roles, confirmsFromMs, stale, ...rest }: z.output<typeof claims>): Caller {
  const unchecked = rest.unchecked ?? null;
  if (!sub || !session) return { user: null, by: null, isStale: stale, unchecked };
  const isAdmin = roles.includes('admin');
  const user: SessionUser = {
    id: sub,
    sessionId: session.id,
    roles: isAdmin ? ['admin'] : [],
    isAdmin,
    ...(confirmsFromMs === undefined ? {} : { confirmsFromMs }),
    keyId: session.key,
    issuedAtMs: session.fromMs,
    expiresAtMs: session.toMs,
  };
  return { user, by: session.by, isStale: stale, unchecked };
}
