import type { mongo } from 'mongoose';
import { SWEEP_SCAN_MAX } from '../bounds.js';

/** Selects documents by id; the others are skipped for now. */
export type IdFilter = (id: string) => boolean;

/** Returns the first documents of a search that match; reads at most SWEEP_SCAN_MAX. */
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
