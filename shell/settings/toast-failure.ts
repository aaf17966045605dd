import { messageOf, SHORT_TOAST_MS } from '@cord/sdk';
import type { Toasts } from '@cord/sdk/host';
import { SETTINGS_TEXTS } from './texts';

/** What a setting that could not be kept or done is told by; `text` where the failure has no words of its own. */
export function toastFailure(
  toasts: Toasts,
  title: string,
  error: unknown,
  text = SETTINGS_TEXTS.get().tryAgain,
): void {
  toasts.show({ kind: 'error', title, text: messageOf(error, text), durationMs: SHORT_TOAST_MS });
}

/** The same, for what is saved. */
export function toastNotSaved(toasts: Toasts, error: unknown): void {
  const t = SETTINGS_TEXTS.get();
  toastFailure(toasts, t.notSaved, error, t.notSavedText);
}
