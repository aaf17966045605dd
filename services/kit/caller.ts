import type { ServiceName } from '@cord/contracts/endpoint';
import { type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import { CALLER_LIFETIME_MS, CALLER_TOKENS_KEPT_MAX, CALLER_TOLERANCE_MS } from './bounds.js';
import { callerKeyOf } from './caller-key.js';
import { lru } from './lru.js';

/*
 * Who calls, as the gateway has found it. Each call of a service brings a token of the gateway: signed for this one service, good for 60 s,
 * with the user, the session and its rights. Cookies and session tokens end at the gateway.
 */

/** Who is calling. */
export interface SessionUser {
  /** User id, 32 hex characters. */
  id: string;
  sessionId: string;
  roles: readonly 'admin'[];
  isAdmin: boolean;
  /** An admin confirms what was proposed from then on, ms since epoch (services/auth/README.md); absent for others. */
  confirmsFromMs?: number;
  /** The key that signed the session's token. */
  keyId: string;
  /** When the user signed in, ms since epoch. */
  issuedAtMs: number;
  expiresAtMs: number;
}

export interface Caller {
  /** Null for a caller that is not signed in. */
  user: SessionUser | null;
  /** How the session came: a browser's cookie, or a bearer. Null without a user. */
  by: 'cookie' | 'bearer' | null;
  /** The gateway may have missed that sessions have ended or roles were taken: writes are refused, and what is of others. */
  isStale: boolean;
  /** Why a session that came along was not checked: what needs a user is refused with this status, and Retry-After in s. */
  unchecked: { status: 429 | 503; seconds: number } | null;
}

const ALGORITHM = 'HS256';
const ISSUER = 'cord-gateway';
const TYPE = 'cord-caller+jwt';

const id = z.string().regex(/^[0-9a-f]{32}$/);
const claims = z.object({
  /** The user. */
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
 * Signs who calls a service. The same caller within half of a token's life gets the same one.
 * @param gatewayKey GATEWAY_KEY
 * @param options.lifetimeMs how long a token is good by the machine's clock, ms
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
 * One token.
 * @param audience the service that it is for
 * @param untilMs how long it is good, ms since epoch by the machine's clock
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
 * Reads tokens of the gateway.
 * @param callerKeys CALLER_KEY of the service; while it is renewed, the former one, too
 * @returns null for what is none, is for another service, or is too old
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
        // Signed with the other key, or not for us.
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
