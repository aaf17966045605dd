import type { LeaderboardEntry } from '@cord/contracts/http/leaderboard';
import { useTexts } from '@cord/sdk';
import { type RankedMiner, RankGap, RankRow, RankTable, StickyRow } from './rank-row';
import { formatDistance, rankedMiner } from './ranked-miner';
import { TEXTS } from './texts';
import { useInView } from './use-in-view';
import type { OwnRank } from './use-rankings';

interface RankingListProps {
  miners: readonly RankedMiner[];
  /** Rank of the last one shown above this list; 0 for none. */
  shownAbove: number;
  /** The own rank, kept in sight; null where it is in sight already, or during a search. */
  own: OwnRank | null;
  userId: string | null;
}

/** The ranking as a table of at most 100 rows, the own row in sight below it. */
export function RankingList({ miners, shownAbove, own, userId }: RankingListProps) {
  const t = useTexts(TEXTS);
  const [ownRow, ownInView] = useInView();
  return (
    <div className="l-card">
      <RankTable
        label={t.listLabel}
        heads={[t.rank, t.miner, t.account, t.multiplier, t.earned]}
        foot={
          own?.entry && (
            <OwnRow own={own} userId={userId} shownTo={miners.at(-1)?.rank ?? shownAbove} hidden={ownInView} />
          )
        }
      >
        {miners.map((miner) => (
          <RankRow key={miner.key} miner={miner} ref={miner.you ? ownRow : undefined} />
        ))}
      </RankTable>
    </div>
  );
}

interface OwnRowProps {
  own: OwnRank;
  userId: string | null;
  /** Rank of the last one shown. */
  shownTo: number;
  hidden: boolean;
}

/** The own row below the list and above the bottom bar; gone while the real one is in sight. */
function OwnRow({ own: { entry, ahead }, userId, shownTo, hidden }: OwnRowProps) {
  const t = useTexts(TEXTS);
  if (!entry) return null;
  const between = entry.rank - shownTo - 1;
  const miner = { ...rankedMiner(entry, userId), ...(ahead === null ? {} : { gap: gapTo(ahead) }) };
  function gapTo({ rank, period_earned }: LeaderboardEntry): string {
    const less = period_earned - (entry?.period_earned ?? 0);
    return less === 0 ? t.level({ rank }) : t.behind({ amount: formatDistance(less), rank });
  }
  return (
    <>
      {between > 0 && <RankGap>{t.more({ count: between })}</RankGap>}
      <StickyRow hidden={hidden}>
        <RankRow miner={miner} />
      </StickyRow>
    </>
  );
}
