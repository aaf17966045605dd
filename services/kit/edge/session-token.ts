import { SESSION_MS } from '@cord/contracts/rules/timings';
import { type CryptoKey, importJWK, type JWK, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';

/** The only algorithm of sign-in sessions. */
export const SESSION_ALGORITHM = 'EdDSA';

/** The content of a sign-in session (services/README.md#sign-in-and-rights). */
export interface SessionClaims {
  userId: string;
  /** jti: the sign-in session's id. */
  sessionId: string;
  /** ms since epoch, exact: a sign-in right after a revocation must count as later. */
  issuedAtMs: number;
  expiresAtMs: number;
  keyId: string;
}

/** Issuer and audience of sessions; the same key may sign other things one day. */
export const SESSION_ISSUER = 'cord-auth';
const AUDIENCE = 'cord';
const TYPE = 'JWT';

/** Public half of a signing key, announced under `key.<kid>`. */
export const publicJwk = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string().min(1),
  kid: z.string().min(1).max(128),
  alg: z.string().optional(),
  use: z.string().optional(),
  /** Every token of the key names this issuer. */
  iss: z.literal(SESSION_ISSUER),
});
export type PublicJwk = z.output<typeof publicJwk>;

/** A public key for verifying sessions. */
export interface SessionKey {
  kid: string;
  key: CryptoKey;
}

/** @throws zod's or jose's error for anything but a public Ed25519 key */
export async function importSessionKey(value: unknown): Promise<SessionKey> {
  const { kty, crv, x, kid } = publicJwk.parse(value);
  const key = await importJWK({ kty, crv, x }, SESSION_ALGORITHM);
  if (key instanceof Uint8Array) throw new Error('not a public key');
  return { kid, key };
}

const claims = z.object({
  iss: z.literal(SESSION_ISSUER),
  aud: z.literal(AUDIENCE),
  sub: z.string().regex(/^[0-9a-f]{32}$/),
  jti: z.string().regex(/^[0-9a-f]{32}$/),
  iat: z.number().positive(),
  exp: z.number().positive(),
});

interface SignOptions {
  userId: string;
  sessionId: string;
  nowMs: number;
  /** Default 7 days. */
  lifetimeMs?: number;
}

/** Signs a session token. `iat` and `exp` are seconds with decimals for the ms. */
export function signSession(key: CryptoKey | JWK, keyId: string, options: SignOptions): Promise<string> {
  return new SignJWT()
    .setProtectedHeader({ alg: SESSION_ALGORITHM, kid: keyId, typ: TYPE })
    .setIssuer(SESSION_ISSUER)
    .setAudience(AUDIENCE)
    .setSubject(options.userId)
    .setJti(options.sessionId)
    .setIssuedAt(options.nowMs / 1_000)
    .setExpirationTime((options.nowMs + (options.lifetimeMs ?? SESSION_MS)) / 1_000)
    .sign(key);
}

/** Verifies signature, algorithm, type, issuer, audience and shape. The caller checks expiry by the kit's clock. @throws jose's or zod's error */
export async function readSession(token: string, { kid, key }: SessionKey): Promise<SessionClaims> {
  const { payload } = await jwtVerify(token, key, {
    algorithms: [SESSION_ALGORITHM],
    typ: TYPE,
    currentDate: new Date(0),
    clockTolerance: Number.MAX_SAFE_INTEGER,
  });
  const { sub, jti, iat, exp } = claims.parse(payload);
  return {
    userId: sub,
    sessionId: jti,
    issuedAtMs: Math.round(iat * 1_000),
    expiresAtMs: Math.round(exp * 1_000),
    keyId: kid,
  };
}
