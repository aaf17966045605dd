import { z } from 'zod';
import * as at from '../addresses/tasks.js';
import { endpoint, noContent } from '../endpoint.js';
import { TASK_MEASURES } from '../rules/task-kinds.js';
import { cordAmount, day, decimalsAtMost, idParams, ignoredNumber, newSlug, reason, slug, time } from './fields.js';
import { updatedUser } from './users.js';

const taskType = z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, 'must be a short name of a-z, 0-9 and -');

/** A task of the catalogue. */
const catalogueTask = z.object({
  id: slug,
  type: z.string(),
  category: z.string(),
  title: z.string(),
  description: z.string(),
  /** Base reward in CORD, before the multiplier. */
  reward: cordAmount,
  maxProgress: z.number(),
  socialUrl: z.string().nullable(),
  expiresAt: time.nullable(),
});

/** A task as one user stands in it (reward with the user's multiplier). */
const userTask = catalogueTask.extend({
  /** Null while the owner of what it counts does not answer. */
  progress: z.number().nullable(),
  completed: z.boolean(),
  claimable: z.boolean(),
  claimedAt: time.nullable(),
  visitedAt: time.nullable(),
  /** When a completed daily or weekly task opens again. */
  availableAt: time.nullable(),
});
export type UserTask = z.infer<typeof userTask>;

/** Days over which claims are counted for operators. */
export const CLAIMED_DAYS = 7;

/** A task of the catalogue as operators see it. */
const operatorsTask = catalogueTask.extend({
  measure: z.string().nullable(),
  claims: z.object({
    count: z.number().int(),
    /** CORD that they paid. */
    paid: cordAmount,
    /** Claims by the tier multiplier that they were paid at; none of check-ins, which are not multiplied. */
    byTier: z.array(z.object({ multiplier: z.number(), count: z.number().int() })),
  }),
});
export type OperatorsTask = z.infer<typeof operatorsTask>;

const taskResult = z.object({
  success: z.literal(true),
  /** CORD credited. */
  reward: cordAmount,
  newBalance: cordAmount.nullable(),
  updatedUser,
  /** The credit is on its way and comes without another call. */
  pending: z.boolean(),
});

const taskFields = {
  type: taskType,
  title: z.string().trim().min(1).max(120),
  description: z.string().trim().max(500),
  /** Base reward, CORD: more than nothing, for the ledger credits nothing else. */
  reward: decimalsAtMost(6, z.number().min(0).max(10_000)).refine((value) => value > 0, {
    error: 'must be more than 0',
    params: { de: 'muss mehr als 0 sein' },
  }),
  maxProgress: z.number().int().min(1).max(1_000_000),
  measure: z.enum(TASK_MEASURES).optional(),
  socialUrl: z
    .url({ protocol: /^https$/ })
    .max(500)
    .nullish(),
  expiresAt: time.nullish(),
};

/** Tasks of the catalogue: every page reads all of them in one answer, which without unknown fields stays below 512 KiB. */
export const TASKS_MAX = 100;
/** Fields of a task that we do not know: kept as they are and given out again. */
export const UNKNOWN_FIELDS_MAX = 16;
const unknownValue = z.union([z.string().max(500), z.number(), z.boolean(), z.null()]);
/** Names that are ours: answered, derived or stored under. */
const OURS: ReadonlySet<string> = new Set([
  ...Object.keys(userTask.shape),
  ...['_id', 'rewardMicro', 'expiresAtMs', 'goalSinceMs', 'position', 'extra', 'measure', 'schemaVersion'],
]);

/** The body with unknown fields as they came; each that cannot be kept is named. A null takes a field out. */
function withUnknownFields<Shape extends z.ZodRawShape>(shape: Shape) {
  return z
    .object(shape)
    .catchall(unknownValue)
    .superRefine((body, { addIssue }) => {
      const names = Object.keys(body).filter((name) => !Object.hasOwn(shape, name));
      const refuse = (name: string, message: string) => addIssue({ code: 'custom', path: [name], message });
      for (const name of names) {
        if (OURS.has(name) || name in Object.prototype) refuse(name, 'cannot be set');
        else if (!/^[a-zA-Z][a-zA-Z0-9_-]{0,39}$/.test(name)) refuse(name, 'must be a short name of a-z, 0-9, _ and -');
      }
      if (names.length > UNKNOWN_FIELDS_MAX)
        refuse(names.at(-1) ?? '', `is one of more than ${UNKNOWN_FIELDS_MAX} unknown fields`);
    });
}

const taskParams = z.strictObject({ id: slug });
/** Why an admin does it, for the audit log; the operators' room always requires it. */
const why = { reason: reason.optional() };
const completeBody = z.strictObject({ rewardAmount: ignoredNumber });

export const taskEndpoints = {
  list: endpoint('tasks', at.list, {
    response: z.array(catalogueTask.loose()),
    summary: 'The catalogue',
  }),
  byType: endpoint('tasks', at.byType, {
    params: z.strictObject({ type: z.string().min(1).max(64) }),
    response: z.array(catalogueTask.loose()),
    summary: 'The catalogue of one type; an unknown type is empty',
  }),
  get: endpoint('tasks', at.get, {
    params: taskParams,
    response: catalogueTask.loose(),
    summary: 'One task of the catalogue',
  }),
  catalogue: endpoint('tasks', at.catalogue, {
    response: z.object({
      tasks: z.array(operatorsTask.loose()),
      /** UTC days that claims are counted over, the present one too. */
      days: z.number().int(),
      /** The first day that was counted from its beginning or in part; null before the first claim. */
      countedSince: day.nullable(),
    }),
    summary: 'Admins: the catalogue, with what it counts and how often it was claimed lately',
  }),
  create: endpoint('tasks', at.create, {
    fresh: true,
    body: withUnknownFields({ id: newSlug, ...taskFields, ...why }),
    response: catalogueTask.loose(),
    status: 201,
    summary: `Admins: add a task; unknown fields are kept; at most ${TASKS_MAX} tasks`,
  }),
  update: endpoint('tasks', at.update, {
    fresh: true,
    params: taskParams,
    body: withUnknownFields(z.object({ ...taskFields, ...why }).partial().shape),
    response: catalogueTask.loose(),
    summary: 'Admins: change a task; unknown fields are kept, null takes one out',
  }),
  remove: endpoint('tasks', at.remove, {
    fresh: true,
    params: taskParams,
    query: z.strictObject(why),
    response: noContent,
    status: 204,
    summary: 'Admins: take a task out of the catalogue',
  }),
  mine: endpoint('tasks', at.mine, {
    params: idParams,
    response: z.array(userTask.loose()),
    summary: 'All tasks with the own progress',
  }),
  visit: endpoint('tasks', at.visit, {
    params: idParams.extend({ taskId: slug }),
    response: z.object({ success: z.literal(true), visitedAt: time }),
    summary: 'The social link was opened; 422 for a task without a link to visit',
    rateClass: 'claim',
  }),
  complete: endpoint('tasks', at.complete, {
    params: idParams.extend({ taskId: slug }),
    body: completeBody,
    response: taskResult,
    summary: 'Claim a task; the amount sent is ignored',
    rateClass: 'claim',
  }),
  completeB: endpoint('tasks', at.completeB, {
    params: taskParams,
    body: completeBody,
    response: taskResult,
    summary: 'Client B: claim a task',
    budget: 'tasks.complete',
    rateClass: 'claim',
  }),
} as const;
