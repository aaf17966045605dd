import { useTexts } from '@cord/sdk';
import { formatRate, RateTable, WhyPopover } from '@cord/ui';
import type { RateView } from './rate-view';
import { TEXTS } from './texts';

/** "Why this number?" beside a rate. */
export function RateWhy({ rate }: { rate: RateView }) {
  const t = useTexts(TEXTS);
  return (
    <WhyPopover about={t.currentRate} width={460}>
      <RateRows rate={rate} />
    </WhyPopover>
  );
}

/** The strands of the rate: factor, what it adds, total. */
export function RateRows({ rate }: { rate: RateView }) {
  const t = useTexts(TEXTS);
  return (
    <RateTable
      rows={rate.rows}
      heads={[t.whyWhat, t.whyFactor, t.whyAdds]}
      totalLabel={t.whyTotal}
      totalFactor={rate.totalFactor}
      total={formatRate(rate.rate)}
    />
  );
}
