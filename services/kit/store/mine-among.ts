import type { mongo } from 'mongoose';
import { SWEEP_SCAN_MAX } from '../bounds.js';
import type { Mine } from '../periodic.js';

/**
 * The first documents of a search that are this replica's (`Turn.mine`); those of other replicas are passed over, up to a bound:
 * they go as their replicas do them.
 */
export async function mineAmong<D extends { _id: string }>(
  found: mongo.FindCursor<D>,
  limit: number,
  mine: Mine,
): Promise<D[]> {
  const taken: D[] = [];
  for await (const document of found.limit(SWEEP_SCAN_MAX)) {
    if (mine(document._id)) taken.push(document);
    if (taken.length >= limit) break;
  }
  return taken;
}
