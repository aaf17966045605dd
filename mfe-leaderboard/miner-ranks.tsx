import type { MinerPlaces, Period } from '@cord/contracts/http/leaderboard';
import { useTexts } from '@cord/sdk';
import { Card, formatCord, formatRank, Row, UNKNOWN, WhyNumber } from '@cord/ui';
import s from './miner-ranks.module.css';
import { TEXTS } from './texts';

function RankWhy({ period }: { period: Period }) {
  const t = useTexts(TEXTS);
  const counted = period === 'all-time' ? t.whyRankEver : t.periodsNote;
  return <WhyNumber about={`${t.rank}, ${t[`rankIn.${period}`]}`} formula={`${counted} ${t.whyRankOrder}`} />;
}

/** The rank in each period, with what it counts. */
export function MinerRanks({ ranks }: { ranks: MinerPlaces['ranks'] }) {
  const t = useTexts(TEXTS);
  return (
    <Card title={t.rankByPeriod} aria-label={t.rankByPeriod}>
      <dl>
        {ranks.map(({ period, rank, earned }) => (
          <div key={period} className={s.row}>
            <Row as="dt" gap={4} align="center">
              {t[`rankIn.${period}`]}
              <RankWhy period={period} />
            </Row>
            <dd className={rank === null ? s.unranked : s.rank}>{formatRank(rank, t.unranked)}</dd>
            <dd className={s.earned}>{rank === null ? UNKNOWN : formatCord(earned)}</dd>
          </div>
        ))}
      </dl>
      <p className="t-hint">{t.periodsNote}</p>
    </Card>
  );
}
