import { useEffect, useEffectEvent, useState } from 'react';

export type Overlays = typeof import('../overlays');

let overlays: Overlays | null = null;
let loading: Promise<Overlays> | null = null;
/** The error of the last try; null if none failed, or a later one succeeded. */
let missing: unknown = null;
const listeners = new Set<() => void>();

function setMissing(error: unknown): void {
  missing = error;
  for (const listener of listeners) listener();
}

/** The error of loading the overlays, which the page shows outside of overlays. Null without an error. */
export const overlaysMissing = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  read: (): unknown => missing,
};

/**
 * Loads `@cord/ui/overlays`: a sixth of a signed-in page's code, which the first render does not need. Once it is loaded, menus and
 * popovers open at once. A failure is not cached.
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

/** Prefetches the overlays; a failure shows when one opens. */
export function prefetchOverlays(): void {
  loadOverlays().catch(() => undefined);
}

/**
 * For controls that exist before their overlay is loaded: returns the overlays once they are loaded, null until then.
 * @param wanted whether an overlay should open; until then nothing is fetched
 * @param onFailed called if loading failed, with the error in `overlaysMissing`; the caller closes the overlay, so that the next press
 *   retries
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
