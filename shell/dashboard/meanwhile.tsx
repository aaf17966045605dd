import { Lazy, lazyFile, useSdk, useStore } from '@cord/sdk';
import { awayOf } from '../session/use-away';
import s from './dashboard.module.css';

/** Lazy, since few visits follow an absence. */
const CARD = lazyFile(() =>
  import(/* webpackChunkName: 'return' */ '../away/away-card').then(({ AwayCard }) => AwayCard),
);

/** Shows the card after an absence; a failure to load it shows nothing. */
export function Meanwhile() {
  const away = useStore(awayOf(useSdk()));
  if (away === null) return null;
  return (
    <Lazy
      key={away.backMs}
      of={CARD}
      part="dashboard/away"
      props={{ away }}
      loading={<div className={s.away} />}
      failed={() => null}
    />
  );
}
