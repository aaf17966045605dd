import { ApiError, isNetworkError, LONG_TOAST_MS, messageOf, type Toast } from '@cord/sdk';
import { formatCount } from '@cord/ui';
import { TEXTS } from './texts';

type KnownType = keyof typeof TEXTS.kindOf;

/** `Social Task`, `Achievement`, `Daily Task`, `Weekly Task`; any other type is a `Task`. */
export function kindOf(type: string): string {
  return TEXTS.kindOf[isKnown(type) ? type : 'other'];
}

function isKnown(type: string): type is KnownType {
  return type in TEXTS.kindOf;
}

export function completedToast(task: { type: string; title: string }, reward: number): Toast {
  return long('success', TEXTS.completedTitle(kindOf(task.type)), TEXTS.completedText(whole(reward), task.title));
}

/** Refused before any call (spec part 5). */
export const userErrorToast: Toast = long('error', TEXTS.userError, TEXTS.userErrorText);
export const taskErrorToast: Toast = long('error', TEXTS.taskError, TEXTS.taskErrorText);
export const knownCompletedToast: Toast = long('info', TEXTS.alreadyCompleted, TEXTS.alreadyCompletedText);
export const loadingErrorToast: Toast = long('error', TEXTS.loadingError, TEXTS.loadingErrorText);

/** Whether the server says that the task was completed before. */
export function isAlreadyCompleted(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.status === 409 || /already been completed|already completed/i.test(error.message);
}

/** What a failed completion says (spec part 8, "Thrown completion errors are mapped"). */
export function failedToast(error: unknown): Toast {
  if (isAlreadyCompleted(error)) return long('warning', TEXTS.alreadyCompleted, TEXTS.alreadyCompletedText);
  if (error instanceof ApiError && error.status === 404) return taskErrorToast;
  return long('error', TEXTS.completionFailed, failureText(error));
}

function failureText(error: unknown): string {
  const message = messageOf(error, '');
  if (isNetworkError(error) || /network|failed to fetch$/i.test(message)) return TEXTS.networkError;
  const refused = error instanceof ApiError && (error.status === 401 || error.status === 403);
  if (refused || /permission|unauthorized/i.test(message)) return TEXTS.permissionError;
  if (/Database function failed/i.test(message)) return TEXTS.databaseError;
  if (message !== '') return message;
  return error instanceof ApiError && error.kind === 'http' ? TEXTS.unknownError : TEXTS.tryLater;
}

function whole(cord: number): string {
  return formatCount(Math.floor(cord));
}

function long(kind: Toast['kind'], title: string, text: string): Toast {
  return { kind, title, text, durationMs: LONG_TOAST_MS };
}
