import { z } from 'zod';
import { SERVICES } from '../address.js';
import type { DeclaredRpc } from './rpc.js';

/*
 * How signing keys, revocations and roles reach the services (services/README.md#sign-in-and-rights). Auth's own NATS account
 * exports these two subjects and nothing else. A service trusts only responses to its own requests; a message names only the
 * keys to request, so a forged one changes nothing.
 *   key.<kid>        the public JWK
 *   jti.<sessionId>  {notBeforeMs}: this session is ended
 *   user.<userId>    {notBeforeMs}: sessions issued before are ended
 *   role.<userId>    {roles: ['admin'], confirmsFromMs}: since when they may confirm others' proposals
 *   switch.all       {off: ['claims', ...]} (switches.ts); requested by its key, and in no page of the whole
 */

/** Subject of changes, and of a heartbeat from each replica of auth. */
export const RIGHTS_CHANGED = 'cord.rights.v1.changed';

/** Maximum number of keys in one message or request. */
export const RIGHTS_KEYS_MAX = 256;

const rightsKey = z.string().min(3).max(200);

/** Message of one replica of auth: it has announced `n` changes since its start, the last one of these keys. */
export const rightsChanged = z.object({
  /** Random id of one run of one replica. */
  source: z.string().min(1).max(64),
  n: z.number().int().min(0),
  /** Empty in a heartbeat. */
  keys: z.array(rightsKey).max(RIGHTS_KEYS_MAX),
});
export type RightsChanged = z.output<typeof rightsChanged>;

const rightsEntry = z.object({
  key: rightsKey,
  /** Null when the key does not exist (any more). */
  value: z.unknown(),
});
export type RightsEntry = z.output<typeof rightsEntry>;

const rightsRequest = z.union([
  z.object({ keys: z.array(rightsKey).min(1).max(RIGHTS_KEYS_MAX) }),
  /** The whole, page by page: null for the first page, then `next` of the previous response. */
  z.object({ after: rightsKey.nullable() }),
]);

const rightsReply = z.object({
  entries: z.array(rightsEntry),
  /** In a page of the whole: ids of ended sessions, 16 bytes each, as base64. They are not in the entries. */
  ended: z.string().optional(),
  /** Start of the next page of the whole; null after the last one. */
  next: rightsKey.nullable(),
});
export type RightsPage = z.output<typeof rightsReply>;

/** Requests keys, or a page of the whole, from auth. */
export const rightsRpc: DeclaredRpc<typeof rightsRequest, typeof rightsReply> = {
  subject: 'cord.rights.v1.state',
  request: rightsRequest,
  reply: rightsReply,
  from: [...SERVICES, 'gateway'],
  by: 'rights',
};
