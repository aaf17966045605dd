import { messageOf, type Toast } from '@cord/sdk';
import { SETTINGS_TEXTS } from './texts';

/** Returns the toast of a failed setting or action; `text` is used when the error has none. */
export function failureToast(title: string, error: unknown, text = SETTINGS_TEXTS.get().tryAgain): Toast {
  return { kind: 'error', title, text: messageOf(error, text) };
}

/** Returns the toast of a failed save. */
export function notSavedToast(error: unknown): Toast {
  const t = SETTINGS_TEXTS.get();
  return failureToast(t.notSaved, error, t.notSavedText);
}
