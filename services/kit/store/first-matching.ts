import type { mongo } from 'mongoose';
import { SWEEP_SCAN_MAX } from '../bounds.js';

/** Which documents are to be taken, by their ids; the others are passed over for now. */
export type IdFilter = (id: string) => boolean;

/** The first documents of a search that are to be taken; of those that are passed over at most SWEEP_SCAN_MAX are read. */
export async function firstMatching<D extends { _id: string }>(
  found: mongo.FindCursor<D>,
  limit: number,
  takes: IdFilter,
): Promise<D[]> {
  const taken: D[] = [];
  for await (const document of found.limit(SWEEP_SCAN_MAX)) {
    if (takes(document._id)) taken.push(document);
    if (taken.length >= limit) break;
  }
  return taken;
}
