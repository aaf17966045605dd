import { z } from 'zod';
import { SERVICES } from '../address.js';
import type { DeclaredRpc } from './rpc.js';

/*
 * How signing keys, revocations and roles reach the services (services/README.md#sign-in-and-rights): auth's own NATS account
 * exports these two subjects, and nothing else of it can be reached. What a service believes comes only as an answer to
 * a request of its own; a message names only what to request, so that a forged one changes nothing.
 *   key.<kid>        the public JWK
 *   jti.<sessionId>  {notBeforeMs}: this session is ended
 *   user.<userId>    {notBeforeMs}: sessions issued before are ended
 *   role.<userId>    {roles: ['admin'], confirmsFromMs}: since when they confirm what others propose
 *   switch.all       {off: ['claims', ...]} (switches.ts); requested by itself, and in no page of the whole
 */

/** Changes, and a heartbeat of each replica of auth. */
export const RIGHTS_CHANGED = 'cord.rights.v1.changed';

/** Keys that one message or one request may name. */
export const RIGHTS_KEYS_MAX = 256;

const rightsKey = z.string().min(3).max(200);

/** What one replica of auth publishes: it has announced `n` changes in its life, the last of them of these keys. */
export const rightsChanged = z.object({
  /** One life of one replica. */
  source: z.string().min(1).max(64),
  n: z.number().int().min(0),
  /** None in a heartbeat. */
  keys: z.array(rightsKey).max(RIGHTS_KEYS_MAX),
});
export type RightsChanged = z.output<typeof rightsChanged>;

const rightsEntry = z.object({
  key: rightsKey,
  /** Null for what is not there (any more). */
  value: z.unknown(),
});
export type RightsEntry = z.output<typeof rightsEntry>;

const rightsRequest = z.union([
  z.object({ keys: z.array(rightsKey).min(1).max(RIGHTS_KEYS_MAX) }),
  /** The whole, page by page: null for the first, then the position of the last answer. */
  z.object({ after: rightsKey.nullable() }),
]);

const rightsReply = z.object({
  entries: z.array(rightsEntry),
  /** In a page of the whole: the ids of ended sessions (32 hex characters each), 16 bytes each, as base64. These are not among the entries. */
  ended: z.string().optional(),
  /** Where the next page of the whole begins; null after the last one. */
  next: rightsKey.nullable(),
});
export type RightsPage = z.output<typeof rightsReply>;

/** Requests these keys from auth, or for a page of the whole. */
export const rightsRpc: DeclaredRpc<typeof rightsRequest, typeof rightsReply> = {
  subject: 'cord.rights.v1.state',
  request: rightsRequest,
  reply: rightsReply,
  from: [...SERVICES, 'gateway'],
  by: 'rights',
};
