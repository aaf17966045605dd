import { z } from 'zod';
import * as at from '../addresses/admin.js';
import { endpoint } from '../endpoint.js';
import { source } from '../events/balance.js';
import { cordAmount, id128, idParams, pageCursor, reason, time, wholeNumber } from './fields.js';
import { ledgerPage, ledgerQuery, miningSession } from './mining.js';
import { badgeOrder } from './rewards.js';
import { countedAddress } from './support.js';

/** An account in the operators' list. */
const listedUser = z.object({
  id: id128,
  username: z.string(),
  account_age: z.number(),
  joinedAt: time,
  lastSignInAt: time,
  isAdmin: z.boolean(),
  /** The last state of the network check; null when it never ran. */
  network: z
    .object({ penaltyLevel: z.number().int(), efficiencyMultiplier: z.number(), cleared: z.boolean() })
    .nullable(),
});
export type ListedUser = z.infer<typeof listedUser>;

/** Where an account mined in the last 30 days: addresses by their keyed hashes, most node time first. */
const userNetwork = z.object({
  addresses: z.array(
    countedAddress.extend({
      /** Node time there, ms. */
      minedMs: z.number(),
      /** When the account last mined there. */
      lastMinedAt: time,
      /** The account counts at this address: it mined most here. */
      counts: z.boolean(),
    }),
  ),
  /** An operator lifted this account's penalty. */
  cleared: z.boolean(),
  /** When the check last ran. */
  checkedAt: time,
});
export type UserNetwork = z.infer<typeof userNetwork>;

/** A sign-in session as operators see it, without an id that could identify it elsewhere. */
const userSession = z.object({ createdAt: time, expiresAt: time, lastSeenAt: time, device: z.string() });
export type UserSession = z.infer<typeof userSession>;

/** Why the rules reject a one-time claim (services/contracts/rules/README.md#one-time-claims). */
const CLAIM_REFUSALS = [
  'already-claimed',
  'closed',
  'joined-too-late',
  'no-badge',
  'returning',
  'account-erased',
  'not-known-yet',
] as const;
export type ClaimRefusal = (typeof CLAIM_REFUSALS)[number];

/** A one-time claim of an account as operators see it, made or not. */
const userClaim = z.object({
  kind: z.enum(['compensation', 'cordclaim']),
  /** The amount paid, or the amount it would pay. */
  amount: cordAmount,
  /** Null when the claim was not made. */
  claimedAt: time.nullable(),
  /** The claim was made and the ledger has not credited it yet. */
  pending: z.boolean(),
  /** Null when the claim may be made now. */
  refusal: z.enum(CLAIM_REFUSALS).nullable(),
});
export type UserClaim = z.infer<typeof userClaim>;

/** Query for a page of a list by time, newest first. */
const byTimeQuery = z.strictObject({
  /** Time of the previous page's last item, ms. */
  cursor: pageCursor(/^\d{1,15}$/),
  limit: wholeNumber(25, 100),
});

export const adminEndpoints = {
  users: endpoint('auth', at.users, {
    query: z.strictObject({
      /** Prefix of a name or an id, case-insensitive. */
      search: z.string().trim().min(1).max(64).optional(),
      role: z.enum(['admin']).optional(),
      /** By name: name and id of the previous page's last account; by id: its id. */
      cursor: pageCursor(/^(n\.[A-Za-z0-9_-]{1,400}\.[0-9a-f]{32}|i\.[0-9a-f]{32})$/),
      limit: wholeNumber(25),
    }),
    response: z.object({ users: z.array(listedUser), nextCursor: z.string().nullable() }),
    summary: 'Admins: accounts by name, those first whose name begins with the search, then those whose id does',
  }),
  network: endpoint('auth', at.network, {
    params: idParams,
    response: userNetwork,
    summary: 'Admins: where an account mined; the look stands in the audit log',
  }),
  sessions: endpoint('auth', at.sessions, {
    params: idParams,
    response: z.object({ sessions: z.array(userSession) }),
    summary: 'Admins: where an account is signed in; the look stands in the audit log',
  }),
  endSessions: endpoint('auth', at.endSessions, {
    fresh: true,
    params: idParams,
    body: z.strictObject({ reason }),
    response: z.object({ ended: z.number().int() }),
    summary: 'Admins: sign an account out everywhere',
  }),
  ledger: endpoint('mining', at.ledger, {
    params: idParams,
    query: ledgerQuery.extend({ source: source.optional() }),
    /** With a source, a page may hold fewer entries than requested, even none, while the list continues: each request scans a bounded number of entries. */
    response: ledgerPage.extend({
      /** Number of entries, of the requested source or of all. */
      count: z.number().int(),
    }),
    summary:
      'Admins: the entries behind a balance, newest first, of all sources or of one; the look stands in the audit log',
  }),
  mining: endpoint('mining', at.mining, {
    params: idParams,
    query: byTimeQuery,
    response: z.object({ sessions: z.array(miningSession), nextCursor: z.string().nullable() }),
    summary: 'Admins: the mining sessions of an account, newest first; the look stands in the audit log',
  }),
  orders: endpoint('rewards', at.orders, {
    params: idParams,
    query: byTimeQuery,
    response: z.object({ orders: z.array(badgeOrder), nextCursor: z.string().nullable() }),
    summary:
      'Admins: the badge orders of an account with their refunds, newest first; the look stands in the audit log',
  }),
  claims: endpoint('rewards', at.claims, {
    params: idParams,
    response: z.object({ claims: z.array(userClaim) }),
    summary: 'Admins: the one-time claims of an account, made or why not; the look stands in the audit log',
  }),
  undo: endpoint('auth', at.undo, {
    fresh: true,
    params: idParams,
    body: z.strictObject({ reason }),
    response: z.object({ undone: z.literal(true) }),
    summary: 'Admins: undo an act of the trail by another that names it',
  }),
} as const;
