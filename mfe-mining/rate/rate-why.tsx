import { useTexts } from '@cord/sdk';
import { RateTable, WhyPopover } from '@cord/ui';
import { TEXTS } from '../texts';
import type { RateView } from './rate-view';

/** "Why this number?" beside a rate. */
export function RateWhy({ rate }: { rate: RateView }) {
  const t = useTexts(TEXTS);
  return (
    <WhyPopover about={t.currentRate} width={460}>
      <RateRows rate={rate} />
    </WhyPopover>
  );
}

/** The strands of the rate: factor, contribution, total. */
export function RateRows({ rate }: { rate: RateView }) {
  const t = useTexts(TEXTS);
  return (
    <RateTable
      rows={rate.strands.map((strand) => ({ ...strand, label: rate.labels[strand.key] }))}
      heads={[t.whyWhat, t.whyFactor, t.whyAdds]}
      totalLabel={t.whyTotal}
      totalFactor={rate.factor}
      total={rate.perMinute}
    />
  );
}
