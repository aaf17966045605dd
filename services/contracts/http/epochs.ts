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
/** Maximum time span of one query, days. */
const EPOCHS_DAYS_MAX = 400;
/** A UTC time, or a UTC day, which means its start. */
const moment = z.union([day, time], 'must be a date or a time in UTC');
const epochParams = z.strictObject({ id: slug });
/** The admin's reason, for the audit log; the operators' room always requires it. */
const why = { reason: reason.optional() };

/** Rates of one tier without badge and penalty, CORD per minute, and the number of its running nodes. */
const previewedTier = z.object({
  /** Minimum account age, years. */
  fromYears: z.number().int(),
  multiplier: z.number(),
  /** Running nodes by their owners' age when the change takes effect; an estimate when the nodes are sampled. */
  nodes: z.number().int(),
  rateNow: z.number(),
  rateBefore: z.number(),
  rateAfter: z.number(),
});

/** A time span in which the changed table pays differently, assuming the nodes that run now run throughout. */
const previewedSpan = z.object({
  from: time,
  to: time,
  multiplierBefore: z.number(),
  multiplierAfter: z.number(),
  /** CORD mined per day by these nodes. */
  perDayBefore: cordAmount,
  perDayAfter: cordAmount,
});

/** Effect of a change of the table, computed by the rate function from the accounts with running nodes. */
const epochPreview = z.object({
  /** Running nodes; an estimate when `isWhole` is false. */
  nodes: z.number().int(),
  /** Nodes whose accounts were examined. */
  sampled: z.number().int(),
  /** Whether all nodes were examined. */
  isWhole: z.boolean(),
  /** Multiplier of the epoch in force. */
  multiplierNow: z.number(),
  tiers: z.array(previewedTier),
  /** In order of time; empty when the change affects no payment. */
  spans: z.array(previewedSpan),
  /** CORD that the change adds over all spans; negative when it pays less. */
  adds: cordAmount,
  /** Highest rate it allows, CORD per minute: oldest tier, with badge, without penalty. */
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
      /** The fields of a create or update call, all of them for a new epoch; null deletes the epoch. */
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
