import { useQuery } from '@cord/sdk';
import { RELEASE_KEY } from '@cord/sdk/host';
import { useEffect } from 'react';

/** Everybody hears of a release at once; each asks at random within so long, ms. */
export const LOOK_WITHIN_MS = 1_500;

async function lookNow(): Promise<void> {
  const { moduleLoader } = await import(/* webpackChunkName: 'module-loader' */ '../federation/module-loader');
  moduleLoader.lookNow();
}

/** Has the registry read again when the live stream tells of a release, in each tab of the browser. */
export function useReleases(look: () => Promise<void> = lookNow): void {
  // Never asked for: the stream, or the tab that holds it, puts it there.
  const { data } = useQuery<unknown>({ queryKey: RELEASE_KEY, queryFn: () => null, enabled: false });
  useEffect(() => {
    if (data === undefined) return;
    // Without the loader's file nothing runs that a release could replace.
    const timer = setTimeout(() => void look().catch(() => undefined), Math.random() * LOOK_WITHIN_MS);
    return () => clearTimeout(timer);
  }, [data, look]);
}
