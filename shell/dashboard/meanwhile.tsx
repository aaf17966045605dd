import { useSdk, useStore } from '@cord/sdk';
import { LaterBundle } from '../app/later-bundle';
import { AWAY } from '../app/later-files';
import { awayOf } from '../session/use-away';
import s from './dashboard.module.css';

/** What came while the user was away, in a file of its own; it is no reason for a fault when that does not come. */
export function Meanwhile() {
  const away = useStore(awayOf(useSdk()));
  if (away === null) return null;
  return (
    <LaterBundle
      key={away.backMs}
      load={AWAY}
      part="dashboard/away"
      with={{ away }}
      whileLoading={<div className={s.away} />}
      whenFailed={() => null}
    />
  );
}
