import { type Away, formatWhen, useSdk, useTexts } from '@cord/sdk';
import { Card, Cells, formatSpan, IconButton } from '@cord/ui';
import { X } from 'lucide-react';
import { Place } from '../parts/place';
import { awayOf } from '../session/use-away';
import s from './away-card.module.css';
import { AWAY_TEXTS } from './texts';

/** Shows what came during an absence, by module, until it is dismissed or the page closes. */
export function AwayCard({ away }: { away: Away }) {
  const t = useTexts(AWAY_TEXTS);
  const sdk = useSdk();
  const { before, backMs } = away;
  const dismiss = () => {
    awayOf(sdk).set(null);
    // The button disappears, so keyboard focus moves to the page.
    document.getElementById('page')?.focus({ preventScroll: true });
  };
  return (
    <Card
      padding="none"
      className={s.card}
      data-testid="away"
      aria-label={t.title}
      title={t.title}
      aside={<IconButton className={s.close} label={t.dismiss} icon={<X />} onClick={dismiss} />}
    >
      <p className={s.span}>
        {t.span({ span: formatSpan(backMs - before.atMs), time: formatWhen(before.atMs, backMs) })}
      </p>
      <Cells columns={2} phoneColumns={2} inset className={s.cells}>
        <Place name="dashboard.away" away={away} />
      </Cells>
      <div className={s.waits}>
        <Place name="dashboard.waiting" />
      </div>
    </Card>
  );
}
