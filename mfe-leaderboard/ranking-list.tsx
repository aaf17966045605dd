import type { LeaderboardEntry } from '@cord/contracts/http/leaderboard';
import { formatCord, formatCount } from '@cord/ui';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState } from 'react';
import s from './ranking-list.module.css';
import { RankingRow } from './ranking-row';
import { TEXTS } from './texts';
import type { OwnRank } from './use-rankings';
import { useInView } from './use-in-view';

interface RankingListProps {
  entries: readonly LeaderboardEntry[];
  /** Who stands above the list, on the podium. */
  podium: readonly LeaderboardEntry[];
  /** The own rank, kept in sight; null during a search. */
  own: OwnRank | null;
  userId: string | null;
}

const ROW_PX = 60;
const ROWS_AHEAD = 8;

/** The ranking as a virtualised table, the own row in sight below it. */
export function RankingList({ entries, podium, own, userId }: RankingListProps) {
  const body = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => setTop(body.current?.offsetTop ?? 0), []);
  const virtual = useWindowVirtualizer({
    count: entries.length,
    estimateSize: () => ROW_PX,
    overscan: ROWS_AHEAD,
    scrollMargin: top,
    getItemKey: (index) => entries[index]?.userId ?? index,
  });
  const [ownRow, ownInView] = useInView();
  const onPodium = podium.some((entry) => entry.userId === userId);

  return (
    <div className={s.table} role="table" aria-label={TEXTS.listLabel} aria-rowcount={entries.length + 1}>
      <div role="rowgroup">
        <div role="row" className={s.head}>
          <span role="columnheader">{TEXTS.rank}</span>
          <span role="columnheader" className={s.headMiner}>
            {TEXTS.miner}
          </span>
          <span role="columnheader" className={s.headAccount}>
            {TEXTS.account}
          </span>
          <span role="columnheader" className={s.headMultiplier}>
            {TEXTS.multiplier}
          </span>
          <span role="columnheader" className={s.headEarned}>
            {TEXTS.earned}
          </span>
        </div>
      </div>
      <div role="rowgroup" ref={body} className={s.body} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((item) => {
          const entry = entries[item.index];
          if (entry === undefined) return null;
          const isOwn = entry.userId === userId;
          return (
            <div
              key={item.key}
              ref={virtual.measureElement}
              data-index={item.index}
              className={s.slot}
              style={{ transform: `translateY(${item.start - virtual.options.scrollMargin}px)` }}
            >
              <RankingRow entry={entry} own={isOwn} rowIndex={item.index + 2} rowRef={isOwn ? ownRow : undefined} />
            </div>
          );
        })}
      </div>
      {own?.entry && !ownInView && !onPodium && <OwnRow own={own} entry={own.entry} last={entries.at(-1)?.rank ?? podium.length} />}
    </div>
  );
}

/** The own row below the list, above the bottom bar; gone while the real one is in sight. */
function OwnRow({ own, entry, last }: { own: OwnRank; entry: LeaderboardEntry; last: number }) {
  const between = entry.rank - last - 1;
  const gap = own.ahead === null ? null : own.ahead.period_earned - entry.period_earned;
  return (
    <>
      {between > 0 && (
        <p className={s.more}>{between === 1 ? TEXTS.oneMore : TEXTS.more(formatCount(between))}</p>
      )}
      <div role="rowgroup" className={s.own} data-testid="own-row">
        <RankingRow
          entry={entry}
          own
          note={own.ahead === null || gap === null ? undefined : TEXTS.behind(formatCord(gap), own.ahead.rank)}
        />
      </div>
    </>
  );
}
