import { z } from 'zod';
import * as at from '../addresses/epochs.js';
import { endpoint, noContent } from '../endpoint.js';
import { DAY_MS } from '../rules/days.js';
import { cordAmount, day, decimalsAtMost, newSlug, reason, slug, time } from './fields.js';

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
const EPOCHS_DAYS_MAX = 400;
/** A UTC day, which stands for its start, or a time. */
const moment = z.union([day, time], 'must be a date or a time in UTC');
const epochParams = z.strictObject({ id: slug });
/** Why an admin does it, for the audit log; the operators' room always requires it. */
const why = { reason: reason.optional() };

/** What one tier earns at full rate, without badge and penalty, CORD a minute; and how many nodes run in it. */
const previewedTier = z.object({
  /** Account age from which it holds, years. */
  fromYears: z.number().int(),
  multiplier: z.number(),
  /** Of those that run now, by their age when the change takes effect; an estimate where the nodes are a sample. */
  nodes: z.number().int(),
  rateNow: z.number(),
  rateBefore: z.number(),
  rateAfter: z.number(),
});

/** A stretch of time in which the changed table pays otherwise, if the nodes that run now ran all of it. */
const previewedSpan = z.object({
  from: time,
  to: time,
  multiplierBefore: z.number(),
  multiplierAfter: z.number(),
  /** CORD a day that mining issues, at what the nodes earn by when the change takes effect. */
  perDayBefore: cordAmount,
  perDayAfter: cordAmount,
});

/** What a change of the table does, reckoned by the rate function from the accounts whose nodes run. */
const epochPreview = z.object({
  /** Nodes that run now; an estimate where `isWhole` is false. */
  nodes: z.number().int(),
  /** Nodes whose accounts were looked at. */
  sampled: z.number().int(),
  /** All of them were. */
  isWhole: z.boolean(),
  /** Of the epoch in force. */
  multiplierNow: z.number(),
  tiers: z.array(previewedTier),
  /** In order; none when the change changes no payment. */
  spans: z.array(previewedSpan),
  /** CORD that the change adds over all spans; below 0 for less. */
  adds: cordAmount,
  /** The highest rate that anybody can reach by it, CORD a minute: oldest tier, with badge, without penalty. */
  highestRate: z.number(),
});
export type EpochPreview = z.infer<typeof epochPreview>;

/** The epoch in force for everyone, the table for admins (services/contracts/rules/README.md#epochs). */
export const epochEndpoints = {
  currentEpoch: endpoint('rewards', at.currentEpoch, {
    response: epoch.nullable(),
    summary: 'The epoch in force',
  }),
  epochs: endpoint('rewards', at.epochs, {
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
  previewEpoch: endpoint('rewards', at.previewEpoch, {
    ignoresKey: true,
    fresh: 'writes nothing',
    body: z.strictObject({
      id: newSlug,
      /** Fields as creating or changing takes them, all of them for a new epoch; null for taking it out. */
      change: z.strictObject(epochFields).partial().nullable(),
    }),
    response: epochPreview,
    summary:
      'Admins: what a change of an epoch would do to rates and to CORD issued a day; refused as the change would be',
    rateClass: 'read',
  }),
  createEpoch: endpoint('rewards', at.createEpoch, {
    fresh: true,
    body: z.strictObject({ id: newSlug, ...epochFields, ...why }),
    response: epoch,
    status: 201,
    summary: 'Admins: add an epoch, at least 25 s ahead',
  }),
  updateEpoch: endpoint('rewards', at.updateEpoch, {
    fresh: true,
    params: epochParams,
    body: z.strictObject({ ...epochFields, ...why }).partial(),
    response: epoch,
    summary: 'Admins: change an epoch; never the past',
  }),
  removeEpoch: endpoint('rewards', at.removeEpoch, {
    fresh: true,
    params: epochParams,
    query: z.strictObject(why),
    response: noContent,
    status: 204,
    summary: 'Admins: take out an epoch that has not begun',
  }),
} as const;
