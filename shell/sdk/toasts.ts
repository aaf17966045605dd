import { TOAST_LONG_MS } from '@cord/contracts/rules/timings';
import type { Toast } from '@cord/ui';
import { useSdk } from './sdk';

export type { Toast };

export interface Toasts {
  /** Shows it on top of everything for 4 s, or `durationMs`; errors are read by screen readers at once, the others when there is a pause. */
  show(toast: Toast): void;
}

/** Of tasks and claims, ms. */
export const LONG_TOAST_MS = TOAST_LONG_MS;

export function useToasts(): Toasts {
  return useSdk().toasts;
}
