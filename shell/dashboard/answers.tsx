import type { Source } from '@cord/contracts/events/balance';
import { dayStartMs, monthStartMs, weekStartMs } from '@cord/contracts/rules/days';
import { badgePercent } from '@cord/contracts/rules/rule-book';
import {
  formatDate,
  formatTime,
  LedgerEntries,
  useBalance,
  useCurrentEpoch,
  useRate,
  useRuleBook,
  useSdk,
  useSessionValue,
  useStore,
  useTexts,
} from '@cord/sdk';
import { formatAge, formatCord, formatCount, formatMultiplier, formatPercent, RateTable, WhyAnswer } from '@cord/ui';
import type { ComponentType } from 'react';
import { epochName } from '../session/epoch-name';
import { useGlobalStats } from '../session/public-facts';
import { ANSWER_TEXTS } from './answer-texts';

/** Sources that count for a day, a week and a month (services/contracts/rules/README.md#rankings). */
const RANKED = ['mining', 'task', 'checkin', 'commission'] as const satisfies readonly Source[];

/** Explains the balance: the server's value, and the earnings since. */
function Balance() {
  const t = useTexts(ANSWER_TEXTS);
  const known = useStore(useSdk().session.balance);
  const { micro } = useBalance();
  return (
    <WhyAnswer
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
    </WhyAnswer>
  );
}

const PERIODS = {
  day: { formula: 'whyToday', startMs: dayStartMs },
  week: { formula: 'whyWeek', startMs: weekStartMs },
  month: { formula: 'whyMonth', startMs: monthStartMs },
} as const;

/** Explains the earnings of a period, with its entries. */
function Period({ period }: { period: keyof typeof PERIODS }) {
  const t = useTexts(ANSWER_TEXTS);
  const { clock } = useSdk();
  const { formula, startMs } = PERIODS[period];
  return (
    <WhyAnswer formula={t[formula]}>
      <LedgerEntries sources={RANKED} sinceMs={startMs(clock.now())} />
    </WhyAnswer>
  );
}

function Rank() {
  const t = useTexts(ANSWER_TEXTS);
  const earned = useSessionValue(({ user }) => user?.total_earned);
  const stats = useGlobalStats().data;
  return (
    <WhyAnswer
      formula={t.whyRank}
      inputs={[
        { label: t.whyEarned, value: formatCord(earned) },
        { label: t.whyMiners, value: formatCount(stats?.totalMiners) },
      ]}
    >
      <LedgerEntries />
    </WhyAnswer>
  );
}

function Miners() {
  const t = useTexts(ANSWER_TEXTS);
  const stats = useGlobalStats().data;
  return (
    <WhyAnswer
      formula={t.whyActive}
      inputs={[
        { label: t.whyMiners, value: formatCount(stats?.totalMiners) },
        { label: t.whyOnline, value: formatCount(stats?.onlineNow) },
      ]}
    />
  );
}

function Age() {
  const t = useTexts(ANSWER_TEXTS);
  const multiplier = useSessionValue(({ user }) => user?.multiplier);
  return <WhyAnswer formula={t.whyAccountAge} inputs={[{ label: t.whyTier, value: formatMultiplier(multiplier) }]} />;
}

function HonorBadge() {
  const t = useTexts(ANSWER_TEXTS);
  const percent = formatPercent(badgePercent(useRuleBook()));
  return <WhyAnswer formula={t.whyBadgeStatus({ percent })} />;
}

function EpochFactor() {
  const t = useTexts(ANSWER_TEXTS);
  const epoch = useCurrentEpoch().data;
  return (
    <WhyAnswer
      formula={t.whyEpochFactor}
      inputs={
        epoch
          ? [
              { label: t.whyFrom, value: formatDate(Date.parse(epoch.startDate)) },
              { label: t.whyUntil, value: formatDate(Date.parse(epoch.endDate)) },
            ]
          : []
      }
    />
  );
}

/** Explains the rate: the contribution of each factor, by the server's rule. */
function Rate() {
  const t = useTexts(ANSWER_TEXTS);
  const age = useSessionValue(({ user }) => user?.account_age);
  const rate = useRate();
  const epoch = useCurrentEpoch().data;
  if (age === undefined || rate === null) return null;
  const labels = {
    base: t.whyBase,
    age: t.whyAge({ age: formatAge(age) }),
    epoch: epoch ? epochName(epoch.name) : t.whyEpoch,
    badge: rate.badge ? t.whyBadge : t.whyNoBadge,
    antiCheat: rate.strands.some(({ key, active }) => key === 'antiCheat' && active) ? t.whyShared : t.whyClean,
  };
  return (
    <RateTable
      rows={rate.strands.map((strand) => ({ ...strand, label: labels[strand.key] }))}
      totalLabel={t.whyTotal}
      totalFactor={rate.factor}
      total={rate.perMinute}
    />
  );
}

const ANSWERS = {
  balance: Balance,
  day: () => <Period period="day" />,
  week: () => <Period period="week" />,
  month: () => <Period period="month" />,
  rank: Rank,
  miners: Miners,
  age: Age,
  badge: HonorBadge,
  epoch: EpochFactor,
  rate: Rate,
} satisfies Record<string, ComponentType>;

/** A number of the dashboard with an explanation. */
export type QuestionId = keyof typeof ANSWERS;

/** Explains a number of the dashboard. */
export function Answer({ of }: { of: QuestionId }) {
  const Answered = ANSWERS[of];
  return <Answered />;
}
