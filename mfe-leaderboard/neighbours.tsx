import type { LeaderboardEntry } from '@cord/contracts/http/leaderboard';
import { useTexts, useUserId } from '@cord/sdk';
import { Avatar, Card, cx, formatCord, formatCount, Row, VisuallyHidden, WhyNumber } from '@cord/ui';
import { linkArea, MinerName } from './miner-links';
import s from './neighbours.module.css';
import { MinerBadges } from './podium';
import { formatDistance } from './ranked-miner';
import { TEXTS } from './texts';

interface NeighboursProps {
  /** Whose page it is. */
  of: string;
  /** Two on each side and the miner; none while unranked. */
  entries: readonly LeaderboardEntry[];
  /** The own all-time entry; stands below when it is none of these. */
  own: LeaderboardEntry | null;
}

/** Who stands around a miner of all time, and how far off the own place is. */
export function Neighbours({ of, entries, own }: NeighboursProps) {
  const t = useTexts(TEXTS);
  const middle = entries.find(({ userId }) => userId === of);
  const apart = middle && own && !entries.some(({ userId }) => userId === own.userId) ? own : null;
  return (
    <Card
      title={
        <Row as="span" inline gap={8} align="center">
          {t.neighbours}
          <WhyNumber about={t.neighbours} formula={t.whyNeighbours} />
        </Row>
      }
      aria-label={t.neighbours}
      padding="none"
    >
      {middle === undefined ? (
        <p className={s.nobody}>{t.nobodyNear}</p>
      ) : (
        <ol>
          {entries.map((entry) => (
            <MinerRow key={entry.userId} entry={entry} to={middle} />
          ))}
          {apart && <MinerRow entry={apart} to={middle} apart />}
        </ol>
      )}
    </Card>
  );
}

/** @param to the miner whose page it is */
function MinerRow({ entry, to, apart = false }: { entry: LeaderboardEntry; to: LeaderboardEntry; apart?: boolean }) {
  const t = useTexts(TEXTS);
  const you = useUserId() === entry.userId;
  const gap = entry.total_earned - to.total_earned;
  const self = entry.userId === to.userId;
  const amount = formatDistance(gap);
  const { username: name, userId } = entry;
  const [rank, total] = [formatCount(entry.rank), formatCord(entry.total_earned)];
  const off = self ? null : gap === 0 ? t.levelWith : gap > 0 ? t.ahead({ amount }) : t.behindBy({ amount });
  const readerText = [t.spokenMiner({ rank, name, total }), off ?? []].flat().join(', ');
  return (
    <li className={cx(s.row, self ? s.self : linkArea, apart && s.apart)} aria-current={self || undefined}>
      <span className="t-600" aria-hidden="true">
        {rank}
      </span>
      <Avatar name={name} src={entry.avatar} size={36} className={s.avatar} />
      <span className={s.names}>
        {self ? (
          <span className="t-600 t-cut" title={name}>
            <span aria-hidden="true">{name}</span>
            <VisuallyHidden>{readerText}</VisuallyHidden>
          </span>
        ) : (
          <MinerName name={name} userId={userId} className="t-600 t-cut" readerText={readerText} />
        )}
        <span className={cx(s.badges, you && s.you)}>
          <MinerBadges you={you} honor={entry.hasbadgeofhonor} mining={entry.is_node_active} />
        </span>
      </span>
      <span className={s.figures} aria-hidden="true">
        <span className="t-600">{total}</span>
        {off !== null && <span className="t-note">{off}</span>}
      </span>
    </li>
  );
}
