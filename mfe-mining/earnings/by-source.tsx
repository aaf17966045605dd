import { LedgerEntries, useTexts } from '@cord/sdk';
import { formatCord, Row, WhyNumber } from '@cord/ui';
import s from './by-source.module.css';
import { LEDGER_SOURCES, percentOf, SOURCES, sumsBySource } from './sources';
import { Swatch, Swatches } from './swatch';
import { EARNINGS_TEXTS } from './texts';
import type { Earnings } from './use-earnings';

/** Legend of the chart, with the sum of each source. */
export function BySource({ earnings }: { earnings: Earnings }) {
  const t = useTexts(EARNINGS_TEXTS);
  const { answer, periods } = earnings;
  const sums = sumsBySource(answer.buckets);
  return (
    <Swatches earnings={earnings}>
      {(swatches) => (
        <dl aria-label={t.bySource}>
          {SOURCES.map((source) => (
            <div key={source} className={s.source}>
              <dt>
                <Swatch of={swatches} source={source} />
                {t[`source.${source}`]}
                <WhyNumber
                  about={t[`source.${source}`]}
                  formula={t[`why.${source}`]}
                  inputs={[{ label: t[`source.${source}`], value: formatCord(sums[source]) }]}
                >
                  <LedgerEntries sources={LEDGER_SOURCES[source]} sinceMs={periods[0]?.startMs ?? 0} />
                </WhyNumber>
              </dt>
              <dd>{t.share({ percent: formatCord(percentOf(sums[source], answer.total), { decimals: 1 }) })}</dd>
              <dd className={s.amount}>{formatCord(sums[source])}</dd>
            </div>
          ))}
          <div className={s.total}>
            <dt>{t.total}</dt>
            <dd className={s.amount}>{formatCord(answer.total)}</dd>
          </div>
        </dl>
      )}
    </Swatches>
  );
}

/** Legend of the chart without sums. */
export function SourceKey({ earnings }: { earnings: Earnings }) {
  const t = useTexts(EARNINGS_TEXTS);
  return (
    <Swatches earnings={earnings}>
      {(swatches) => (
        <Row as="ul" gap="6px 20px" wrap className="t-note">
          {SOURCES.map((source) => (
            <Row as="li" key={source} gap={8} align="center" className={s.key}>
              <Swatch of={swatches} source={source} />
              {t[`source.${source}`]}
            </Row>
          ))}
        </Row>
      )}
    </Swatches>
  );
}
