import type { ReactNode } from 'react';

/** A short message above everything else. */
export interface Toast {
  kind: 'success' | 'info' | 'warning' | 'error';
  title: ReactNode;
  /** Under the title. */
  text?: ReactNode;
  /** ms; 4000 when left out. */
  durationMs?: number;
  /** A toast with the same id is replaced. */
  id?: string;
}

/** A shown toast. */
export type ToastEntry = Toast & Required<Pick<Toast, 'id' | 'durationMs'>>;

/** Maximum number of toasts at once; the oldest is removed. */
const MAX_SHOWN = 3;
const DURATION_MS = 4000;

let entries: readonly ToastEntry[] = [];
let count = 0;
const listeners = new Set<() => void>();

function publish(next: readonly ToastEntry[]): void {
  entries = next;
  for (const listener of listeners) listener();
}

/** The toasts of the page; its `Toaster` renders them. */
export const toasts = {
  show(toast: Toast): void {
    const id = toast.id ?? `toast-${++count}`;
    const entry = { ...toast, id, durationMs: toast.durationMs ?? DURATION_MS };
    publish([...entries.filter((other) => other.id !== id), entry].slice(-MAX_SHOWN));
  },
  dismiss: (id: string) => publish(entries.filter((entry) => entry.id !== id)),
  clear: () => publish([]),
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  read: (): readonly ToastEntry[] => entries,
};
