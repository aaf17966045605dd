/** Where a user stood of all time when this device asked last, and who stood right behind. */
export interface RankSeen {
  userId: string;
  rank: number;
  /** Their ids, the nearest first. */
  behind: readonly string[];
}

/** What a device had kept of this user's rank; null while unranked, or where it has not asked. */
export function readRankSeen(text: string | null, userId: string): RankSeen | null {
  try {
    const kept = JSON.parse(text ?? 'null') as Record<string, unknown> | null;
    if (kept?.userId !== userId || typeof kept.rank !== 'number' || !Array.isArray(kept.behind)) return null;
    return { userId, rank: kept.rank, behind: kept.behind.filter((id) => typeof id === 'string') };
  } catch {
    return null;
  }
}
