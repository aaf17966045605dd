import * as epochs from '@cord/contracts/addresses/epochs';
import * as tasks from '@cord/contracts/addresses/tasks';
import type { Epoch } from '@cord/contracts/http/epochs';
import type { OperatorsTask } from '@cord/contracts/http/tasks';
import { EPOCH_KEY } from '@cord/sdk';
import { useActWrite } from '../room/act-write';
import { OPERATORS, pollEvery, useRead } from '../room/reads';
import { type Act, changedOf } from './act';

const EPOCHS = [OPERATORS, 'epochs'] as const;
const TASKS = [OPERATORS, 'tasks'] as const;
const PREVIEW = [OPERATORS, 'epoch-preview'] as const;
const LOOK_MS = 15_000;

/** Reads all epochs, also past ones. */
export function useEpochs() {
  return useRead(epochs.epochs, { key: EPOCHS, ...pollEvery(LOOK_MS) });
}

export const EPOCH_FIELDS = ['name', 'description', 'rewardsMultiplier', 'startDate', 'endDate'] as const;

/** The request body: all fields of a new epoch, otherwise the changed ones. */
function epochBody(act: Act<Epoch>): Partial<Omit<Epoch, 'id'>> {
  const fields = changedOf(act, EPOCH_FIELDS);
  return Object.fromEntries(fields.map((field) => [field, act.after?.[field]]));
}

/** Reads the server's preview of an act: rates and CORD issued a day. It is refused for the same reasons as the act. */
export function usePreview(act: Act<Epoch> | null) {
  const id = act?.after?.id ?? act?.before?.id ?? '';
  const change = act?.after === null ? null : act && epochBody(act);
  return useRead(epochs.previewEpoch, {
    key: [...PREVIEW, id, change],
    body: { id, change },
    enabled: act !== null && id !== '',
    keepPrevious: true,
    retry: false,
    staleTime: LOOK_MS,
  });
}

const byId = (id: string) => ({ params: { id } });

/** Creates, changes or deletes an epoch; each act has an entry in the audit log. */
export function useEpochAct(onSuccess: (done: { act: Act<Epoch>; reason: string }) => void) {
  return useActWrite<{ act: Act<Epoch>; reason: string }, { act: Act<Epoch>; reason: string }>(
    async (api, { act, reason }) => {
      const { before, after } = act;
      if (after === null) await api.call(epochs.removeEpoch, { ...byId(before?.id ?? ''), query: { reason } });
      else if (before === null) await api.call(epochs.createEpoch, { body: { ...after, reason } });
      else await api.call(epochs.updateEpoch, { ...byId(after.id), body: { ...epochBody(act), reason } });
      return { act, reason };
    },
    {
      key: [OPERATORS, 'epoch-act'],
      refresh: [EPOCHS, PREVIEW, EPOCH_KEY],
      onDone: onSuccess,
    },
  );
}

/** Reads the task catalogue with recent claims. */
export function useCatalogue() {
  return useRead(tasks.catalogue, { key: TASKS, ...pollEvery(LOOK_MS) });
}

/** The fields of a task that an operator may write. */
export type TaskFields = Pick<
  OperatorsTask,
  'id' | 'type' | 'title' | 'description' | 'reward' | 'maxProgress' | 'socialUrl' | 'expiresAt' | 'measure'
>;

export const TASK_FIELDS = [
  'type',
  'title',
  'description',
  'reward',
  'maxProgress',
  'measure',
  'socialUrl',
  'expiresAt',
] as const satisfies readonly (keyof TaskFields)[];

/** The request body, without a measure that is unknown to this release. */
function asBody({ measure, ...fields }: Partial<TaskFields>) {
  return { ...fields, ...(measure ? { measure: measure as never } : {}) };
}

/** Creates, changes or deletes a task. Fields that are unknown to this release do not change. */
export function useTaskAct(onSuccess: (done: { act: Act<TaskFields>; reason: string }) => void) {
  return useActWrite<{ act: Act<TaskFields>; reason: string }, { act: Act<TaskFields>; reason: string }>(
    async (api, { act, reason }) => {
      const { before, after } = act;
      if (after === null) await api.call(tasks.remove, { ...byId(before?.id ?? ''), query: { reason } });
      else if (before === null) await api.call(tasks.create, { body: { ...asBody(after), reason } as never });
      else {
        const changed = Object.fromEntries(changedOf(act, TASK_FIELDS).map((field) => [field, after[field]]));
        await api.call(tasks.update, { ...byId(after.id), body: { ...asBody(changed), reason } as never });
      }
      return { act, reason };
    },
    {
      key: [OPERATORS, 'task-act'],
      refresh: [TASKS, ['tasks']],
      onDone: onSuccess,
    },
  );
}
