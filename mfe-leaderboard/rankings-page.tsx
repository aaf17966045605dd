import type { LeaderboardEntry } from '@cord/contracts/http/leaderboard';
import { PERIODS } from '@cord/contracts/rules/days';
import { badgePercent } from '@cord/contracts/rules/rule-book';
import { LEADERBOARD_SEARCH_MIN } from '@cord/contracts/rules/timings';
import {
  isUnread,
  LedgerEntries,
  Part,
  useRuleBook,
  useSessionValue,
  useTabChoice,
  useTabParam,
  useTabView,
  useTexts,
  useUserId,
} from '@cord/sdk';
import { AsLeft } from '@cord/sdk/views';
import {
  Button,
  Card,
  Cell,
  Cells,
  ChipGroup,
  EmptyState,
  formatCord,
  formatCount,
  formatK,
  formatPercent,
  formatRank,
  Input,
  Notice,
  PageHead,
  Stack,
  StatusDot,
  TabErrorPanel,
  UNKNOWN,
  WhyNumber,
} from '@cord/ui';
import { Medal, RotateCw, Search, TriangleAlert } from 'lucide-react';
import { Activity, useMemo } from 'react';
import { MinerLinksProvider, SearchedName } from './miner-links';
import { MinerPage } from './miner-page';
import { Podium } from './podium';
import { rankedMiner } from './ranked-miner';
import { RankingList, RankingSkeleton } from './ranking-list';
import s from './rankings-page.module.css';
import { TEXTS } from './texts';
import { type Ranking, useLeaderboardStats, useOwnRank, useRanking, useSearch } from './use-rankings';

const PODIUM_PLACES = 3;

/** The rankings, or a miner's page over them: `?tab=leaderboard&miner=ID`. */
export function RankingsPage() {
  const view = useTabView('miner');
  const [period] = useTabChoice('period', PERIODS);
  const [, setMiner] = useTabParam('miner');
  const [, search] = useTabParam('search');
  // Replaces the miner's page, so that Back leads to where it was opened.
  const show = (name: string) => {
    setMiner(null);
    search(name);
  };
  return (
    <MinerLinksProvider value={view}>
      <Activity mode={view.value === null ? 'visible' : 'hidden'}>
        <RankingsLeft />
        <Rankings />
      </Activity>
      {view.value !== null && (
        <MinerPage key={view.value} userId={view.value} view={view} period={period} onShow={show} />
      )}
    </MinerLinksProvider>
  );
}

/** Restores period and search. */
function RankingsLeft() {
  const t = useTexts(TEXTS);
  const [period] = useTabChoice('period', PERIODS);
  const kept = { period: useTabParam('period'), search: useTabParam('search') };
  const [search] = kept.search;
  return (
    <AsLeft place="rankings" kept={kept} chosen={[period !== PERIODS[0] && t[`periods.${period}`]]} search={search} />
  );
}

function Rankings() {
  const t = useTexts(TEXTS);
  const [period, setPeriod] = useTabChoice('period', PERIODS);
  const search = useSearch();
  const ranking = useRanking(period, search.term);
  const own = useOwnRank(period);
  const allTime = useOwnRank('all-time');
  const searching = search.term.length >= LEADERBOARD_SEARCH_MIN;

  return (
    <Stack gap="var(--gap)">
      <PageHead title={t.title}>{t[`subtitle.${period}`]}</PageHead>
      <LeaderboardStats own={allTime.entry} />
      <div className={s.controls}>
        <ChipGroup
          label={t.periodLabel}
          value={period}
          options={PERIODS.map((value) => ({ value, label: t[`periods.${value}`] }))}
          onChange={setPeriod}
        />
        <Input
          label={t.search}
          labelHidden
          type="search"
          placeholder={t.search}
          icon={<Search size={18} />}
          maxLength={64}
          value={search.typed}
          onChange={(event) => search.type(event.target.value)}
          help={search.typed.trim().length === 1 ? t.searchTooShort : undefined}
          className={s.search}
        />
      </div>
      <SearchedName value={searching ? search.term : ''}>
        <Ranked ranking={ranking} own={own} search={searching ? search.term : null} onClear={search.clear} />
      </SearchedName>
      {(ranking.entries !== undefined || ranking.failed) && <BadgeNotice />}
    </Stack>
  );
}

interface RankedProps {
  ranking: Ranking;
  own: ReturnType<typeof useOwnRank>;
  /** Search term; null when the ranking is shown from the top. */
  search: string | null;
  onClear(): void;
}

/** The ranking: loading, failed, empty, or loaded (errors fall back to an empty list). */
function Ranked({ ranking, own, search, onClear }: RankedProps) {
  const t = useTexts(TEXTS);
  const userId = useUserId();
  const { entries, failed } = ranking;
  const fromTop = search === null;
  // Memoised, so that a refetch without changes renders no row.
  const [podium, listed] = useMemo(() => {
    const miners = (entries ?? []).map((entry) => rankedMiner(entry, userId));
    return fromTop ? [miners.slice(0, PODIUM_PLACES), miners.slice(PODIUM_PLACES)] : [[], miners];
  }, [entries, userId, fromTop]);
  if (entries === undefined && failed) {
    return <TabErrorPanel title={t.failed} onRetry={ranking.reload} retrying={ranking.fetching} />;
  }
  if (entries === undefined) return <RankingSkeleton podium={fromTop} />;
  const ownInSight = !fromTop || podium.some(({ you }) => you) || !own.entry;
  return (
    <>
      {failed && (
        <Notice
          tone="warn"
          icon={<TriangleAlert />}
          title={t.stale}
          action={
            <Button size="sm" icon={<RotateCw />} loading={ranking.fetching} needsServer onClick={ranking.reload}>
              {t.retry}
            </Button>
          }
        />
      )}
      <Stack gap="var(--gap)" className="l-renewed" aria-busy={ranking.changing}>
        {podium.length > 0 && (
          <Card padding="none" className="l-clip">
            <Podium miners={podium} label={t.podiumLabel} />
          </Card>
        )}
        {entries.length === 0 ? (
          <Card padding="none">
            <EmptyState
              title={t.emptyTitle}
              action={
                search === null ? undefined : (
                  <Button size="sm" onClick={onClear}>
                    {t.clearSearch}
                  </Button>
                )
              }
            >
              {search === null ? t.emptyPeriod : t.emptySearch({ search })}
            </EmptyState>
          </Card>
        ) : (
          (listed.length > 0 || !ownInSight) && (
            <RankingList miners={listed} shownAbove={podium.length} own={ownInSight ? null : own} userId={userId} />
          )
        )}
      </Stack>
    </>
  );
}

/** Whether the user has the badge, with a link to buy it. */
function BadgeNotice() {
  const t = useTexts(TEXTS);
  const owned = useSessionValue(({ user }) => user?.hasbadgeofhonor);
  const percent = formatPercent(badgePercent(useRuleBook()));
  if (owned === undefined) return null;
  return (
    <Notice
      tone="honor"
      icon={<Medal />}
      title={owned ? t.badgeOwned : t.badgeNotOwned}
      action={<Part name="wallet/purchase-button" />}
    >
      {(owned ? t.badgeOwnedText : t.badgeNotOwnedText)({ percent })}
    </Notice>
  );
}

/** @param own the user's all-time entry: null while unranked, undefined while unknown */
function LeaderboardStats({ own }: { own: LeaderboardEntry | null | undefined }) {
  const t = useTexts(TEXTS);
  const read = useLeaderboardStats();
  const { data } = read;
  const shown = (text: string) => (data === undefined ? (isUnread(read) ? UNKNOWN : undefined) : text);
  return (
    <Cells columns={4}>
      <Cell
        label={t.totalMiners}
        value={shown(formatCount(data?.totalMiners))}
        info={<WhyNumber about={t.totalMiners} formula={t.whyMiners} />}
      />
      <Cell
        label={t.activeNow}
        value={shown(formatCount(data?.activeMiners))}
        mark={data && data.activeMiners > 0 ? <StatusDot /> : undefined}
        info={<WhyNumber about={t.activeNow} formula={t.whyActive} />}
      />
      <Cell
        label={t.totalMined}
        value={shown(formatK(data?.totalMined))}
        info={<WhyNumber about={t.totalMined} formula={t.whyMined} />}
      />
      <Cell
        label={t.yourRank}
        value={formatRank(own === null ? null : own?.rank, t.unranked)}
        info={
          <WhyNumber
            about={t.yourRank}
            formula={t.whyRank}
            inputs={[{ label: t.whyEarned, value: formatCord(own?.total_earned) }]}
          >
            <LedgerEntries />
          </WhyNumber>
        }
        testId="rank"
        dataValue={own?.rank}
      />
    </Cells>
  );
}
