import { z } from 'zod';
import * as at from '../addresses/users.js';
import { endpoint, noContent } from '../endpoint.js';
import { openEnum } from '../events/envelope.js';
import { NOTICE_CHOICES, NOTICE_KINDS, type NoticeChoice, type NoticeKind } from '../rules/notices.js';
import { cordAmount, id128, idParams, languageTag, time, timeZone } from './fields.js';

const unknownable = <T extends z.ZodType>(schema: T) => schema.nullable();

/** The whole user record. A part is null when its owner does not respond. */
export const user = z.object({
  id: id128,
  username: z.string(),
  discriminator: z.string().nullable(),
  avatar: z.string().nullable(),
  account_age: z.number(),
  join_date: time,
  multiplier: z.number(),
  total_earned: unknownable(cordAmount),
  current_balance: unknownable(cordAmount),
  lastsavedbalance: unknownable(cordAmount),
  weekly_earnings: unknownable(cordAmount),
  monthly_earnings: unknownable(cordAmount),
  daily_earnings: unknownable(cordAmount),
  referralCode: unknownable(z.string()),
  referred_by: unknownable(z.string()),
  referralEarnings: unknownable(cordAmount),
  totalReferrals: unknownable(z.number().int()),
  rank: unknownable(z.number().int()),
  last_login_time: time,
  is_node_active: unknownable(z.boolean()),
  node_start_time: unknownable(time),
  tasks_completed: unknownable(z.number().int()),
  daily_checkin_claimed: unknownable(z.boolean()),
  hasbadgeofhonor: z.boolean(),
  comp_claim: unknownable(z.boolean()),
  currentEpochId: unknownable(z.string()),
  epochJoinDate: unknownable(time),
  totalEpochEarnings: unknownable(cordAmount),
  efficiencyMultiplier: z.number(),
  /** CORD per minute while the node runs. */
  rate: unknownable(z.number()),
  /** Version of the ledger account behind the amounts, a decimal string. Between equal versions the later `balanceAt` is newer. */
  balanceSeq: unknownable(z.string()),
  /** `current_balance` includes the node's mining up to this time; a running node has earned more since. */
  balanceAt: unknownable(time),
  locale: z.string(),
  theme: z.enum(['system', 'dark', 'light']),
  isAdmin: z.boolean(),
  /** When this record was assembled, by the server's clock. */
  serverTime: time,
});
export type User = z.infer<typeof user>;

/** `updatedUser`: id, balanceSeq and the fields that the responding service owns; the sdk merges it. */
export const updatedUser = user.partial().extend({ id: id128 });
export type UpdatedUser = z.infer<typeof updatedUser>;

/** The record of another user. */
const publicUser = z.object({
  id: id128,
  username: z.string(),
  avatar: z.string().nullable(),
  account_age: z.number(),
  join_date: time,
  total_earned: cordAmount.nullable(),
  hasbadgeofhonor: z.boolean(),
  is_node_active: z.boolean().nullable(),
  rank: z.number().int().nullable(),
});
export type PublicUser = z.infer<typeof publicUser>;

/** Economic and identity fields that a client may send back; they are ignored. */
const IGNORED = [
  ...(Object.keys(user.shape) as (keyof User)[]).filter((key) => key !== 'locale' && key !== 'theme'),
  '_isCordClaimUpdate',
  '_isBackendUpdate',
  'epoch',
] as const;

/** Writable: locale and theme. Known read-only fields are ignored whatever their value; unknown fields are 400. */
const profileBody = z.strictObject({
  locale: languageTag.optional(),
  theme: z.enum(['system', 'dark', 'light']).optional(),
  ...(Object.fromEntries(IGNORED.map((key) => [key, z.unknown().optional()])) as Record<
    string,
    z.ZodOptional<z.ZodUnknown>
  >),
});

/** Where each kind of notice goes; an omitted kind keeps its choice. */
const noticeChoices = z.strictObject(
  Object.fromEntries(NOTICE_KINDS.map((kind) => [kind, z.enum(NOTICE_CHOICES).optional()])) as Record<
    NoticeKind,
    z.ZodOptional<z.ZodEnum<{ [C in NoticeChoice]: C }>>
  >,
);

const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as 23:00');

/** Times of day between which only urgent notices are pushed. Spans midnight when `from` is later than `to`; off when they are equal. */
const quietHours = z.strictObject({ from: timeOfDay, to: timeOfDay, zone: timeZone });

/** Mining toggles (auto-start starts the node after a sign-in), and where each kind of notice goes. */
const settings = z.object({
  autoStart: z.boolean(),
  notifications: z.boolean(),
  /** Choice for every kind of notice. */
  notices: z.record(z.string(), openEnum(NOTICE_CHOICES)),
  /** Times of day without push; null when off. */
  quietHours: quietHours.nullable(),
});

const username = z.string().trim().min(1).max(64);

const putUser = endpoint('auth', at.update, {
  params: idParams,
  body: profileBody,
  response: user,
  summary: 'Change locale and theme; every other field of the record is ignored',
});

export const userEndpoints = {
  get: endpoint('auth', at.get, {
    params: idParams,
    response: z.union([user, publicUser]),
    summary: 'The whole record for its owner, the public view for others',
  }),
  byUsername: endpoint('auth', at.byUsername, {
    params: z.strictObject({ username }),
    response: publicUser,
    summary: 'The most recently signed-in holder of a name, public view',
  }),
  username: endpoint('auth', at.username, {
    params: idParams,
    response: z.object({ username: z.string() }),
    summary: 'The name behind an id',
  }),
  create: endpoint('auth', at.create, {
    body: z.looseObject({}),
    response: user,
    summary: 'Always 403: users come to be through sign-in',
  }),
  update: putUser,
  updateProfile: endpoint('auth', at.updateProfile, {
    body: profileBody,
    response: user,
    summary: 'Client B: change locale and theme',
    budget: 'users.update',
  }),
  stats: endpoint('auth', at.stats, {
    response: user.pick({
      id: true,
      total_earned: true,
      current_balance: true,
      daily_earnings: true,
      weekly_earnings: true,
      monthly_earnings: true,
      tasks_completed: true,
      totalReferrals: true,
      referralEarnings: true,
      rank: true,
      rate: true,
      balanceSeq: true,
    }),
    summary: 'Client B: the own figures',
  }),
  getSettings: endpoint('auth', at.getSettings, {
    params: idParams,
    response: settings,
    summary: 'Mining toggles, where each kind of notice goes, and quiet hours',
  }),
  putSettings: endpoint('auth', at.putSettings, {
    params: idParams,
    body: z.strictObject({
      autoStart: z.boolean().optional(),
      notifications: z.boolean().optional(),
      notices: noticeChoices.optional(),
      quietHours: quietHours.nullable().optional(),
    }),
    response: settings,
    summary: 'Save the mining toggles, where each kind of notice goes, and quiet hours',
  }),
  export: endpoint('auth', at.export, {
    fresh: true,
    params: idParams,
    response: z.looseObject({
      username: z.string(),
      total_earned: cordAmount.nullable(),
      current_balance: cordAmount.nullable(),
      account_age: z.number(),
      multiplier: z.number(),
      referralCode: z.string().nullable(),
      exportDate: time,
    }),
    summary: 'Everything held about the user, the fields of the user record first',
    rateClass: 'claim',
  }),
  remove: endpoint('auth', at.remove, {
    fresh: true,
    params: idParams,
    body: z.strictObject({ confirm: z.string().min(1).max(64) }),
    response: noContent,
    status: 204,
    summary: 'Erase the account; `confirm` is the own username',
    rateClass: 'claim',
  }),
} as const;
