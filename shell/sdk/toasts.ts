import { TOAST_LONG_MS } from '@cord/contracts/rules/timings';
import type { Toast } from '@cord/ui';
import { useSdk } from './sdk';

export type { Toast };

export interface Toasts {
  /** Shows a toast above everything for 4 s or `durationMs`. Screen readers announce errors at once, others at the next pause. */
  show(toast: Toast): void;
}

/** Duration of the toasts of tasks and claims, ms. */
export const LONG_TOAST_MS = TOAST_LONG_MS;

export function useToasts(): Toasts {
  return useSdk().toasts;
}
