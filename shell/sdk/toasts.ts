import { TOAST_LONG_MS, TOAST_SHORT_MS } from '@cord/contracts/rules/timings';
import { useSdk } from './sdk';

/** A short message on top of everything; errors are spoken at once, the others when there is a pause. */
export interface Toast {
  kind: 'success' | 'error' | 'info' | 'warning';
  title: string;
  text?: string;
  durationMs: number;
}

export interface Toasts {
  show(toast: Toast): void;
}

/** Toasts of mining and check-in, 4 s. */
export const SHORT_TOAST_MS = TOAST_SHORT_MS;
/** Toasts of tasks and claims, 5 s. */
export const LONG_TOAST_MS = TOAST_LONG_MS;

export function useToasts(): Toasts {
  return useSdk().toasts;
}
