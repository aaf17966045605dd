import { z } from 'zod';
import * as at from '../addresses/support.js';
import { endpoint } from '../endpoint.js';
import { day, id128, idParams, pageCursor, reason, time, wholeNumber } from './fields.js';

/** Status of the network check (services/contracts/rules/README.md#network-check). */
const anticheatStatus = z.object({
  efficiencyMultiplier: z.number(),
  penaltyLevel: z.number().int(),
  levelName: z.string(),
  isFlagged: z.boolean(),
  /** 0-100. */
  riskScore: z.number(),
  totalUsersOnIp: z.number().int(),
  otherUsersOnIp: z.number().int(),
  userIpCount: z.number().int(),
  warningMessage: z.string().nullable(),
  /** An admin cleared the account, or the address is marked as shared. */
  cleared: z.boolean(),
  mayAppeal: z.boolean(),
  checkedAt: time,
});

export const supportKind = z.enum(['support', 'appeal', 'refund']);

const supportRequest = z.object({
  id: id128,
  kind: supportKind,
  subject: z.string(),
  text: z.string(),
  status: z.enum(['open', 'answered', 'closed']),
  answer: z.string().nullable(),
  createdAt: time,
  answeredAt: time.nullable(),
});

/** A request as admins see it, with its author; badge holders come first. */
const adminSupportRequest = supportRequest.extend({
  userId: id128,
  username: z.string(),
  priority: z.boolean(),
  /** The operator who has taken it; null when nobody has. */
  taken: z.object({ by: id128, username: z.string(), at: time }).nullable(),
});
export type AdminSupportRequest = z.infer<typeof adminSupportRequest>;

/** Maximum number of acts in one filter. */
const ACTS_MAX = 16;
const act = '[a-z][a-z-]{0,31}(\\.[a-z-]{1,32})?';

const auditEntry = z.object({
  id: z.string(),
  at: time,
  adminId: id128,
  action: z.string(),
  target: z.string(),
  detail: z.record(z.string(), z.unknown()),
  /** Request id of the call that did it, as in the logs; absent without a call. */
  requestId: z.string().optional(),
  /** Name of the actor; null when there is none: the configuration, a command. */
  by: z.string().nullable(),
  /** Name of the account acted on; null when the target is no existing account. */
  on: z.string().nullable(),
  /** Whether it can be undone here, or was. */
  undo: z.enum(['open', 'done']).nullable(),
});
export type AuditEntry = z.infer<typeof auditEntry>;

/** A network address, identified by its keyed hash, and how many users count there. */
export const countedAddress = z.object({
  key: z.string(),
  users: z.number().int(),
  level: z.number().int(),
  shared: z.boolean(),
  seenAt: time,
});

const addressKey = z.strictObject({ key: z.string().regex(/^[0-9a-f]{16,64}$/, 'must be an address key') });

/** An address with the accounts that count there, for operators' decisions. */
const addressRecord = countedAddress.extend({
  /** The first accounts by id, at most `ADDRESS_ACCOUNTS_MAX`. */
  accounts: z.array(
    z.object({
      userId: id128,
      username: z.string(),
      account_age: z.number(),
      /** Node time of the last 30 days here, and at all other addresses, ms. */
      minedHereMs: z.number(),
      minedElsewhereMs: z.number(),
      /** First day of the last 30 on which it mined here; null when unknown. */
      firstDay: day.nullable(),
    }),
  ),
});
export type AddressRecord = z.infer<typeof addressRecord>;
/** Maximum number of an address's accounts shown. */
export const ADDRESS_ACCOUNTS_MAX = 64;

/** Maximum number of requests in one page of the queue. */
const SUPPORT_LISTED_MAX = 500;

export const supportEndpoints = {
  anticheat: endpoint('auth', at.anticheat, {
    response: anticheatStatus,
    summary: 'How the network check sees the caller, and why',
  }),
  file: endpoint('auth', at.file, {
    body: z.strictObject({
      kind: supportKind,
      subject: z.string().trim().min(3).max(120),
      text: z.string().trim().min(10).max(4000),
    }),
    response: supportRequest,
    status: 201,
    summary: 'Request support, an appeal or a refund',
    rateClass: 'claim',
  }),
  mine: endpoint('auth', at.mine, {
    response: z.array(supportRequest),
    summary: 'Own requests, newest first',
  }),
  queue: endpoint('auth', at.queue, {
    query: z.strictObject({
      status: z.enum(['open', 'answered', 'closed']).optional(),
      kind: supportKind.optional(),
      /** Prefix of the author's name or of the request's id. */
      search: z.string().trim().min(2).max(64).optional(),
      /** Priority, time and id of the previous page's last request. */
      cursor: pageCursor(/^[01]-\d{1,15}-[0-9a-f]{32}$/),
      limit: wholeNumber(SUPPORT_LISTED_MAX, SUPPORT_LISTED_MAX),
    }),
    response: z.object({ requests: z.array(adminSupportRequest), nextCursor: z.string().nullable() }),
    summary: 'Admins: the queue, badge holders first, then who has waited longest',
  }),
  oneCase: endpoint('auth', at.oneCase, {
    params: idParams,
    response: adminSupportRequest,
    summary: 'Admins: one request; the look stands in the audit log',
  }),
  take: endpoint('auth', at.take, {
    fresh: 'only notes who works on a request',
    params: idParams,
    body: z.strictObject({ taken: z.boolean() }),
    response: adminSupportRequest,
    summary: 'Admins: take an open request to the own desk for half an hour, or put it back',
  }),
  answer: endpoint('auth', at.answer, {
    fresh: 'answers a request: moves no money, no right and no release',
    params: idParams,
    body: z.strictObject({ answer: z.string().trim().min(1).max(4000), close: z.boolean().default(false) }),
    response: adminSupportRequest,
    summary: 'Admins: answer a request',
  }),
  audit: endpoint('auth', at.audit, {
    query: z.strictObject({
      limit: wholeNumber(50),
      /** Time and id of the previous page's last entry. */
      cursor: pageCursor(/^\d{1,15}-[0-9a-f]{1,64}$/),
      /** The operator who acted. */
      by: id128.optional(),
      /** Names of acts, separated by commas. */
      act: z
        .string()
        .regex(new RegExp(`^${act}(,${act}){0,${ACTS_MAX - 1}}$`), `must be up to ${ACTS_MAX} acts with commas between`)
        .optional(),
      /** Target of the act, or the name of its account. */
      on: z.string().trim().min(1).max(128).optional(),
      from: time.optional(),
      to: time.optional(),
    }),
    response: z.object({
      entries: z.array(auditEntry),
      nextCursor: z.string().nullable(),
      /** Services that did not respond; their entries are missing from the list. */
      missing: z.array(z.string()),
    }),
    summary: 'Admins: what admins did, newest first',
  }),
  addresses: endpoint('auth', at.addresses, {
    query: z.strictObject({
      limit: wholeNumber(50),
      /** Users and key of the previous page's last address. */
      cursor: pageCursor(/^\d{1,9}-[0-9a-f]{16,64}$/),
    }),
    response: z.object({ addresses: z.array(countedAddress), nextCursor: z.string().nullable() }),
    summary: 'Admins: addresses with more than one miner, the most crowded first',
  }),
  address: endpoint('auth', at.address, {
    params: addressKey,
    response: addressRecord,
    summary: 'Admins: who counts at an address; the look stands in the audit log',
  }),
  markAddress: endpoint('auth', at.markAddress, {
    fresh: true,
    params: addressKey,
    body: z.strictObject({
      shared: z.boolean(),
      reason,
      /** The user that the reason is about: an erasure of that user deletes it. */
      about: id128.optional(),
    }),
    response: z.object({ key: z.string(), shared: z.boolean() }),
    summary: 'Admins: mark an address as shared (x1)',
  }),
  userDetail: endpoint('auth', at.userDetail, {
    params: idParams,
    response: z.looseObject({ id: id128, username: z.string(), anticheat: anticheatStatus }),
    summary: 'Admins: one user; the look stands in the audit log',
  }),
  changeUser: endpoint('auth', at.changeUser, {
    fresh: true,
    params: idParams,
    body: z.strictObject({ cleared: z.boolean().optional(), admin: z.boolean().optional(), reason }),
    response: z.looseObject({ id: id128, username: z.string(), anticheat: anticheatStatus }),
    summary: 'Admins: clear a user of the network check, or change the role',
  }),
} as const;
