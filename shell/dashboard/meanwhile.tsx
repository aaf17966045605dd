import { Lazy, lazyFile, useSdk, useStore } from '@cord/sdk';
import { awayOf } from '../session/use-away';
import s from './dashboard.module.css';

/** Few visits are a return after an hour. */
const CARD = lazyFile(() =>
  import(/* webpackChunkName: 'return' */ '../away/away-card').then(({ AwayCard }) => AwayCard),
);

/** What came while the user was away, in a file of its own; it is no reason for a fault when that does not come. */
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
