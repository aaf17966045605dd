import { isRankNews } from '@cord/contracts/rules/notices';

/** How the first of a ranking stood when a UTC day was over. */
interface Closing {
  dayKey: string;
  /** By rank. */
  userIds: readonly string[];
}

/** Who moved between two closings as far as is worth a notice. */
export interface Moved {
  userId: string;
  rank: number;
  before: number;
  /** How many passed this user; the nearest of them. */
  passedBy: number;
  nearest?: string;
}

/** Compares a day with the one that was closed before it. A user who is in only one of both is left out: how far that was is not known. */
export function movedSince(before: Closing, { userIds }: Pick<Closing, 'userIds'>): Moved[] {
  const ranksBefore = new Map(before.userIds.map((userId, index) => [userId, index + 1]));
  return userIds.flatMap((userId, index) => {
    const [rank, rankBefore] = [index + 1, ranksBefore.get(userId)];
    if (rankBefore === undefined || rankBefore === rank || !isRankNews(rankBefore, rank)) return [];
    if (rank < rankBefore) return [{ userId, rank, before: rankBefore, passedBy: 0 }];
    const passers = userIds
      .slice(0, index)
      .filter((one) => (ranksBefore.get(one) ?? Number.POSITIVE_INFINITY) > rankBefore);
    const nearest = passers.at(-1);
    return nearest === undefined ? [] : [{ userId, rank, before: rankBefore, passedBy: passers.length, nearest }];
  });
}
