import { z } from 'zod';
import { id128 } from '../http/fields.js';
import { rpc } from './rpc.js';

/** All-time rank of a user; null while unranked. */
export const rankRpc = rpc('rank.get', z.object({ userId: id128 }), z.object({ rank: z.number().int().nullable() }));
