import { PERIODS, type Period } from '@cord/contracts/http/leaderboard';
import { LEADERBOARD_SEARCH_MIN } from '@cord/contracts/rules/timings';
import { useSession } from '@cord/sdk';
import { Button, Card, ChipGroup, EmptyState, Input, Notice, Podium, TabErrorPanel } from '@cord/ui';
import { RotateCw, Search, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { BadgeNotice } from './badge-notice';
import { LeaderboardStats } from './leaderboard-stats';
import { rankedMiner } from './ranked-miner';
import { RankingList } from './ranking-list';
import { RankingSkeleton } from './ranking-skeleton';
import s from './rankings-page.module.css';
import { TEXTS } from './texts';
import { type Ranking, useOwnRank, useRanking, useSettled } from './use-rankings';

const CHIPS = PERIODS.map((value) => ({ value, label: TEXTS.periods[value] }));
const PODIUM_PLACES = 3;

export function RankingsPage() {
  const [period, setPeriod] = useState<Period>('all-time');
  const [typed, setTyped] = useState('');
  const search = useSettled(typed.trim());
  const ranking = useRanking(period, search);
  const own = useOwnRank(period);
  const allTime = useOwnRank('all-time');
  const searching = search.length >= LEADERBOARD_SEARCH_MIN;

  return (
    <div className={s.page}>
      <header>
        <h1 className="t-h1">{TEXTS.title}</h1>
        <p className={s.subtitle}>{TEXTS.subtitle[period]}</p>
      </header>
      <LeaderboardStats own={allTime.entry} />
      <div className={s.controls}>
        <ChipGroup label={TEXTS.periodLabel} value={period} options={CHIPS} onChange={setPeriod} />
        <Input
          label={TEXTS.search}
          labelHidden
          type="search"
          placeholder={TEXTS.search}
          icon={<Search size={18} aria-hidden="true" />}
          maxLength={64}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          help={typed.trim().length === 1 ? TEXTS.searchTooShort : undefined}
          className={s.search}
        />
      </div>
      <Ranked ranking={ranking} own={own} search={searching ? search : null} onClear={() => setTyped('')} />
      <BadgeNotice />
    </div>
  );
}

interface RankedProps {
  ranking: Ranking;
  own: ReturnType<typeof useOwnRank>;
  /** What is searched for; null when the ranking is shown from the top. */
  search: string | null;
  onClear(): void;
}

/** The ranking in whichever state it is: loading, failed, empty, or there (errors fall back to an empty list, spec part 8). */
function Ranked({ ranking, own, search, onClear }: RankedProps) {
  const userId = useSession().user?.id ?? null;
  const { entries, failed } = ranking;
  if (entries === undefined && failed) {
    return <TabErrorPanel title={TEXTS.failed} onRetry={ranking.reload} retrying={ranking.fetching} />;
  }
  if (entries === undefined) return <RankingSkeleton />;
  const miners = entries.map((entry) => rankedMiner(entry, userId));
  const podium = search === null ? miners.slice(0, PODIUM_PLACES) : [];
  const listed = search === null ? miners.slice(PODIUM_PLACES) : miners;
  const ownInSight = search !== null || podium.some(({ you }) => you) || !own.entry;
  return (
    <>
      {failed && (
        <Notice
          tone="warn"
          icon={<TriangleAlert aria-hidden="true" />}
          title={TEXTS.stale}
          action={
            <Button
              size="sm"
              icon={<RotateCw aria-hidden="true" />}
              loading={ranking.fetching}
              onClick={ranking.reload}
            >
              {TEXTS.retry}
            </Button>
          }
        />
      )}
      <div className={s.ranking} aria-busy={ranking.changing}>
        {podium.length > 0 && (
          <Card padding="none" className={s.podium}>
            <Podium miners={podium} label={TEXTS.podiumLabel} />
          </Card>
        )}
        {entries.length === 0 ? (
          <div className={s.empty}>
            <EmptyState
              title={TEXTS.emptyTitle}
              action={
                search === null ? undefined : (
                  <Button size="sm" onClick={onClear}>
                    {TEXTS.clearSearch}
                  </Button>
                )
              }
            >
              {search === null ? TEXTS.emptyPeriod : TEXTS.emptySearch(search)}
            </EmptyState>
          </div>
        ) : (
          (listed.length > 0 || !ownInSight) && (
            <RankingList miners={listed} shownAbove={podium.length} own={ownInSight ? null : own} userId={userId} />
          )
        )}
      </div>
    </>
  );
}
