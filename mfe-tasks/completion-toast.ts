import { TASK_TYPES } from '@cord/contracts/rules/task-kinds';
import { ApiError, isNetworkError, isOutcomeUnknown, LONG_TOAST_MS, messageOf, type Toast } from '@cord/sdk';
import { formatCount } from '@cord/ui';
import { TEXTS } from './texts';

/** `Social Task`, `Achievement`, `Daily Task`, `Weekly Task`; any other type is a `Task`. */
export function kindOf(type: string): string {
  return TEXTS.get()[`kindOf.${TASK_TYPES.find((known) => known === type) ?? 'other'}`];
}

export function completedToast(task: { type: string; title: string }, reward: number): Toast {
  const t = TEXTS.get();
  return long(
    'success',
    t.completedTitle({ kind: kindOf(task.type) }),
    t.completedText({ amount: whole(reward), title: task.title }),
  );
}

/** What is shown without a call, or for one that failed whole. */
export const refusalToasts = {
  user: () => long('error', TEXTS.get().userError, TEXTS.get().userErrorText),
  task: () => long('error', TEXTS.get().taskError, TEXTS.get().taskErrorText),
  completed: () => long('info', TEXTS.get().alreadyCompleted, TEXTS.get().alreadyCompletedText),
  loading: () => long('error', TEXTS.get().loadingError, TEXTS.get().loadingErrorText),
};

/** Whether the server reports that the task was completed before. */
export function isAlreadyCompleted(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return (
    (error.status === 409 && !isOutcomeUnknown(error)) ||
    /already been completed|already completed/i.test(error.message)
  );
}

/** What a failed completion shows. */
export function failedToast(error: unknown): Toast {
  const t = TEXTS.get();
  if (isAlreadyCompleted(error)) return long('warning', t.alreadyCompleted, t.alreadyCompletedText);
  if (error instanceof ApiError && error.status === 404) return refusalToasts.task();
  return long('error', t.completionFailed, failureText(error));
}

/** The link was opened, but the server does not know of it; pressed again, it opens again and is reported again. */
export function visitFailedToast(error: unknown): Toast {
  return long('error', TEXTS.get().visitFailed, failureText(error));
}

function failureText(error: unknown): string {
  const t = TEXTS.get();
  const message = messageOf(error, '');
  if (isNetworkError(error) || /network|failed to fetch$/i.test(message)) return t.networkError;
  const refused = error instanceof ApiError && (error.status === 401 || error.status === 403);
  if (refused || /permission|unauthorized/i.test(message)) return t.permissionError;
  if (/Database function failed/i.test(message)) return t.databaseError;
  if (message !== '') return message;
  return error instanceof ApiError && error.kind === 'http' ? t.unknownError : t.tryLater;
}

function whole(cord: number): string {
  return formatCount(Math.floor(cord));
}

function long(kind: Toast['kind'], title: string, text: string): Toast {
  return { kind, title, text, durationMs: LONG_TOAST_MS };
}
