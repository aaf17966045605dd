import { useSyncExternalStore } from 'react';

let reason: string | null = null;
const listeners = new Set<() => void>();

/**
 * Whether actions that need the server can be done at all. One gate for the page: the modules have roots of their own and
 * share the design system.
 */
export const actionGate = {
  /** @param why shown with every control that needs the server, until `open` */
  shut(why: string): void {
    set(why);
  },
  open(): void {
    set(null);
  },
};

function set(next: string | null): void {
  if (next === reason) return;
  reason = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Why a control that needs the server is disabled; undefined while it is not, and for controls that need nothing. */
export function useShutReason(needsServer: boolean): string | undefined {
  const why = useSyncExternalStore(subscribe, () => reason);
  return needsServer ? (why ?? undefined) : undefined;
}
