import { SESSION_MS } from '@cord/contracts/rules/timings';
import { type CryptoKey, type JWK, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';

/** The only algorithm of sign-in sessions. */
export const SESSION_ALGORITHM = 'EdDSA';

/** What a sign-in session says (design.md, Sign-in and rights). */
export interface SessionClaims {
  userId: string;
  /** jti: the sign-in session's id. */
  sessionId: string;
  /** ms since epoch, exact: a sign-in right after a revocation must count as later. */
  issuedAtMs: number;
  expiresAtMs: number;
  keyId: string;
}

/** Public half of a signing key, as services are told of it under `key.<kid>`. */
export const publicJwk = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string().min(1),
  kid: z.string().min(1).max(128),
  alg: z.string().optional(),
  use: z.string().optional(),
});
export type PublicJwk = z.output<typeof publicJwk>;

/** Who signs sessions and for whom; the same key may sign other things one day. */
const ISSUER = 'cord-auth';
const AUDIENCE = 'cord';
const TYPE = 'JWT';

/** From then on every token names its issuer and its audience: one without was issued before, and none of those lives a week longer. */
const NAMED_SINCE_MS = Date.UTC(2026, 10, 24);

const claims = z.object({
  iss: z.literal(ISSUER).optional(),
  aud: z.literal(AUDIENCE).optional(),
  sub: z.string().regex(/^[0-9a-f]{32}$/),
  jti: z.string().regex(/^[0-9a-f]{32}$/),
  iat: z.number().positive(),
  exp: z.number().positive(),
});

interface SignOptions {
  userId: string;
  sessionId: string;
  nowMs: number;
  /** Default 7 days (spec part 9). */
  lifetimeMs?: number;
}

/** Signs a session token. `iat` and `exp` are seconds with their ms as decimals. */
export function signSession(key: CryptoKey | JWK, keyId: string, options: SignOptions): Promise<string> {
  return new SignJWT()
    .setProtectedHeader({ alg: SESSION_ALGORITHM, kid: keyId, typ: TYPE })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setSubject(options.userId)
    .setJti(options.sessionId)
    .setIssuedAt(options.nowMs / 1_000)
    .setExpirationTime((options.nowMs + (options.lifetimeMs ?? SESSION_MS)) / 1_000)
    .sign(key);
}

/** Verifies signature, algorithm, type, issuer, audience and shape; expiry is the caller's, by the kit's clock. @throws jose's or zod's error */
export async function readSession(token: string, key: CryptoKey, keyId: string): Promise<SessionClaims> {
  const { payload } = await jwtVerify(token, key, {
    algorithms: [SESSION_ALGORITHM],
    typ: TYPE,
    currentDate: new Date(0),
    clockTolerance: Number.MAX_SAFE_INTEGER,
  });
  const { iss, aud, sub, jti, iat, exp } = claims.parse(payload);
  const isNamed = iss !== undefined && aud !== undefined;
  if (!isNamed && iat * 1_000 >= NAMED_SINCE_MS) throw new Error('the token names no issuer or no audience');
  return {
    userId: sub,
    sessionId: jti,
    issuedAtMs: Math.round(iat * 1_000),
    expiresAtMs: Math.round(exp * 1_000),
    keyId,
  };
}
