import { LedgerEntries, useTexts } from '@cord/sdk';
import { formatCord, WhyNumber } from '@cord/ui';
import s from './chosen-period.module.css';
import { hoursName, longName } from './period-names';
import type { Period } from './periods';
import { type EarningsSource, SOURCES } from './sources';
import { EARNINGS_TEXTS } from './texts';

/** The chosen day or month: what came, from where, and how long the node ran. */
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
        <p className={s.before}>{t.beforeJoined}</p>
      ) : (
        <>
          <p className={s.total}>
            <span data-number>{formatCord(bucket.total)}</span> <span className={s.unit}>{t.unit}</span>
          </p>
          <dl className={s.rows}>
            {SOURCES.filter((source) => bucket[source] > 0).map((source) => (
              <Row key={source} label={labelOf(source, period)} value={formatCord(bucket[source])} />
            ))}
          </dl>
          <dl className={s.node}>
            <Row label={t.nodeRan} value={hoursName(bucket.ranMs)} />
            <Row label={t.notRunning} value={hoursName(lastedMs - bucket.ranMs)} />
          </dl>
        </>
      )}
    </section>
  );
}

function PeriodWhy({ period: { bucket, startMs, key }, name }: { period: Period; name: string }) {
  const t = useTexts(EARNINGS_TEXTS);
  return (
    <WhyNumber
      about={name}
      formula={key.length === 'yyyy-mm'.length ? t.whyMonth : t.whyDay}
      inputs={SOURCES.map((source) => ({ label: t[`source.${source}`], value: formatCord(bucket[source]) }))}
    >
      <LedgerEntries sinceMs={startMs} />
    </WhyNumber>
  );
}

function labelOf(source: EarningsSource, { streakDay }: Period): string {
  const t = EARNINGS_TEXTS.get();
  return source === 'checkin' && streakDay !== null ? t.checkinDay({ day: streakDay }) : t[`of.${source}`];
}

function Row({ label, value }: { label: string; value: string }) {
  return (
    <div className={s.row}>
      <dt>{label}</dt>
      <dd data-number>{value}</dd>
    </div>
  );
}
