import type { IssuedOverTime } from '@cord/contracts/http/overview';
import { useTexts } from '@cord/sdk';
import { cx, formatCord } from '@cord/ui';
import s from './issued.module.css';
import { scaleLines } from './scale';
import { TEXTS } from './texts';

/** From the ground up, always in this order; patterns distinguish them, without colour too (storybook/ui/README.md#sources-of-earnings). */
export const PARTS = ['mining', 'checkin', 'tasks', 'commission', 'claims'] as const;
export type Part = (typeof PARTS)[number];

/** The pattern of a source, beside its name. */
export function SourceMark({ part }: { part: Part }) {
  return <span className={cx(s.mark, s[part])} aria-hidden="true" />;
}

/** Columns between two names under them. */
const NAMED_EVERY = 7;

interface IssuedChartProps {
  issued: IssuedOverTime;
  /** What it is, for who does not see it; the numbers are in the table. */
  label: string;
  nameOf: (bucket: { key: string }) => string;
}

/** A column for each day or month, its sources one on the other. */
export function IssuedChart({ issued: { buckets }, label, nameOf }: IssuedChartProps) {
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
                  // Columns start their lay at different heights, so that equal strands form no bands.
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
