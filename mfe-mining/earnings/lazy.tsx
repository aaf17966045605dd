import { Lazy, lazyFile, type PartProps } from '@cord/sdk';
import { Card } from '@cord/ui';
import s from './lazy.module.css';

const CARD = lazyFile(() => import('./earnings-card').then((file) => file.EarningsCard));
const VIEW = lazyFile(() => import('./earnings-view').then((file) => file.EarningsView));

/** As high as what comes. */
function CardRoom() {
  return (
    <Card>
      <div className={s.card} aria-hidden="true" />
    </Card>
  );
}

function ViewRoom() {
  return <div className={s.view} aria-busy="true" />;
}

export function EarningsCard(props: PartProps) {
  return <Lazy of={CARD} props={props} part="mining/earnings-card" loading={<CardRoom />} />;
}

export function EarningsView(props: PartProps) {
  return <Lazy of={VIEW} props={props} part="mining/earnings-view" loading={<ViewRoom />} />;
}
