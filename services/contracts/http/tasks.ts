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
  /** Base reward before the multiplier, CORD. */
  reward: cordAmount,
  maxProgress: z.number(),
  socialUrl: z.string().nullable(),
  expiresAt: time.nullable(),
});

/** A task in one user's state, with the user's multiplier in the reward. */
const userTask = catalogueTask.extend({
  /** Null while the owner of the measured value does not respond. */
  progress: z.number().nullable(),
  completed: z.boolean(),
  claimable: z.boolean(),
  claimedAt: time.nullable(),
  visitedAt: time.nullable(),
  /** When a completed daily or weekly task becomes available again. */
  availableAt: time.nullable(),
});
export type UserTask = z.infer<typeof userTask>;

/** Number of days over which claims are counted for operators. */
export const CLAIMED_DAYS = 7;

/** A task of the catalogue as operators see it. */
const operatorsTask = catalogueTask.extend({
  measure: z.string().nullable(),
  claims: z.object({
    count: z.number().int(),
    /** CORD paid for these claims. */
    paid: cordAmount,
    /** Claims by the tier multiplier paid; without check-ins, which have no multiplier. */
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
  /** The credit is pending and needs no further call. */
  pending: z.boolean(),
});

const taskFields = {
  type: taskType,
  title: z.string().trim().min(1).max(120),
  description: z.string().trim().max(500),
  /** Base reward, CORD: above 0, because the ledger rejects a credit of 0. */
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

/** Maximum number of tasks in the catalogue: every page reads all of them in one response, which stays below 512 KiB without unknown fields. */
export const TASKS_MAX = 100;
/** Maximum number of unknown fields of a task: stored and returned unchanged. */
export const UNKNOWN_FIELDS_MAX = 16;
const unknownValue = z.union([z.string().max(500), z.number(), z.boolean(), z.null()]);
/** Reserved field names: returned, derived or stored. */
const OURS: ReadonlySet<string> = new Set([
  ...Object.keys(userTask.shape),
  ...['_id', 'rewardMicro', 'expiresAtMs', 'goalSinceMs', 'position', 'extra', 'measure', 'schemaVersion'],
]);

/** The body with its unknown fields; an issue names each one that cannot be stored. A null deletes a field. */
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
/** The admin's reason, for the audit log; the operators' room always requires it. */
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
      /** Number of UTC days over which claims are counted, today included. */
      days: z.number().int(),
      /** The first day counted, possibly in part; null before the first claim. */
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
