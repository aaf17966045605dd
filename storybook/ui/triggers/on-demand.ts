import { useEffect, useEffectEvent, useState } from 'react';

export type Overlays = typeof import('../overlays');

let overlays: Overlays | null = null;
let loading: Promise<Overlays> | null = null;
/** Why the last try failed; null when none did, or a later one succeeded. */
let missing: unknown = null;
const listeners = new Set<() => void>();

function setMissing(error: unknown): void {
  missing = error;
  for (const listener of listeners) listener();
}

/** Why the overlays did not come: the page shows it, in a place that needs no overlay. Null while all is well. */
export const overlaysMissing = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  read: (): unknown => missing,
};

/**
 * Fetches `@cord/ui/overlays`: a sixth of a signed-in page's code, which its first picture does not need. Once it is here, menus and
 * popovers open at once. A failure is not kept.
 */
export function loadOverlays(): Promise<Overlays> {
  loading ??= import(/* webpackChunkName: 'overlays' */ '../overlays').then(
    (loaded) => {
      overlays = loaded;
      if (missing !== null) setMissing(null);
      return loaded;
    },
    (error: unknown) => {
      loading = null;
      throw error;
    },
  );
  return loading;
}

/** Fetches ahead; a failure shows when one is to open. */
export function prefetchOverlays(): void {
  loadOverlays().catch(() => undefined);
}

/**
 * For what is on the page before what it opens: the overlays once they are here, null until then.
 * @param wanted whether something is to open; until then nothing is fetched
 * @param onFailed they did not come, and `overlaysMissing` has the reason; the caller closes what was to open, so that the next press
 *   tries again
 */
export function useOverlays(wanted: boolean, onFailed: () => void): Overlays | null {
  const [loaded, setLoaded] = useState(overlays);
  const fail = useEffectEvent(onFailed);
  useEffect(() => {
    if (!wanted || loaded !== null) return;
    let current = true;
    loadOverlays().then(
      (found) => current && setLoaded(found),
      (error: unknown) => {
        if (!current) return;
        setMissing(error ?? new Error('no overlays'));
        fail();
      },
    );
    return () => {
      current = false;
    };
  }, [wanted, loaded]);
  return loaded;
}
