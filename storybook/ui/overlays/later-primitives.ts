import { useEffect, useEffectEvent, useState } from 'react';

export type Primitives = typeof import('./primitives');

let primitives: Primitives | null = null;
let loading: Promise<Primitives> | null = null;
/** Why the last try failed; null when none did, or a later one succeeded. */
let missing: unknown = null;
const listeners = new Set<() => void>();

function setMissing(error: unknown): void {
  missing = error;
  for (const listener of listeners) listener();
}

/** Why what was to open could not: the page says so, in a place that needs no overlay. Null while all is well. */
export const overlaysMissing = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  read: (): unknown => missing,
};

/**
 * Fetches what dialogs, menus, popovers and toasts are made of: a sixth of a signed-in page's code that its first picture
 * does not need. Once it is here, overlays open at once. Called ahead of need by whoever can tell; a failure is not kept.
 */
export function loadOverlays(): Promise<Primitives> {
  loading ??= import('./primitives').then(
    (loaded) => {
      primitives = loaded;
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

/** Fetches ahead and says nothing when it fails: what needs it will ask again. */
export function prefetchOverlays(): void {
  loadOverlays().catch(() => undefined);
}

/**
 * The primitives once they are here, null until then.
 * @param wanted whether something is to open; until then nothing is fetched
 * @param onFailed they did not come, which `overlaysMissing` tells the page; the caller closes what was to open, so that it can be
 *   asked for again
 */
export function usePrimitives(wanted: boolean, onFailed: () => void): Primitives | null {
  const [loaded, setLoaded] = useState(primitives);
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
