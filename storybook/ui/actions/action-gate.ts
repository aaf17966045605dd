import { useSyncExternalStore } from 'react';

let reason: string | null = null;
const listeners = new Set<() => void>();

/**
 * Whether actions that need the server are possible. There is one gate per page, because modules have separate React roots and
 * share the design system.
 */
export const actionGate = {
  /** @param why reason shown at every control that needs the server, until `open` */
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

/** The reason why a control that needs the server is disabled; undefined while it is enabled, and for other controls. */
export function useShutReason(needsServer: boolean): string | undefined {
  const why = useSyncExternalStore(subscribe, () => reason);
  return needsServer ? (why ?? undefined) : undefined;
}
