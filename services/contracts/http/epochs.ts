import { z } from 'zod';
import * as at from '../addresses/epochs.js';
import { endpoint, noContent } from '../endpoint.js';
import { DAY_MS } from '../rules/days.js';
import { day, decimalsAtMost, slug, time } from './fields.js';

export const epoch = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  rewardsMultiplier: z.number(),
  startDate: time,
  endDate: time,
});
export type Epoch = z.infer<typeof epoch>;

const multiplier = decimalsAtMost(2, z.number().min(0.01).max(100));
const epochFields = {
  name: z.string().trim().min(1).max(80),
  description: z.string().trim().max(300),
  rewardsMultiplier: multiplier,
  startDate: time,
  endDate: time,
};
/** How much time one question may hold, days. */
export const EPOCHS_DAYS_MAX = 400;
/** A UTC day, which stands for its start, or a time. */
const moment = z.union([day, time], 'must be a date or a time in UTC');
const epochParams = z.strictObject({ id: slug });

/** The epoch in force for everyone, the table for admins (decisions, Epochs). */
export const epochEndpoints = {
  currentEpoch: endpoint({
    ...at.currentEpoch,
    service: 'rewards',
    response: epoch.nullable(),
    summary: 'The epoch in force',
  }),
  epochs: endpoint({
    ...at.epochs,
    service: 'rewards',
    query: z
      .strictObject({ from: moment.optional(), to: moment.optional() })
      .superRefine(({ from, to }, { addIssue }) => {
        if ((from === undefined) !== (to === undefined)) {
          addIssue({
            code: 'custom',
            path: [from === undefined ? 'from' : 'to'],
            message: 'must be given with the other',
          });
        } else if (from !== undefined && to !== undefined) {
          const spanMs = Date.parse(to) - Date.parse(from);
          if (spanMs < 0) addIssue({ code: 'custom', path: ['to'], message: 'must not be before from' });
          if (spanMs > EPOCHS_DAYS_MAX * DAY_MS)
            addIssue({ code: 'custom', path: ['to'], message: `must be at most ${EPOCHS_DAYS_MAX} days after from` });
        }
      }),
    response: z.array(epoch),
    summary: 'Those that reach into a time; admins without one: the whole table',
  }),
  createEpoch: endpoint({
    ...at.createEpoch,
    service: 'rewards',
    body: z.strictObject({ id: slug, ...epochFields }),
    response: epoch,
    status: 201,
    summary: 'Admins: add an epoch, at least 5 s ahead',
  }),
  updateEpoch: endpoint({
    ...at.updateEpoch,
    service: 'rewards',
    params: epochParams,
    body: z.strictObject(epochFields).partial(),
    response: epoch,
    summary: 'Admins: change an epoch; never the past',
  }),
  removeEpoch: endpoint({
    ...at.removeEpoch,
    service: 'rewards',
    params: epochParams,
    response: noContent,
    status: 204,
    summary: 'Admins: take out an epoch that has not begun',
  }),
} as const;
