import type * as leaderboardEndpoints from '@cord/contracts/addresses/leaderboard';
import type { ResponseOf } from '@cord/contracts/calls';
import type { Source } from '@cord/contracts/events/balance';
import type { Epoch } from '@cord/contracts/http/epochs';
import type { User } from '@cord/contracts/http/users';
import { dayStartMs, monthStartMs, weekStartMs } from '@cord/contracts/rules/days';
import { formatDate, formatTime, LedgerEntries, useBalance, useSdk, useSession, useStore, useTexts } from '@cord/sdk';
import { formatCord, formatCount, formatMultiplier, WhyNumber } from '@cord/ui';
import { DASHBOARD_TEXTS } from './texts';

type GlobalStats = ResponseOf<typeof leaderboardEndpoints.global>;

/** What counts for a day, a week and a month (money.md, Rankings). */
const RANKED = ['mining', 'task', 'checkin', 'commission'] as const satisfies readonly Source[];

/** The balance: what the server said, and what has been mined since. */
export function BalanceWhy() {
  const t = useTexts(DASHBOARD_TEXTS);
  const known = useStore(useSdk().session.balance);
  const { micro } = useBalance();
  return (
    <WhyNumber
      about={t.balance}
      formula={t.whyBalance}
      inputs={
        known && micro !== null
          ? [
              { label: t.whyKnown({ time: formatTime(known.asOfMs) }), value: formatCord(known.micro) },
              { label: t.whySince, value: formatCord(micro - known.micro, { signed: true }) },
            ]
          : []
      }
    >
      <LedgerEntries />
    </WhyNumber>
  );
}

const PERIODS = {
  day: { about: 'today', formula: 'whyToday', startMs: dayStartMs },
  week: { about: 'thisWeek', formula: 'whyWeek', startMs: weekStartMs },
  month: { about: 'thisMonth', formula: 'whyMonth', startMs: monthStartMs },
} as const;

/** What a period brought, with the entries since it began. */
export function PeriodWhy({ period }: { period: keyof typeof PERIODS }) {
  const t = useTexts(DASHBOARD_TEXTS);
  const { clock } = useSdk();
  const { about, formula, startMs } = PERIODS[period];
  return (
    <WhyNumber about={t[about]} formula={t[formula]}>
      <LedgerEntries sources={RANKED} sinceMs={startMs(clock.now())} />
    </WhyNumber>
  );
}

export function RankWhy({ miners }: { miners: number | undefined }) {
  const t = useTexts(DASHBOARD_TEXTS);
  const { user } = useSession();
  return (
    <WhyNumber
      about={t.rank}
      formula={t.whyRank}
      inputs={[
        { label: t.whyEarned, value: formatCord(user?.total_earned) },
        { label: t.whyMiners, value: formatCount(miners) },
      ]}
    >
      <LedgerEntries />
    </WhyNumber>
  );
}

export function MinersWhy({ stats }: { stats: GlobalStats | undefined }) {
  const t = useTexts(DASHBOARD_TEXTS);
  return (
    <WhyNumber
      about={t.activeMiners}
      formula={t.whyActive}
      inputs={[
        { label: t.whyMiners, value: formatCount(stats?.totalMiners) },
        { label: t.whyOnline, value: formatCount(stats?.onlineNow) },
      ]}
    />
  );
}

export function AgeWhy({ user }: { user: User }) {
  const t = useTexts(DASHBOARD_TEXTS);
  return (
    <WhyNumber
      about={t.accountAge}
      formula={t.whyAccountAge}
      inputs={[{ label: t.whyTier, value: formatMultiplier(user.multiplier) }]}
    />
  );
}

export function BadgeWhy() {
  const t = useTexts(DASHBOARD_TEXTS);
  return <WhyNumber about={t.badgeStatus} formula={t.whyBadgeStatus} />;
}

export function EpochWhy({ epoch }: { epoch: Epoch }) {
  const t = useTexts(DASHBOARD_TEXTS);
  return (
    <WhyNumber
      about={t.epochFactor}
      formula={t.whyEpochFactor}
      inputs={[
        { label: t.whyFrom, value: formatDate(Date.parse(epoch.startDate)) },
        { label: t.whyUntil, value: formatDate(Date.parse(epoch.endDate)) },
      ]}
    />
  );
}
