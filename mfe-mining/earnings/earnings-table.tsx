import { useTexts } from '@cord/sdk';
import { cx, formatCord, formatMultiplier, VisuallyHidden } from '@cord/ui';
import { Fragment } from 'react';
import s from './earnings-table.module.css';
import { type EpochSpan, epochLabel, epochName, epochOf } from './epochs';
import { longName, momentName, rowName } from './period-names';
import type { Period } from './periods';
import { SOURCES, sumOf, sumsBySource } from './sources';
import { EARNINGS_TEXTS } from './texts';
import type { Earnings } from './use-earnings';

/**
 * The chart's data as a table, newest first. For screen readers alone it has all columns; on narrow screens all
 * sources but mining share one.
 */
export function EarningsTable({ earnings, readerOnly = false }: { earnings: Earnings; readerOnly?: boolean }) {
  const t = useTexts(EARNINGS_TEXTS);
  const { periods, epochs, answer, range } = earnings;
  const byDay = answer.unit === 'day';
  const streak = byDay && earnings.streak !== null;
  const sums = sumsBySource(answer.buckets);
  const newestFirst = periods.filter(({ before }) => !before).reverse();
  const lastBefore = periods.findLast(({ before }) => before);
  const columns = 3 + SOURCES.length + (streak ? 1 : 0);
  return (
    <table className={cx(s.table, readerOnly && s.readerOnly)} data-testid="earnings-table">
      <caption>
        <VisuallyHidden>{t.chartName({ range: t[`range.${range}`], total: formatCord(answer.total) })}</VisuallyHidden>
      </caption>
      <thead>
        <tr>
          <th scope="col">{byDay ? t.day : t.month}</th>
          {streak && (
            <th scope="col" className={s.wide}>
              {t.streak}
            </th>
          )}
          {SOURCES.map((source) => (
            <th key={source} scope="col" className={cx(s.number, source !== 'mining' && s.wide)}>
              {t[`source.${source}`]}
            </th>
          ))}
          {!readerOnly && (
            <th scope="col" className={cx(s.number, s.narrow)}>
              {t.other}
            </th>
          )}
          <th scope="col" className={s.number}>
            <span className={s.wide}>{t.totalCord}</span>
            {!readerOnly && <span className={s.narrow}>{t.total}</span>}
          </th>
        </tr>
      </thead>
      <tbody>
        {newestFirst.map((period, index) => (
          <Fragment key={period.key}>
            {byDay && <EpochRow epochs={epochs} period={period} after={newestFirst[index - 1]} columns={columns} />}
            <Row period={period} streak={streak} readerOnly={readerOnly} />
          </Fragment>
        ))}
        {lastBefore && (
          <tr>
            <th scope="row" colSpan={columns} className={s.before}>
              {t.untilJoined({ day: rowName(lastBefore) })}
            </th>
          </tr>
        )}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{t[`range.${range}`]}</th>
          {streak && <td className={s.wide} />}
          {SOURCES.map((source) => (
            <td key={source} className={cx(s.number, source !== 'mining' && s.wide)}>
              {formatCord(sums[source])}
            </td>
          ))}
          {!readerOnly && <td className={cx(s.number, s.narrow)}>{formatCord(sumOf([answer.total, -sums.mining]))}</td>}
          <td className={s.number}>{formatCord(answer.total)}</td>
        </tr>
      </tfoot>
    </table>
  );
}

function Row({ period, streak, readerOnly }: { period: Period; streak: boolean; readerOnly: boolean }) {
  const { bucket } = period;
  const amount = (cord: number) => formatCord(cord, cord === 0 ? { decimals: 0 } : {});
  const zero = (cord: number) => cord === 0 && s.zero;
  return (
    <tr>
      <th scope="row">
        {rowName(period)}
        {period.present && <VisuallyHidden> {longName(period)}</VisuallyHidden>}
      </th>
      {streak && <td className={cx(s.wide, s.streak)}>{streakText(period)}</td>}
      {SOURCES.map((source) => (
        <td key={source} className={cx(s.number, source !== 'mining' && s.wide, zero(bucket[source]))}>
          {amount(bucket[source])}
        </td>
      ))}
      {!readerOnly && (
        <td className={cx(s.number, s.narrow, zero(sumOf([bucket.total, -bucket.mining])))}>
          {amount(sumOf([bucket.total, -bucket.mining]))}
        </td>
      )}
      <td className={cx(s.number, s.sum)}>{amount(bucket.total)}</td>
    </tr>
  );
}

function streakText({ mark, streakDay }: Period): string {
  const t = EARNINGS_TEXTS.get();
  if (mark === null) return '';
  return mark === 'kept' ? t['streakOn.kept']({ day: streakDay ?? 0 }) : t[`streakOn.${mark}`];
}

/** Marks where, going back, another epoch was in force. */
function EpochRow({
  epochs,
  period,
  after,
  columns,
}: {
  epochs: readonly EpochSpan[];
  period: Period;
  after: Period | undefined;
  columns: number;
}) {
  const t = useTexts(EARNINGS_TEXTS);
  const epoch = epochOf(epochs, period);
  if (epoch === null || (after !== undefined && epochOf(epochs, after)?.id === epoch.id)) return null;
  return (
    <tr className={s.epoch}>
      <th scope="rowgroup" colSpan={columns}>
        {epoch.endMs === null
          ? epochLabel(epoch)
          : t.epochUntil({
              epoch: epochName(epoch),
              factor: formatMultiplier(epoch.factor),
              until: momentName(epoch.endMs, period.startMs),
            })}
      </th>
    </tr>
  );
}
