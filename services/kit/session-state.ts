import { BUCKETS } from '@cord/contracts/events/streams';
import { z } from 'zod';
import type { Nats } from './nats.js';
import { type PublicJwk, publicJwk } from './session-token.js';

/*
 * What stands in the three watched buckets, and who writes it: auth alone. Values are JSON.
 *   cord_jwks          <kid>            the public JWK
 *   cord_revocations   jti.<jti>        {notBeforeMs}: this session is ended
 *                      user.<userId>    {notBeforeMs}: sessions issued before are ended
 *   cord_roles         <userId>         {roles: ['admin']}
 */

export const revocation = z.object({ notBeforeMs: z.number() });
export const userRoles = z.object({ roles: z.array(z.enum(['admin'])) });
export type Role = z.output<typeof userRoles>['roles'][number];

export const sessionRevocationKey = (sessionId: string): string => `jti.${sessionId}`;
export const userRevocationKey = (userId: string): string => `user.${userId}`;

/** The writing side, for auth. Every write resolves when the server has it; services hold it within a second. */
export interface SessionStateWriter {
  putKey(jwk: PublicJwk): Promise<void>;
  removeKey(kid: string): Promise<void>;
  revokeSession(sessionId: string, nowMs: number): Promise<void>;
  /** Ends every session of the user that was issued before `nowMs`. */
  revokeUser(userId: string, nowMs: number): Promise<void>;
  /** Takes a revocation away once every session that it meant has expired. */
  forgetSession(sessionId: string): Promise<void>;
  forgetUser(userId: string): Promise<void>;
  setRoles(userId: string, roles: Role[]): Promise<void>;
}

export async function sessionStateWriter(nats: Nats): Promise<SessionStateWriter> {
  const [jwks, revocations, roles] = await Promise.all([
    nats.kv(BUCKETS.jwks),
    nats.kv(BUCKETS.revocations),
    nats.kv(BUCKETS.roles),
  ]);
  return {
    putKey: async (jwk) => void (await jwks.put(jwk.kid, JSON.stringify(publicJwk.parse(jwk)))),
    removeKey: (kid) => jwks.delete(kid),
    revokeSession: async (sessionId, nowMs) =>
      void (await revocations.put(sessionRevocationKey(sessionId), JSON.stringify({ notBeforeMs: nowMs }))),
    revokeUser: async (userId, nowMs) =>
      void (await revocations.put(userRevocationKey(userId), JSON.stringify({ notBeforeMs: nowMs }))),
    forgetSession: (sessionId) => revocations.purge(sessionRevocationKey(sessionId)),
    forgetUser: (userId) => revocations.purge(userRevocationKey(userId)),
    setRoles: async (userId, list) => void (await roles.put(userId, JSON.stringify({ roles: list }))),
  };
}
