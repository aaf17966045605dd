import { useTexts } from '@cord/sdk';
import { Card, CordLine, Skeleton } from '@cord/ui';
import { TEXTS } from '../texts';
import { type RateView, shareText } from './rate-view';
import { RateRows } from './rate-why';
import s from './why-card.module.css';

/** Full "Why this number?" of the rate. */
export function WhyCard({ rate }: { rate: RateView | null }) {
  const t = useTexts(TEXTS);
  return (
    <Card title={t.whyTitle}>
      {rate === null ? (
        <Skeleton height={240} />
      ) : (
        <>
          <RateRows rate={rate} />
          <div className={s.cord}>
            <CordLine adds={rate.adds} thickness={18} />
          </div>
          <p className="t-hint">{t.whyShares({ shares: shareText(rate.adds) })}</p>
        </>
      )}
    </Card>
  );
}
