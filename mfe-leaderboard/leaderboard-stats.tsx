import type { LeaderboardEntry } from '@cord/contracts/http/leaderboard';
import { useTexts } from '@cord/sdk';
import { Cell, Cells, formatCount, formatK, formatRank, StatusDot, UNKNOWN } from '@cord/ui';
import { TEXTS } from './texts';
import { useLeaderboardStats } from './use-rankings';

/** @param own the own all-time entry: null while unranked, undefined while unknown */
export function LeaderboardStats({ own }: { own: LeaderboardEntry | null | undefined }) {
  const t = useTexts(TEXTS);
  const { data, isError } = useLeaderboardStats();
  const shown = (text: string) => (data === undefined ? (isError ? UNKNOWN : undefined) : text);
  return (
    <Cells columns={4}>
      <Cell label={t.totalMiners} value={shown(formatCount(data?.totalMiners))} />
      <Cell
        label={t.activeNow}
        value={shown(formatCount(data?.activeMiners))}
        mark={data && data.activeMiners > 0 ? <StatusDot /> : undefined}
      />
      <Cell label={t.totalMined} value={shown(formatK(data?.total_earned))} />
      <Cell
        label={t.yourRank}
        value={formatRank(own === null ? null : own?.rank, t.unranked)}
        testId="rank"
        dataValue={own?.rank}
      />
    </Cells>
  );
}
