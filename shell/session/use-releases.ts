import { useQuery, useSdk, useStore } from '@cord/sdk';
import { RELEASE_KEY } from '@cord/sdk/host';
import { useEffect } from 'react';
import { whenIdle } from '../app/scheduling';
import type { ModuleLoader } from '../federation/load-module';
import { moduleLoader } from '../federation/module-loader';

/** Random spread of the registry reads after a release, which is reported to all clients at once, ms. */
export const READ_SPREAD_MS = 1_500;

type ReleaseChecks = Pick<ModuleLoader, 'visit' | 'checkForReleases' | 'checkForReleasesNow'>;

/**
 * Reads the registry in the background: when the live stream reports a release, when it opens, since earlier reports
 * were missed, on a tab visit, and when the page becomes visible. A visit shows the builds known by then.
 */
export function useReleases({ visit, checkForReleases, checkForReleasesNow }: ReleaseChecks = moduleLoader): void {
  const { tabs, live } = useSdk();
  const { current } = tabs;
  useEffect(
    () =>
      current.listen(() => {
        visit();
        // The result applies to the next visit; this one must render its page first.
        whenIdle(checkForReleases);
      }),
    [current, visit, checkForReleases],
  );

  useEffect(() => {
    const onWake = () => {
      if (document.visibilityState === 'visible') checkForReleases();
    };
    document.addEventListener('visibilitychange', onWake);
    return () => document.removeEventListener('visibilitychange', onWake);
  }, [checkForReleases]);

  // Never fetched: the live stream or the leading tab sets it.
  const { data } = useQuery<unknown>({ queryKey: RELEASE_KEY, queryFn: () => null, enabled: false });
  useEffect(() => {
    if (data === undefined) return;
    return within(checkForReleasesNow);
  }, [data, checkForReleasesNow]);

  const open = useStore(live.open);
  useEffect(() => (open ? within(checkForReleasesNow) : undefined), [open, checkForReleasesNow]);
}

/** Runs at a random time within READ_SPREAD_MS. @returns a function that cancels it */
function within(run: () => void): () => void {
  const timer = setTimeout(run, Math.random() * READ_SPREAD_MS);
  return () => clearTimeout(timer);
}
