import { useEffect, useEffectEvent } from 'react';

/** Called when an overlay opens, with the function that closes it; returns the function to call once it is closed. */
type OverlayHost = (close: () => void) => () => void;

let host: OverlayHost | null = null;

/** The shell adds a history entry for each overlay; without a host (catalogue, tests) Back does not close them. */
export function setOverlayHost(next: OverlayHost | null): void {
  host = next;
}

/** Makes Back close the overlay while it is open. */
export function useCloseByBack(open: boolean, close: () => void): void {
  const onBack = useEffectEvent(close);
  useEffect(() => (open ? host?.(() => onBack()) : undefined), [open]);
}
