import { z } from 'zod';

/* Keys and values of auth's rights that a session check reads (@cord/contracts/rpc/rights). */

export const revocation = z.object({ notBeforeMs: z.number() });
/** Roles of a newer release are ignored. */
export const userRoles = z.object({ roles: z.array(z.string()), confirmsFromMs: z.number() });
export type Role = 'admin';

export const signingKeyKey = (kid: string): string => `key.${kid}`;
export const sessionRevocationKey = (sessionId: string): string => `jti.${sessionId}`;
/** Returns the session id in such a key; null for another key. */
export const revokedSessionOf = (key: string): string | null => (key.startsWith('jti.') ? key.slice(4) : null);
export const userRevocationKey = (userId: string): string => `user.${userId}`;
export const roleKey = (userId: string): string => `role.${userId}`;
