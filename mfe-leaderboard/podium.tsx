import type { LeaderboardEntry } from '@cord/contracts/http/leaderboard';
import { Avatar, formatCord } from '@cord/ui';
import { EntryBadges } from './entry-badges';
import s from './podium.module.css';
import { TEXTS } from './texts';

const FIRST_PX = 72;
const OTHERS_PX = 60;

/** The first three: 1 2 3 in the document, 2 1 3 on the screen. */
export function Podium({ entries, userId }: { entries: readonly LeaderboardEntry[]; userId: string | null }) {
  return (
    <ol className={s.podium} aria-label={TEXTS.podiumLabel}>
      {entries.map((entry, index) => (
        <li key={entry.userId} className={s[`place${index + 1}`]}>
          <Avatar name={entry.username} src={entry.avatar} size={index === 0 ? FIRST_PX : OTHERS_PX} />
          <p className={s.name} title={entry.username}>
            {entry.username}
          </p>
          <EntryBadges entry={entry} own={entry.userId === userId} className={s.badges} />
          <div className={s.block}>
            <p className={s.rank}>
              <span className={s.hidden}>{TEXTS.rank} </span>
              {entry.rank}
            </p>
            <p className={s.earned}>{formatCord(entry.period_earned)}</p>
          </div>
        </li>
      ))}
    </ol>
  );
}
