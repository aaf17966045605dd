import type { ReactNode } from 'react';

/** A short message on top of everything. */
export interface Toast {
  kind: 'success' | 'info' | 'warning' | 'error';
  title: ReactNode;
  /** Under the title. */
  text?: ReactNode;
  /** ms; 4000 when left out. */
  durationMs?: number;
  /** The same id replaces the toast that is there. */
  id?: string;
}

/** A toast in force. */
export type ToastEntry = Toast & Required<Pick<Toast, 'id' | 'durationMs'>>;

/** At most this many at once; the oldest goes. */
const MAX_SHOWN = 3;
const DURATION_MS = 4000;

let entries: readonly ToastEntry[] = [];
let count = 0;
const listeners = new Set<() => void>();

function publish(next: readonly ToastEntry[]): void {
  entries = next;
  for (const listener of listeners) listener();
}

/** The toasts of the page; its `Toaster` draws them. */
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
