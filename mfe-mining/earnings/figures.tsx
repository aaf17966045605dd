import { LedgerEntries, useTexts } from '@cord/sdk';
import { Cell, Cells, formatCord, formatCount, toMicro, WhyNumber } from '@cord/ui';
import { shortName } from './period-names';
import type { Period } from './periods';
import { EARNED, SOURCES, sumOf, sumsBySource } from './sources';
import { EARNINGS_TEXTS } from './texts';
import type { Earnings } from './use-earnings';

/** Total, average, best and streak, each with an explanation. */
export function Figures({ earnings }: { earnings: Earnings }) {
  const t = useTexts(EARNINGS_TEXTS);
  const { answer, range, periods } = earnings;
  const { unit } = answer;
  const first = periods[0];
  const last = periods.at(-1);
  const best = bestOf(earnings);
  return (
    <Cells columns={4} phoneColumns={2}>
      <Cell
        label={t.totalOf({ range: t[`range.${range}`] })}
        value={formatCord(answer.total)}
        hint={first && last && t.span({ first: shortName(first), last: shortName(last) })}
        info={<TotalWhy earnings={earnings} />}
        size="lg"
        testId="earnings-total"
        dataValue={answer.total}
      />
      <Cell
        label={t[`average.${unit}`]}
        value={formatCord(answer.average)}
        hint={t.withoutClaims({ amount: formatCord(averageWithoutClaims(earnings)) })}
        info={<AverageWhy earnings={earnings} />}
        size="lg"
      />
      <Cell
        label={t[`best.${unit}`]}
        value={formatCord(answer.best?.total)}
        hint={best ? bestText(best) : undefined}
        info={<BestWhy earnings={earnings} />}
        size="lg"
      />
      <StreakCell earnings={earnings} />
    </Cells>
  );
}

function StreakCell({ earnings: { streak } }: { earnings: Earnings }) {
  const t = useTexts(EARNINGS_TEXTS);
  return (
    <Cell
      label={t.streak}
      value={formatCount(streak?.currentStreak)}
      {...(streak ? { unit: t.streakDays({ count: streak.currentStreak }) } : {})}
      hint={streak ? (streak.canCheckIn ? t.todayOpen : t.todayDone) : undefined}
      info={
        <WhyNumber about={t.streak} formula={t.whyStreak}>
          <LedgerEntries sources={['checkin']} />
        </WhyNumber>
      }
      size="lg"
    />
  );
}

export function TotalWhy({ earnings }: { earnings: Earnings }) {
  const t = useTexts(EARNINGS_TEXTS);
  const sums = sumsBySource(earnings.answer.buckets);
  return (
    <WhyNumber
      about={t.totalOf({ range: t[`range.${earnings.range}`] })}
      formula={t.whyTotal}
      inputs={SOURCES.map((source) => ({ label: t[`source.${source}`], value: formatCord(sums[source]) }))}
    >
      <LedgerEntries sources={EARNED} sinceMs={earnings.periods[0]?.startMs ?? 0} />
    </WhyNumber>
  );
}

export function AverageWhy({ earnings }: { earnings: Earnings }) {
  const t = useTexts(EARNINGS_TEXTS);
  const { answer } = earnings;
  const byDay = answer.unit === 'day';
  return (
    <WhyNumber
      about={t[`average.${answer.unit}`]}
      formula={byDay ? t.whyAverageDay : t.whyAverageMonth}
      inputs={[
        { label: t.total, value: formatCord(answer.total) },
        { label: byDay ? t.whyDays : t.whyMonths, value: formatCount(countOf(earnings)) },
      ]}
    />
  );
}

export function BestWhy({ earnings }: { earnings: Earnings }) {
  const t = useTexts(EARNINGS_TEXTS);
  const best = bestOf(earnings);
  return (
    <WhyNumber
      about={t[`best.${earnings.answer.unit}`]}
      formula={t.whyBest}
      inputs={
        best
          ? SOURCES.filter((source) => best.bucket[source] > 0).map((source) => ({
              label: t[`source.${source}`],
              value: formatCord(best.bucket[source]),
            }))
          : []
      }
    />
  );
}

function bestOf({ answer, periods }: Earnings): Period | undefined {
  return periods.find(({ key }) => key === answer.best?.key);
}

function bestText(best: Period): string {
  const t = EARNINGS_TEXTS.get();
  const day = shortName(best);
  const { claims } = best.bucket;
  return claims > 0 ? t.bestWithClaim({ day, amount: formatCord(claims) }) : day;
}

/** Returns the number of days or months in an average. */
function countOf({ periods }: Earnings): number {
  return Math.max(1, periods.filter(({ before }) => !before).length);
}

/** micro-CORD, truncated. */
function averageWithoutClaims(earnings: Earnings): bigint {
  const { answer } = earnings;
  const without = toMicro(sumOf([answer.total, ...answer.buckets.map(({ claims }) => -claims)])) ?? 0n;
  return without / BigInt(countOf(earnings));
}
