import { Lazy, useSdk, useStore } from '@cord/sdk';
import { AWAY } from '../app/lazy-files';
import { awayOf } from '../session/use-away';
import s from './dashboard.module.css';

/** What came while the user was away, in a file of its own; it is no reason for a fault when that does not come. */
export function Meanwhile() {
  const away = useStore(awayOf(useSdk()));
  if (away === null) return null;
  return (
    <Lazy
      key={away.backMs}
      of={AWAY}
      part="dashboard/away"
      props={{ away }}
      loading={<div className={s.away} />}
      failed={() => null}
    />
  );
}
