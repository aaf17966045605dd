import * as taskEndpoints from '@cord/contracts/addresses/tasks';
import type { UserTask } from '@cord/contracts/http/tasks';
import { TASK_TYPES } from '@cord/contracts/rules/task-kinds';
import {
  TASK_RELOAD_AFTER_CLAIM_MS,
  TASK_RELOAD_AFTER_REFUSAL_MS,
  TASK_RELOAD_MS,
  TASK_VISIT_MIN_MS,
} from '@cord/contracts/rules/timings';
import {
  ApiError,
  isNetworkError,
  isOutcomeUnknown,
  isUnread,
  LIVE_SOON_MS,
  LONG_TOAST_MS,
  messageOf,
  type Sdk,
  type Toast,
  useFreshness,
  useQuery,
  useRefreshUser,
  useSdk,
  useSessionValue,
  useUserId,
  useWrite,
} from '@cord/sdk';
import { formatCount } from '@cord/ui';
import { useEffect } from 'react';
import { TEXTS } from './texts';

function tasksKey(userId: string) {
  return ['tasks', userId] as const;
}

export interface Tasks {
  /** Undefined while loading; empty after a failure. */
  tasks: readonly UserTask[] | undefined;
  failed: boolean;
  fetching: boolean;
  /** Read time by this device's clock, ms; 0 before the first. */
  updatedAtMs: number;
  reload(): void;
}

/** Returns the user's tasks, read again every 30 s while visible: progress and reopening depend on time alone. A failure shows one toast. */
export function useTasks({ quiet = false } = {}): Tasks {
  const { api, toasts } = useSdk();
  const userId = useUserId();
  const query = useQuery({
    queryKey: tasksKey(userId ?? ''),
    meta: { live: { tasks: LIVE_SOON_MS, checkin: LIVE_SOON_MS } },
    queryFn: ({ signal }) => api.call(taskEndpoints.mine, { params: { id: userId ?? '' }, signal }),
    enabled: userId !== null,
    ...useFreshness({ everyMs: TASK_RELOAD_MS, always: true }),
  });
  const { isError } = query;
  useEffect(() => {
    if (isError && !quiet) toasts.show(refusalToasts.loading());
  }, [isError, quiet, toasts]);
  const failed = isUnread(query);
  return {
    tasks: failed ? [] : query.data,
    failed,
    fetching: query.isFetching,
    updatedAtMs: query.dataUpdatedAt,
    reload: () => void query.refetch(),
  };
}

/** Claims the reward of a task; a second press while one is pending anywhere on the page is ignored. */
export function useClaim(task: UserTask): { isPending: boolean; press(): void } {
  const sdk = useSdk();
  const refreshUser = useRefreshUser();
  const user = useSessionValue(({ user }) => user);
  const id = user?.id ?? '';
  const claim = useWrite(
    async (api, body: { rewardAmount: number; before: string | null }, idempotencyKey) => {
      await untilVisitCounts(sdk, task);
      const { rewardAmount } = body;
      return api.call(taskEndpoints.complete, {
        params: { id, taskId: task.id },
        body: { rewardAmount },
        idempotencyKey,
      });
    },
    {
      key: ['tasks', 'complete', id, task.id],
      onDone: (answer) => {
        sdk.session.merge(answer.updatedUser);
        const claimedAt = new Date(sdk.clock.now()).toISOString();
        patchTask(sdk, id, task.id, { completed: true, claimable: false, progress: task.maxProgress, claimedAt });
        void refreshUser();
        reloadLater(sdk, id, TASK_RELOAD_AFTER_CLAIM_MS);
      },
      onFailed: (error) =>
        reloadLater(sdk, id, isAlreadyCompleted(error) ? TASK_RELOAD_AFTER_REFUSAL_MS : TASK_RELOAD_AFTER_CLAIM_MS),
      toast: { done: (answer) => completedToast(task, answer.reward), failed: failedToast },
    },
  );
  const press = () => {
    const refusal = refusalOf(sdk, task);
    if (refusal !== null) sdk.toasts.show(refusal);
    // `before` makes each day's claim of a reopening task a separate write.
    else if (user !== null) claim.press({ rewardAmount: task.reward / user.multiplier, before: task.claimedAt });
  };
  return { isPending: claim.isPending, press };
}

/** Opens the task's link in a new tab and reports the visit to the server. */
export function useVisit(task: UserTask): () => void {
  const sdk = useSdk();
  const id = useUserId() ?? '';
  const visit = useWrite(
    // `keepalive`: a phone shows the opened page and suspends this one.
    (api, _pressed: string, idempotencyKey) =>
      api.call(taskEndpoints.visit, { params: { id, taskId: task.id }, idempotencyKey, keepalive: true }),
    {
      key: ['tasks', 'visit', id, task.id],
      queue: true,
      onDone: ({ visitedAt }) =>
        patchTask(sdk, id, task.id, { visitedAt, claimable: true, progress: task.maxProgress }),
      toast: { failed: visitFailedToast },
    },
  );
  return () => {
    if (id === '' || task.socialUrl === null) return;
    window.open(task.socialUrl, '_blank', 'noopener,noreferrer');
    // Each visit counts from its own time.
    visit.press(crypto.randomUUID());
  };
}

/** Returns why a claim is not sent, or null. */
function refusalOf(sdk: Sdk, task: UserTask) {
  const userId = sdk.session.state.get().user?.id;
  if (userId === undefined) return refusalToasts.user();
  const known = sdk.queries.getQueryData<UserTask[]>(tasksKey(userId))?.find(({ id }) => id === task.id);
  if (known === undefined) return refusalToasts.task();
  return known.completed ? refusalToasts.completed() : null;
}

/** Waits until a visit counts, 5 s after it was made. */
async function untilVisitCounts(sdk: Sdk, task: UserTask): Promise<void> {
  if (task.socialUrl === null || task.visitedAt === null) return;
  const leftMs = Date.parse(task.visitedAt) + TASK_VISIT_MIN_MS - sdk.clock.now();
  if (leftMs > 0) await new Promise((resolve) => setTimeout(resolve, Math.min(leftMs, TASK_VISIT_MIN_MS)));
}

/** Changes a task in this user's cached list until the next read. A pending read is older and cancelled. */
export function patchTask(sdk: Sdk, userId: string, taskId: string, changes: Partial<UserTask>): void {
  const queryKey = tasksKey(userId);
  const tasks = sdk.queries.getQueryData<UserTask[]>(queryKey);
  if (tasks === undefined) return;
  void sdk.queries.cancelQueries({ queryKey });
  sdk.queries.setQueryData<UserTask[]>(
    queryKey,
    tasks.map((task) => (task.id === taskId ? { ...task, ...changes } : task)),
  );
}

/** Reads this user's list again after a delay, here and in the other tabs of this browser. */
export function reloadLater(sdk: Sdk, userId: string, delayMs: number): void {
  setTimeout(() => sdk.cache.invalidate([tasksKey(userId)]), delayMs);
}

/** Returns `Social Task`, `Achievement`, `Daily Task` or `Weekly Task`; `Task` for other types. */
function kindOf(type: string): string {
  return TEXTS.get()[`kindOf.${TASK_TYPES.find((known) => known === type) ?? 'other'}`];
}

function completedToast(task: { type: string; title: string }, reward: number): Toast {
  const t = TEXTS.get();
  return long(
    'success',
    t.completedTitle({ kind: kindOf(task.type) }),
    t.completedText({ amount: whole(reward), title: task.title }),
  );
}

/** Toasts without a call, or for a complete failure. */
const refusalToasts = {
  user: () => long('error', TEXTS.get().userError, TEXTS.get().userErrorText),
  task: () => long('error', TEXTS.get().taskError, TEXTS.get().taskErrorText),
  completed: () => long('info', TEXTS.get().alreadyCompleted, TEXTS.get().alreadyCompletedText),
  loading: () => long('error', TEXTS.get().loadingError, TEXTS.get().loadingErrorText),
};

/** Whether the server reports an earlier completion. */
function isAlreadyCompleted(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return (
    (error.status === 409 && !isOutcomeUnknown(error)) ||
    /already been completed|already completed/i.test(error.message)
  );
}

/** Returns the toast of a failed completion. */
function failedToast(error: unknown): Toast {
  const t = TEXTS.get();
  if (isAlreadyCompleted(error)) return long('warning', t.alreadyCompleted, t.alreadyCompletedText);
  if (error instanceof ApiError && error.status === 404) return refusalToasts.task();
  return long('error', t.completionFailed, failureText(error));
}

/** The link was opened, but the server has not recorded it; another press opens and reports it again. */
function visitFailedToast(error: unknown): Toast {
  return long('error', TEXTS.get().visitFailed, failureText(error));
}

function failureText(error: unknown): string {
  const t = TEXTS.get();
  const message = messageOf(error, '');
  if (isNetworkError(error) || /network|failed to fetch$/i.test(message)) return t.networkError;
  const refused = error instanceof ApiError && (error.status === 401 || error.status === 403);
  if (refused || /permission|unauthorized/i.test(message)) return t.permissionError;
  const isStoreAway = error instanceof ApiError && error.type === 'store-unavailable';
  if (isStoreAway || /Database function failed/i.test(message)) return t.databaseError;
  if (message !== '') return message;
  return error instanceof ApiError && error.kind === 'http' ? t.unknownError : t.tryLater;
}

function whole(cord: number): string {
  return formatCount(Math.floor(cord));
}

function long(kind: Toast['kind'], title: string, text: string): Toast {
  return { kind, title, text, durationMs: LONG_TOAST_MS };
}
