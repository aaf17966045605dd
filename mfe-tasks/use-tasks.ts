import * as taskEndpoints from '@cord/contracts/addresses/tasks';
import type { UserTask } from '@cord/contracts/http/tasks';
import {
  TASK_RELOAD_AFTER_CLAIM_MS,
  TASK_RELOAD_AFTER_REFUSAL_MS,
  TASK_RELOAD_MS,
  TASK_VISIT_MIN_MS,
} from '@cord/contracts/rules/timings';
import { isUnread, LIVE_SOON_MS, type Sdk, useFreshness, useQuery, useRefreshUser, useSdk, useUserId } from '@cord/sdk';
import { useCallback, useEffect, useState } from 'react';
import { completedToast, failedToast, isAlreadyCompleted, refusalToasts, visitFailedToast } from './completion-toast';

export function tasksKey(userId: string) {
  return ['tasks', userId] as const;
}

export interface Tasks {
  /** Undefined while loading; empty after a failure. */
  tasks: readonly UserTask[] | undefined;
  failed: boolean;
  fetching: boolean;
  /** When the list was read, this device's clock, ms; 0 before. */
  updatedAtMs: number;
  reload(): void;
}

/** The own tasks, read again every 30 s while somebody looks. A failure is said once in a toast. */
export function useTasks({ quiet = false } = {}): Tasks {
  const { api, toasts } = useSdk();
  const userId = useUserId();
  const query = useQuery({
    queryKey: tasksKey(userId ?? ''),
    meta: { live: { tasks: LIVE_SOON_MS, checkin: LIVE_SOON_MS } },
    queryFn: ({ signal }) => api.call(taskEndpoints.mine, { params: { id: userId ?? '' }, signal }),
    enabled: userId !== null,
    ...useFreshness({ everyMs: TASK_RELOAD_MS }),
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

export interface TaskActions {
  /** Tasks whose claim is under way; a second attempt is ignored. */
  processing: ReadonlySet<string>;
  claim(task: UserTask): Promise<void>;
  /** Opens the task's link in a new tab and has the server note it. */
  visit(task: UserTask): Promise<void>;
}

export function useTaskActions(): TaskActions {
  const sdk = useSdk();
  const refreshUser = useRefreshUser();
  const [processing, setProcessing] = useState<ReadonlySet<string>>(new Set());

  const claim = useCallback(
    async (task: UserTask) => {
      if (underWay(sdk).has(task.id)) return;
      const refusal = refusalOf(sdk, task);
      if (refusal !== null) {
        sdk.toasts.show(refusal);
        return;
      }
      mark(sdk, task.id, true);
      setProcessing(new Set(underWay(sdk)));
      try {
        await complete(sdk, task);
        void refreshUser();
        reloadLater(sdk, TASK_RELOAD_AFTER_CLAIM_MS);
      } catch (error) {
        sdk.toasts.show(failedToast(error));
        reloadLater(sdk, isAlreadyCompleted(error) ? TASK_RELOAD_AFTER_REFUSAL_MS : TASK_RELOAD_AFTER_CLAIM_MS);
      } finally {
        mark(sdk, task.id, false);
        setProcessing(new Set(underWay(sdk)));
      }
    },
    [sdk, refreshUser],
  );

  const visit = useCallback(
    async (task: UserTask) => {
      const userId = sdk.session.state.get().user?.id;
      if (userId === undefined || task.socialUrl === null) return;
      window.open(task.socialUrl, '_blank', 'noopener,noreferrer');
      const params = { id: userId, taskId: task.id };
      try {
        const { visitedAt } = await sdk.writes.send({
          name: ['tasks', 'visit', task.id],
          // Each visit counts from its own moment.
          input: { pressed: crypto.randomUUID() },
          // A phone shows the opened page now and lets this one sleep.
          send: (api, idempotencyKey) => api.call(taskEndpoints.visit, { params, idempotencyKey, keepalive: true }),
        });
        patch(sdk, task.id, { visitedAt, claimable: true, progress: task.maxProgress });
      } catch (error) {
        sdk.toasts.show(visitFailedToast(error));
      }
    },
    [sdk],
  );

  return { processing, claim, visit };
}

/** Why a claim is not even sent. */
function refusalOf(sdk: Sdk, task: UserTask) {
  const userId = sdk.session.state.get().user?.id;
  if (userId === undefined) return refusalToasts.user();
  const known = sdk.queries.getQueryData<UserTask[]>(tasksKey(userId))?.find(({ id }) => id === task.id);
  if (known === undefined) return refusalToasts.task();
  return known.completed ? refusalToasts.completed() : null;
}

async function complete(sdk: Sdk, task: UserTask): Promise<void> {
  const user = sdk.session.state.get().user;
  if (user === null) return;
  await untilVisitCounts(sdk, task);
  const params = { id: user.id, taskId: task.id };
  const body = { rewardAmount: task.reward / user.multiplier };
  const answer = await sdk.writes.send({
    name: ['tasks', 'complete', task.id],
    // A task that opens again each day is another one then.
    input: { ...body, before: task.claimedAt },
    send: (api, idempotencyKey) => api.call(taskEndpoints.complete, { params, body, idempotencyKey }),
  });
  sdk.session.merge(answer.updatedUser);
  const claimedAt = new Date(sdk.clock.now()).toISOString();
  patch(sdk, task.id, { completed: true, claimable: false, progress: task.maxProgress, claimedAt });
  sdk.toasts.show(completedToast(task, answer.reward));
}

/** A visit counts 5 s after it was made: a quicker claim waits here. */
async function untilVisitCounts(sdk: Sdk, task: UserTask): Promise<void> {
  if (task.socialUrl === null || task.visitedAt === null) return;
  const leftMs = Date.parse(task.visitedAt) + TASK_VISIT_MIN_MS - sdk.clock.now();
  if (leftMs > 0) await new Promise((resolve) => setTimeout(resolve, Math.min(leftMs, TASK_VISIT_MIN_MS)));
}

function patch(sdk: Sdk, taskId: string, changes: Partial<UserTask>): void {
  const userId = sdk.session.state.get().user?.id ?? '';
  sdk.queries.setQueryData<UserTask[]>(tasksKey(userId), (tasks) =>
    tasks?.map((task) => (task.id === taskId ? { ...task, ...changes } : task)),
  );
}

/** Reads the list again soon, here and in the other tabs of this browser. */
export function reloadLater(sdk: Sdk, delayMs: number): void {
  const queryKey = tasksKey(sdk.session.state.get().user?.id ?? '');
  setTimeout(() => sdk.cache.invalidate([queryKey]), delayMs);
}

const processingOf = new WeakMap<Sdk, Set<string>>();

/** Claims under way on this page, whichever card or list began them. */
function underWay(sdk: Sdk): Set<string> {
  const known = processingOf.get(sdk) ?? new Set<string>();
  processingOf.set(sdk, known);
  return known;
}

function mark(sdk: Sdk, taskId: string, busy: boolean): void {
  if (busy) underWay(sdk).add(taskId);
  else underWay(sdk).delete(taskId);
}
