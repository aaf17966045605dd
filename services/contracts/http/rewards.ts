import { z } from 'zod';
import * as at from '../addresses/rewards.js';
import { endpoint } from '../endpoint.js';
import { openEnum } from '../events/envelope.js';
import { epochEndpoints } from './epochs.js';
import { cordAmount, id128, idParams, pageCursor, time, userIdBody, userIdParams, wholeNumber } from './fields.js';
import { updatedUser } from './users.js';

const base58 = (least: number, most: number) =>
  z.string().regex(new RegExp(`^[1-9A-HJ-NP-Za-km-z]{${least},${most}}$`), 'must be base58');
const walletAddress = base58(32, 44);
const transactionHash = base58(86, 88);

const solPrice = z.object({ usd: z.number(), at: time, estimate: z.boolean() });

/**
 * Why a payment for the badge is rejected; the `type` of the refusal. Before `amount-too-small` nothing arrived that must be
 * returned; from there on the amount is recorded as a refund.
 */
export const PAYMENT_REFUSALS = [
  'not-a-signature',
  'transaction-failed',
  'wrong-reference',
  'wrong-treasury',
  'signature-used',
  'other-payer',
  'amount-too-small',
  'refunded-inside',
  'order-expired',
  'paid-twice',
  'badge-owned',
  'account-erased',
] as const;
export type PaymentRefusal = (typeof PAYMENT_REFUSALS)[number];

/** Reason codes of an order's status; a payment that was refused or returned carries its refusal. */
export const ORDER_REASONS = [
  'in-doubt',
  'not-paid',
  'not-paid-yet',
  'lost',
  ...PAYMENT_REFUSALS.flatMap((why) => [`refused.${why}` as const, `returned.${why}` as const]),
] as const;
export type OrderReason = (typeof ORDER_REASONS)[number];

/** A received payment that is returned to its payer. */
const badgeRefund = z.object({
  id: id128,
  orderId: id128,
  transactionHash: z.string(),
  /** The payer, who gets the refund. */
  walletAddress: z.string(),
  lamports: z.number().int(),
  reason: z.enum(PAYMENT_REFUSALS),
  at: time,
  /** `returned` once proven on chain. */
  status: z.enum(['open', 'returned']),
  /** The transaction that returned it. */
  returnTransaction: z.string().nullable(),
  returnedAt: time.nullable(),
});
export type BadgeRefund = z.infer<typeof badgeRefund>;

/** A refund as admins see it, with its user; null once the account is deleted. */
const adminRefund = badgeRefund.extend({
  userId: id128.nullable(),
  note: z.string().nullable(),
  /** State of the proof: `noted` while the noted transaction is looked up, `proven` once it is on chain. */
  proof: openEnum(['open', 'noted', 'proven']),
  /** The last noted transaction that turned out not to return the payment; the refund has been open again since. */
  disproved: z.object({ transaction: z.string(), at: time }).nullable(),
});

export const badgeOrder = z.object({
  id: id128,
  /** Public key that marks the transfer on chain. */
  reference: z.string(),
  /** Price in lamports, fixed in the order. */
  lamports: z.number().int(),
  treasury: z.string(),
  walletAddress: z.string().nullable(),
  usd: z.number(),
  usdAt: time,
  estimate: z.boolean(),
  createdAt: time,
  expiresAt: time,
  status: z.enum(['pending', 'sent', 'confirmed', 'unknown', 'expired', 'refund']),
  transactionHash: z.string().nullable(),
  /** Reason for the status, as a text for the buyer. */
  reason: z.string().nullable(),
  /** The reason code, for readers in other languages. */
  why: z.enum(ORDER_REASONS).nullable(),
  /** Payments of this order that are returned. */
  refunds: z.array(badgeRefund),
});
export type BadgeOrder = z.infer<typeof badgeOrder>;

const badgePurchase = z.object({
  id: z.string(),
  userId: id128,
  walletAddress: z.string(),
  transactionHash: z.string(),
  amountSol: z.number(),
  amountUsd: z.number(),
  purchasedAt: time,
});

const claimResult = { success: z.literal(true), newBalance: cordAmount.nullable(), updatedUser, pending: z.boolean() };

/** Maximum number of refunds in one page. */
const REFUNDS_LISTED_MAX = 500;

export const rewardEndpoints = {
  compensation: endpoint('rewards', at.compensation, {
    body: userIdBody,
    response: z.object({ ...claimResult, rewardAmount: cordAmount }),
    summary: 'The one-time 5,000 CORD',
    rateClass: 'claim',
  }),
  compensationStatus: endpoint('rewards', at.compensationStatus, {
    response: z.object({
      available: z.boolean(),
      claimed: z.boolean(),
      amount: cordAmount,
      claimedAt: time.nullable(),
    }),
    summary: 'Whether the compensation is open to the caller',
  }),
  cordClaim: endpoint('rewards', at.cordClaim, {
    body: userIdBody,
    response: z.object({ ...claimResult, amountClaimed: cordAmount }),
    summary: 'The one-time 10,000 CORD of badge holders',
    rateClass: 'claim',
  }),
  cordClaimHistory: endpoint('rewards', at.cordClaimHistory, {
    params: userIdParams,
    response: z.object({ claims: z.array(z.object({ amount: cordAmount, at: time })) }),
    summary: 'Own claims',
  }),
  createOrder: endpoint('rewards', at.createOrder, {
    body: z.strictObject({ walletAddress: walletAddress.nullish() }),
    response: badgeOrder,
    status: 201,
    summary: 'Order a Badge of Honor; an open order of the caller is returned again',
    rateClass: 'order',
  }),
  orders: endpoint('rewards', at.orders, {
    response: z.array(badgeOrder),
    summary: 'Own orders, newest first',
  }),
  order: endpoint('rewards', at.order, {
    params: z.strictObject({ id: id128 }),
    response: badgeOrder,
    summary: 'One own order',
  }),
  purchase: endpoint('rewards', at.purchase, {
    body: z.strictObject({
      userId: id128.optional(),
      orderId: id128,
      walletAddress,
      transactionHash,
      amountSol: z.number().min(0).max(1_000_000),
      amountUsd: z.number().min(0).max(1_000_000_000),
    }),
    response: badgeOrder,
    alsoAccepted: true,
    summary: 'Hand in the signature of a payment; 200 confirmed, 202 verifying, 422 refused',
    rateClass: 'order',
  }),
  purchases: endpoint('rewards', at.purchases, {
    params: idParams,
    response: z.array(badgePurchase),
    summary: 'Proven purchases; non-empty means the badge is owned',
  }),
  walletSettings: endpoint('rewards', at.walletSettings, {
    response: z.object({
      /** Whether this system sells badges. */
      orders: z.boolean(),
      /** Reflector address of the remote mobile wallet protocol; null: show a Solana Pay QR. */
      reflector: z.string().nullable(),
      /** Price of the badge, lamports. */
      lamports: z.number().int(),
    }),
    summary: 'What a wallet on the page needs',
  }),
  refunds: endpoint('rewards', at.refunds, {
    query: z.strictObject({
      status: z.enum(['open', 'returned']).optional(),
      /** Status, time and id of the previous page's last refund. */
      cursor: pageCursor(/^(open|returned)-\d{1,15}-[0-9a-f]{32}$/),
      limit: wholeNumber(REFUNDS_LISTED_MAX, REFUNDS_LISTED_MAX),
    }),
    response: z.object({ refunds: z.array(adminRefund), nextCursor: z.string().nullable() }),
    summary: 'Admins: payments that came too late, twice or wrong, oldest open first',
  }),
  recordRefund: endpoint('rewards', at.recordRefund, {
    fresh: true,
    body: z.strictObject({ userId: id128, transactionHash, note: z.string().trim().min(3).max(500) }),
    response: adminRefund,
    summary: 'Admins: record a payment that names no order, for the account whose it is, to be returned',
  }),
  returnRefund: endpoint('rewards', at.returnRefund, {
    fresh: true,
    params: z.strictObject({ id: id128 }),
    body: z.strictObject({ returnTransaction: transactionHash, note: z.string().trim().min(3).max(500).optional() }),
    response: adminRefund,
    summary:
      'Admins: note that a payment was returned, and by which transaction; it counts once the chain has proven it',
  }),
  ...epochEndpoints,
  solPrice: endpoint('rewards', at.solPrice, {
    response: solPrice,
    summary: 'USD for one SOL, cached 5 minutes',
  }),
  rpc: endpoint('rewards', at.rpc, {
    ignoresKey: true,
    body: z.looseObject({
      jsonrpc: z.literal('2.0'),
      id: z.union([z.string().max(64), z.number()]),
      method: z.string().max(64),
      params: z.array(z.unknown()).max(8).optional(),
    }),
    response: z.looseObject({}),
    summary: 'Solana JSON-RPC by allow-list',
    rateClass: 'rpc',
  }),
} as const;
