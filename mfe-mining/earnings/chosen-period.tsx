import type { EarningsBucket } from '@cord/contracts/http/mining';
import { LedgerEntries, useTexts } from '@cord/sdk';
import { Fact, formatCord, WhyNumber } from '@cord/ui';
import s from './chosen-period.module.css';
import { hoursName, longName } from './period-names';
import type { Period } from './periods';
import { CLAIMS, EARNED, type EarningsSource, SOURCES, sumOf } from './sources';
import { EARNINGS_TEXTS } from './texts';

/** The selected day or month: earnings by source, and the node's running time. */
export function ChosenPeriod({ period }: { period: Period }) {
  const t = useTexts(EARNINGS_TEXTS);
  const { bucket, before, lastedMs } = period;
  const name = longName(period);
  return (
    <section className={s.chosen} aria-label={name}>
      <h2 className={s.name}>
        {name}
        {!before && <PeriodWhy period={period} name={name} />}
      </h2>
      {before ? (
        <p className="c-2">{t.beforeJoined}</p>
      ) : (
        <>
          <p className="t-n20">
            <span data-number>{formatCord(bucket.total)}</span> <span className={s.unit}>{t.unit}</span>
          </p>
          <dl className={s.rows}>
            {rowsOf(period).map(({ label, cord }) => (
              <Fact key={label} name={label} number>
                {formatCord(cord)}
              </Fact>
            ))}
          </dl>
          <dl className={s.node}>
            <Fact name={t.nodeRan} number>
              {hoursName(bucket.ranMs)}
            </Fact>
            <Fact name={t.notRunning} number>
              {hoursName(lastedMs - bucket.ranMs)}
            </Fact>
          </dl>
        </>
      )}
    </section>
  );
}

function PeriodWhy({ period: { bucket, startMs, present, key }, name }: { period: Period; name: string }) {
  const t = useTexts(EARNINGS_TEXTS);
  return (
    <WhyNumber
      about={name}
      formula={key.length === 'yyyy-mm'.length ? t.whyMonth : t.whyDay}
      inputs={SOURCES.map((source) => ({ label: t[`source.${source}`], value: formatCord(bucket[source]) }))}
    >
      {/* Only the present period lists the latest entries; they do not belong to others. */}
      {present && <LedgerEntries sources={EARNED} sinceMs={startMs} />}
    </WhyNumber>
  );
}

interface Part {
  label: string;
  cord: number;
}

/** Returns the earnings by source, from the ground up, with each claim separate. */
function rowsOf(period: Period): Part[] {
  const { bucket } = period;
  return SOURCES.filter((source) => bucket[source] > 0).flatMap((source) =>
    source === 'claims' ? claimsIn(bucket) : { label: labelOf(source, period), cord: bucket[source] },
  );
}

/** Returns the claims by source; unknown sources of a newer release, and claims without sources of an older one, as one sum. */
function claimsIn({ claims, claimsBy = {} }: EarningsBucket): Part[] {
  const t = EARNINGS_TEXTS.get();
  const known = CLAIMS.flatMap((source) => {
    const cord = claimsBy[source] ?? 0;
    return cord > 0 ? [{ label: t[`claims.${source}`], cord }] : [];
  });
  const rest = sumOf([claims, ...known.map(({ cord }) => -cord)]);
  return rest > 0 ? [...known, { label: t['of.claims'], cord: rest }] : known;
}

function labelOf(source: EarningsSource, { streakDay, bucket: { tasksClaimed = 0 } }: Period): string {
  const t = EARNINGS_TEXTS.get();
  if (source === 'checkin' && streakDay !== null) return t.checkinDay({ day: streakDay });
  if (source === 'tasks' && tasksClaimed > 0) return t.tasksClaimed({ count: tasksClaimed });
  return t[`of.${source}`];
}
