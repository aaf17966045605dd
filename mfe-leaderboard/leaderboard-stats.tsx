import type { LeaderboardEntry } from '@cord/contracts/http/leaderboard';
import { isUnread, LedgerEntries, useTexts } from '@cord/sdk';
import { Cell, Cells, formatCord, formatCount, formatK, formatRank, StatusDot, UNKNOWN, WhyNumber } from '@cord/ui';
import { TEXTS } from './texts';
import { useLeaderboardStats } from './use-rankings';

/** @param own the own all-time entry: null while unranked, undefined while unknown */
export function LeaderboardStats({ own }: { own: LeaderboardEntry | null | undefined }) {
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
