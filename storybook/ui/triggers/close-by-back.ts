import { useEffect, useEffectEvent } from 'react';

/** Called with what opens over the page, with the way to close it; answers with what to call once it is closed. */
type OverlayHost = (close: () => void) => () => void;

let host: OverlayHost | null = null;

/** The shell gives each overlay its step in the browser's history; without a host (catalogue, tests) Back knows none of them. */
export function setOverlayHost(next: OverlayHost | null): void {
  host = next;
}

/** While it is open, Back closes it. */
export function useCloseByBack(open: boolean, close: () => void): void {
  const onBack = useEffectEvent(close);
  useEffect(() => (open ? host?.(() => onBack()) : undefined), [open]);
}
