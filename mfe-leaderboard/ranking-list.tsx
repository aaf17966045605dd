import type { LeaderboardEntry } from '@cord/contracts/http/leaderboard';
import { useTexts } from '@cord/sdk';
import { Card, Skeleton, SkeletonRegion, Stack } from '@cord/ui';
import { type RefCallback, useCallback, useRef, useState } from 'react';
import { type RankedMiner, RankGap, RankRow, RankTable, StickyRow } from './rank-row';
import { formatDistance, rankedMiner } from './ranked-miner';
import s from './ranking-list.module.css';
import { TEXTS } from './texts';
import type { OwnRank } from './use-rankings';

interface RankingListProps {
  miners: readonly RankedMiner[];
  /** Rank of the last miner above this list; 0 for none. */
  shownAbove: number;
  /** The user's own rank, shown as a sticky row; null when it is already visible, or during a search. */
  own: OwnRank | null;
  userId: string | null;
}

/** The ranking as a table of at most 100 rows, with the user's own row below it. */
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
  /** Rank of the last shown miner. */
  shownTo: number;
  hidden: boolean;
}

/** The user's own row between the list and the bottom bar; hidden while the real one is on screen. */
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

/** Returns a ref and whether its element is on screen; false without an element. */
function useInView(): [RefCallback<HTMLElement>, boolean] {
  const [inView, setInView] = useState(false);
  const observer = useRef<IntersectionObserver | null>(null);
  const ref = useCallback((element: HTMLElement | null) => {
    observer.current?.disconnect();
    observer.current = null;
    if (element === null) {
      setInView(false);
      return;
    }
    observer.current = new IntersectionObserver(([entry]) => setInView(entry?.isIntersecting ?? false));
    observer.current.observe(element);
  }, []);
  return [ref, inView];
}

const STEPS = [
  { place: 'second', avatarPx: 60, stepPx: 96 },
  { place: 'first', avatarPx: 72, stepPx: 124 },
  { place: 'third', avatarPx: 60, stepPx: 76 },
];
const ROWS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];

/** @param podium whether the top three are on steps, as outside of a search */
export function RankingSkeleton({ podium }: { podium: boolean }) {
  return (
    <SkeletonRegion className={s.ranking}>
      {podium && (
        <Card padding="none" className={s.podium}>
          {STEPS.map(({ place, avatarPx, stepPx }) => (
            <Stack key={place} gap={10} align="center">
              <Skeleton width={avatarPx} height={avatarPx} round />
              <Skeleton width="50%" />
              <Skeleton width="30%" height={26} />
              <Skeleton height={stepPx} className={s.step} />
            </Stack>
          ))}
        </Card>
      )}
      <Card padding="none" className={s.list}>
        {ROWS.map((row) => (
          <div key={row} className={s.row}>
            <Skeleton width={24} />
            <Skeleton width={36} height={36} round />
            <Skeleton width="40%" />
            <Skeleton width={90} />
          </div>
        ))}
      </Card>
    </SkeletonRegion>
  );
}
