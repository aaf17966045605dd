import { useQuery, useSdk, useStore } from '@cord/sdk';
import { RELEASE_KEY } from '@cord/sdk/host';
import { useEffect } from 'react';
import { whenIdle } from '../app/scheduling';
import type { ModuleLoader } from '../federation/load-module';
import { moduleLoader } from '../federation/module-loader';

/** Everybody learns of a release at once; each reads at random within so long, ms. */
export const LOOK_WITHIN_MS = 1_500;

type Looks = Pick<ModuleLoader, 'visit' | 'lookForReleases' | 'lookNow'>;

/**
 * Has the registry read again in the background: when the live stream reports a release, in each tab of the browser; when the stream opens, for what
 * was reported before it did reached nobody; when a tab is visited, and when the page is looked at again. What has come by then of another build is what the visit shows.
 */
export function useReleases({ visit, lookForReleases, lookNow }: Looks = moduleLoader): void {
  const { tabs, live } = useSdk();
  const { current } = tabs;
  useEffect(
    () =>
      current.listen(() => {
        visit();
        // What it finds is for the next visit; this one has a page to show.
        whenIdle(lookForReleases);
      }),
    [current, visit, lookForReleases],
  );

  useEffect(() => {
    const onWake = () => {
      if (document.visibilityState === 'visible') lookForReleases();
    };
    document.addEventListener('visibilitychange', onWake);
    return () => document.removeEventListener('visibilitychange', onWake);
  }, [lookForReleases]);

  // Never requested: the stream, or the tab that holds it, puts it there.
  const { data } = useQuery<unknown>({ queryKey: RELEASE_KEY, queryFn: () => null, enabled: false });
  useEffect(() => {
    if (data === undefined) return;
    return within(lookNow);
  }, [data, lookNow]);

  const open = useStore(live.open);
  useEffect(() => (open ? within(lookNow) : undefined), [open, lookNow]);
}

/** Runs at a random time within LOOK_WITHIN_MS. @returns takes it back */
function within(run: () => void): () => void {
  const timer = setTimeout(run, Math.random() * LOOK_WITHIN_MS);
  return () => clearTimeout(timer);
}
