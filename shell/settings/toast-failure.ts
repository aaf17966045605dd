import { messageOf, type Toast } from '@cord/sdk';
import { SETTINGS_TEXTS } from './texts';

/** The toast for a setting that could not be kept or done; `text` where the failure has no text of its own. */
export function failureToast(title: string, error: unknown, text = SETTINGS_TEXTS.get().tryAgain): Toast {
  return { kind: 'error', title, text: messageOf(error, text) };
}

/** The same, for what is saved. */
export function notSavedToast(error: unknown): Toast {
  const t = SETTINGS_TEXTS.get();
  return failureToast(t.notSaved, error, t.notSavedText);
}
