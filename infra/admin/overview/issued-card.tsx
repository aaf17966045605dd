import type { EarningsRange } from '@cord/contracts/http/mining';
import type { IssuedOverTime } from '@cord/contracts/http/overview';
import { dateFormat, formatDayKey, Loaded, useTabChoice, useTexts } from '@cord/sdk';
import { Card, ChipGroup, type Column, cx, formatCord, Row, Skeleton, Table, VisuallyHidden } from '@cord/ui';
import { KEYS, useKeys } from '../room/keys';
import s from './issued.module.css';
import { TEXTS } from './texts';
import { useIssued } from './use-overview';

/** Ranges; the first one is the default. */
const RANGES = ['30d', '7d', '12m'] as const satisfies readonly EarningsRange[];
const IN_ORDER = ['7d', '30d', '12m'] as const satisfies readonly EarningsRange[];
const SHOWN_AS = ['chart', 'table'] as const;
const month = dateFormat({ month: 'short', year: 'numeric', timeZone: 'UTC' });

type Bucket = IssuedOverTime['buckets'][number];

/** CORD credited to all accounts, by source: as a chart or a table with the same content. */
export function IssuedCard() {
  const t = useTexts(TEXTS);
  const [range, setRange] = useTabChoice('range', RANGES);
  const [shownAs, setShownAs] = useTabChoice('as', SHOWN_AS);
  useKeys({ [KEYS.table]: () => setShownAs(shownAs === 'chart' ? 'table' : 'chart') });
  return (
    <Card title={t.issuedTitle} className="l-narrow">
      <Row gap="8px 16px" between wrap className={s.controls}>
        <ChipGroup
          label={t.range}
          value={range}
          options={IN_ORDER.map((value) => ({ value, label: t[`range.${value}`] }))}
          onChange={setRange}
        />
        <ChipGroup
          label={t.show}
          value={shownAs}
          options={SHOWN_AS.map((value) => ({ value, label: t[`show.${value}`] }))}
          onChange={setShownAs}
        />
      </Row>
      <Issued range={range} asTable={shownAs === 'table'} />
    </Card>
  );
}

function Issued({ range, asTable }: { range: EarningsRange; asTable: boolean }) {
  const t = useTexts(TEXTS);
  const issued = useIssued(range);
  return (
    <Loaded query={issued} failed={t.issuedFailed} loading={<Skeleton height={320} />}>
      {(data) => <Shown data={data} busy={issued.isPlaceholderData} asTable={asTable} />}
    </Loaded>
  );
}

function Shown({ data, busy, asTable }: { data: IssuedOverTime; busy: boolean; asTable: boolean }) {
  const t = useTexts(TEXTS);
  const today = data.buckets.at(-1);
  return (
    <div className="l-renewed" aria-busy={busy}>
      {asTable ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is to be reached by keyboard
        <section className={s.scroll} aria-label={t.issuedTitle} tabIndex={0}>
          <IssuedTable issued={data} />
        </section>
      ) : (
        <>
          <IssuedChart issued={data} label={t.chartName({ range: t[`range.${data.range}`] })} nameOf={nameOf} />
          <VisuallyHidden>
            <IssuedTable issued={data} />
          </VisuallyHidden>
          <Row as="ul" gap="6px 16px" wrap className={cx('t-small', s.legend)}>
            {PARTS.map((part) => (
              <Row as="li" gap={6} align="center" key={part}>
                <SourceMark part={part} />
                <span data-number>
                  {t[`legend.${data.unit}`]({
                    part: t[`part.${part}`],
                    amount: formatCord(today?.[part], { decimals: 0 }),
                  })}
                </span>
              </Row>
            ))}
          </Row>
        </>
      )}
      <p className={s.note}>
        {data.countedSince === null ? t.issuedNone : t.issuedNote({ day: formatDayKey(data.countedSince) })}
      </p>
    </div>
  );
}

/** A UTC day, or a month of UTC. */
function nameOf({ key }: Pick<Bucket, 'key'>): string {
  return key.length > 'yyyy-mm'.length ? formatDayKey(key) : month.format(Date.parse(`${key}-01T00:00:00Z`));
}

/** Newest first. Periods before counting began are unknown. */
function IssuedTable({ issued: { buckets, unit, countedSince } }: { issued: IssuedOverTime }) {
  const t = useTexts(TEXTS);
  const amount = ({ key }: Bucket, micro: number) =>
    formatCord(countedSince !== null && key >= countedSince.slice(0, key.length) ? micro : null);
  const columns: Column<Bucket>[] = [
    { key: 'key', head: unit === 'day' ? t.day : t.month, names: true, cell: nameOf },
    ...PARTS.map((part) => ({
      key: part,
      head: t[`part.${part}`],
      align: 'right' as const,
      cell: (bucket: Bucket) => amount(bucket, bucket[part]),
    })),
    { key: 'total', head: t.total, align: 'right', cell: (bucket) => amount(bucket, bucket.total) },
  ];
  return (
    <Table
      dense
      className={s.table}
      caption={t.issuedTitle}
      columns={columns}
      rows={[...buckets].reverse()}
      rowKey={({ key }) => key}
    />
  );
}

/** Stacked from the bottom in this order. Patterns distinguish them without colour (storybook/ui/README.md#sources-of-earnings). */
const PARTS = ['mining', 'checkin', 'tasks', 'commission', 'claims'] as const;
type Part = (typeof PARTS)[number];

/** The pattern of a source, shown beside its name. */
function SourceMark({ part }: { part: Part }) {
  return <span className={cx(s.mark, s[part])} aria-hidden="true" />;
}

/** Columns from one axis label to the next. */
const NAMED_EVERY = 7;

interface IssuedChartProps {
  issued: IssuedOverTime;
  /** Accessible name; the numbers are in the table. */
  label: string;
  nameOf: (bucket: { key: string }) => string;
}

/** A column for each day or month, stacked by source. */
function IssuedChart({ issued: { buckets }, label, nameOf }: IssuedChartProps) {
  const t = useTexts(TEXTS);
  const lines = scaleLines(Math.max(0, ...buckets.map(({ total }) => total)));
  const top = lines.at(-1) ?? 1;
  const last = buckets.length - 1;
  const isNamed = (index: number) =>
    buckets.length <= 12 ? index % 2 === 0 : index % NAMED_EVERY === last % NAMED_EVERY;
  return (
    <figure className={s.chart} role="img" aria-label={label} data-testid="issued-chart">
      <div className={s.plot}>
        {lines.map((line) => (
          <div key={line} className={s.line} style={{ bottom: `${(line / top) * 100}%` }}>
            <span>{formatCord(line, { decimals: top < 10 ? 1 : 0 })}</span>
          </div>
        ))}
        <div className={s.columns}>
          {buckets.map((bucket, index) => (
            <div key={bucket.key} className={s.column}>
              {PARTS.filter((part) => bucket[part] > 0).map((part) => (
                <div
                  key={part}
                  className={s[part]}
                  // The pattern is shifted by column, so that it forms no horizontal bands.
                  style={{ height: `${(bucket[part] / top) * 100}%`, backgroundPositionY: `${(index * 5) % 11}px` }}
                />
              ))}
            </div>
          ))}
        </div>
      </div>
      <div className={s.names}>
        {buckets.map((bucket, index) => (
          <span key={bucket.key}>
            {index === last ? (
              <strong>{t.now}</strong>
            ) : (
              isNamed(index) && index < last - 2 && nameOf(bucket).replace(/ \d{4}$/, '')
            )}
          </span>
        ))}
      </div>
    </figure>
  );
}

/** Upper ends of a scale, times a power of ten, and the number of steps of each. */
const ENDS = [
  { end: 1, steps: 5 },
  { end: 2, steps: 4 },
  { end: 2.5, steps: 5 },
  { end: 4, steps: 4 },
  { end: 5, steps: 5 },
  { end: 10, steps: 5 },
] as const;

/**
 * The grid lines of a scale from 0 to at least the largest value. It ends at 1, 2, 2.5, 4 or 5 times a power of ten.
 * @param largest 0 or more
 */
export function scaleLines(largest: number): number[] {
  const power = 10 ** Math.floor(Math.log10(Math.max(largest, 1)));
  const { end, steps } = ENDS.find((one) => one.end * power >= largest) ?? ENDS[5];
  return Array.from({ length: steps + 1 }, (_, n) => (end * power * n) / steps);
}
