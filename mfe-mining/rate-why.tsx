import { formatRate, RateTable, WhyPopover } from '@cord/ui';
import type { RateView } from './rate-view';
import { TEXTS } from './texts';

/** "Why this number?" beside a rate. */
export function RateWhy({ rate }: { rate: RateView }) {
  return (
    <WhyPopover about={TEXTS.currentRate} width={460}>
      <RateRows rate={rate} />
    </WhyPopover>
  );
}

/** The strands of the rate: factor, what it adds, total. */
export function RateRows({ rate }: { rate: RateView }) {
  return (
    <RateTable
      rows={rate.rows}
      heads={[TEXTS.whyWhat, TEXTS.whyFactor, TEXTS.whyAdds]}
      totalLabel={TEXTS.whyTotal}
      totalFactor={rate.totalFactor}
      total={formatRate(rate.rate)}
    />
  );
}
