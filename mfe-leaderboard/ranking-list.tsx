// biome-ignore-all lint/a11y/useSemanticElements: rows are virtualised and placed by transform, which table elements cannot be
import { useTexts } from '@cord/sdk';
import { formatCord, type RankedMiner, RankHead, RankRow, StickyRow } from '@cord/ui';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState } from 'react';
import { rankedMiner } from './ranked-miner';
import s from './ranking-list.module.css';
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

const ROW_PX = 61;
const ROWS_AHEAD = 8;

/** The ranking as a virtualised table, the own row in sight below it. */
export function RankingList({ miners, shownAbove, own, userId }: RankingListProps) {
  const t = useTexts(TEXTS);
  const body = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    if (body.current) setTop(body.current.getBoundingClientRect().top + window.scrollY);
  }, []);
  const virtual = useWindowVirtualizer({
    count: miners.length,
    estimateSize: () => ROW_PX,
    overscan: ROWS_AHEAD,
    scrollMargin: top,
    getItemKey: (index) => miners[index]?.key ?? index,
  });
  const [ownRow, ownInView] = useInView();

  return (
    <div className={s.table} role="table" aria-label={t.listLabel} aria-rowcount={miners.length + 1}>
      <div role="rowgroup">
        <RankHead heads={[t.rank, t.miner, t.account, t.multiplier, t.earned]} />
      </div>
      <div role="rowgroup" ref={body} className={s.body} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((item) => {
          const miner = miners[item.index];
          if (miner === undefined) return null;
          return (
            <div
              key={item.key}
              ref={virtual.measureElement}
              data-index={item.index}
              role="presentation"
              className={s.slot}
              style={{ transform: `translateY(${item.start - virtual.options.scrollMargin}px)` }}
            >
              <RankRow miner={miner} aria-rowindex={item.index + 2} ref={miner.you ? ownRow : undefined} />
            </div>
          );
        })}
      </div>
      {own?.entry && (
        <OwnRow own={own} userId={userId} shownTo={miners.at(-1)?.rank ?? shownAbove} hidden={ownInView} />
      )}
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
  const gap = ahead === null ? undefined : formatCord(ahead.period_earned - entry.period_earned);
  const miner = {
    ...rankedMiner(entry, userId),
    ...(ahead === null || gap === undefined ? {} : { gap: t.behind({ amount: gap, rank: ahead.rank }) }),
  };
  return (
    <>
      {between > 0 && <p className={s.more}>{t.more({ count: between })}</p>}
      <StickyRow hidden={hidden}>
        <div role="rowgroup" data-testid="own-row">
          <RankRow miner={miner} />
        </div>
      </StickyRow>
    </>
  );
}
