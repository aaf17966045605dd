import { isNotableRankChange } from '@cord/contracts/rules/notices';

/** The top of a ranking at the end of a UTC day. */
interface Closing {
  dayKey: string;
  /** User ids by rank. */
  userIds: readonly string[];
}

/** A user's move between two closings that is worth a notice. */
export interface RankChange {
  userId: string;
  rank: number;
  before: number;
  /** Number of users who passed this one; `nearest` is the closest of them. */
  passedBy: number;
  nearest?: string;
}

/** Compares a day with the previous closing. Users in only one of both are omitted: the size of their move is unknown. */
export function findRankChanges(before: Closing, { userIds }: Pick<Closing, 'userIds'>): RankChange[] {
  const ranksBefore = new Map(before.userIds.map((userId, index) => [userId, index + 1]));
  return userIds.flatMap((userId, index) => {
    const [rank, rankBefore] = [index + 1, ranksBefore.get(userId)];
    if (rankBefore === undefined || rankBefore === rank || !isNotableRankChange(rankBefore, rank)) return [];
    if (rank < rankBefore) return [{ userId, rank, before: rankBefore, passedBy: 0 }];
    const passers = userIds
      .slice(0, index)
      .filter((one) => (ranksBefore.get(one) ?? Number.POSITIVE_INFINITY) > rankBefore);
    const nearest = passers.at(-1);
    return nearest === undefined ? [] : [{ userId, rank, before: rankBefore, passedBy: passers.length, nearest }];
  });
}
