import type { LeaderboardEntry } from '@cord/contracts/http/leaderboard';
import { Avatar, formatAge, formatCord, formatCount, formatMultiplier } from '@cord/ui';
import type { Ref } from 'react';
import { EntryBadges } from './entry-badges';
import s from './ranking-row.module.css';

interface RankingRowProps {
  entry: LeaderboardEntry;
  own: boolean;
  /** What the own row says besides. */
  note?: string | undefined;
  rowIndex?: number | undefined;
  rowRef?: Ref<HTMLDivElement> | undefined;
}

const AVATAR_PX = 36;

export function RankingRow({ entry, own, note, rowIndex, rowRef }: RankingRowProps) {
  return (
    <div role="row" aria-rowindex={rowIndex} ref={rowRef} className={own ? s.own : s.row}>
      <span role="cell" className={s.rank}>
        {formatCount(entry.rank)}
      </span>
      <span role="cell" className={s.miner}>
        <Avatar name={entry.username} src={entry.avatar} size={AVATAR_PX} />
        <span className={s.who}>
          <span className={s.name} title={entry.username}>
            {entry.username}
          </span>
          <EntryBadges entry={entry} own={own} />
        </span>
        {note !== undefined && <span className={s.note}>{note}</span>}
      </span>
      <span role="cell" className={s.account}>
        {formatAge(entry.account_age, { short: true })}
      </span>
      <span role="cell" className={s.multiplier}>
        {formatMultiplier(entry.multiplier)}
      </span>
      <span role="cell" className={s.earned}>
        {formatCord(entry.period_earned)}
      </span>
    </div>
  );
}
