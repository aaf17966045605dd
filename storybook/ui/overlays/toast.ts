import type { ReactNode } from 'react';

export type ToastTone = 'success' | 'info' | 'warning' | 'error';

export interface ToastOptions {
  /** Under the title. */
  description?: ReactNode;
  /** ms; 4000 (mining, check-in) or 5000 (tasks, claims). */
  durationMs?: number | undefined;
  /** The same id replaces the toast that is there. */
  id?: string | undefined;
}

export interface ToastEntry extends ToastOptions {
  id: string;
  tone: ToastTone;
  title: ReactNode;
  durationMs: number;
}

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

function show(tone: ToastTone, title: ReactNode, options: ToastOptions = {}): string {
  const id = options.id ?? `toast-${++count}`;
  const entry: ToastEntry = { ...options, id, tone, title, durationMs: options.durationMs ?? DURATION_MS };
  publish([...entries.filter((other) => other.id !== id), entry].slice(-MAX_SHOWN));
  return id;
}

/** Shows a message for 4 s (or `durationMs`). The `Toaster` of the page draws it. */
export const toast = {
  success: (title: ReactNode, options?: ToastOptions) => show('success', title, options),
  info: (title: ReactNode, options?: ToastOptions) => show('info', title, options),
  warning: (title: ReactNode, options?: ToastOptions) => show('warning', title, options),
  error: (title: ReactNode, options?: ToastOptions) => show('error', title, options),
  dismiss: (id: string) => publish(entries.filter((entry) => entry.id !== id)),
  clear: () => publish([]),
};

/** For the `Toaster`: the toasts in force. */
export const toastStore = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  read: (): readonly ToastEntry[] => entries,
};
