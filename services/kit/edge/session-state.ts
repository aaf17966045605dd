import { z } from 'zod';

/* What a session check reads of auth's rights: their keys and values (@cord/contracts/rpc/rights). */

export const revocation = z.object({ notBeforeMs: z.number() });
/** Roles of a newer release are unknown here. */
export const userRoles = z.object({ roles: z.array(z.string()), confirmsFromMs: z.number() });
export type Role = 'admin';

export const signingKeyKey = (kid: string): string => `key.${kid}`;
export const sessionRevocationKey = (sessionId: string): string => `jti.${sessionId}`;
/** The session of such a key; null for another key. */
export const revokedSessionOf = (key: string): string | null => (key.startsWith('jti.') ? key.slice(4) : null);
export const userRevocationKey = (userId: string): string => `user.${userId}`;
export const roleKey = (userId: string): string => `role.${userId}`;
