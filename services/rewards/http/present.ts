import type { BadgeOrder, BadgeRefund } from '@cord/contracts/http/rewards';
import type { StoredOrder } from '../badge/order-store.js';
import type { Refund } from '../badge/refunds.js';
import { ERASED, orderAt } from '../domain/orders.js';
import { reasonCode } from '../domain/reasons.js';

const LAMPORTS_IN_SOL = 1e9;
const iso = (ms: number) => new Date(ms).toISOString();

/** Returns an order as its buyer sees it. @param refunds of the buyer, or of the order */
export function presentOrder(stored: StoredOrder, refunds: readonly Refund[], nowMs: number): BadgeOrder {
  const order = orderAt(stored, nowMs);
  return {
    id: order._id,
    reference: order.reference,
    lamports: order.lamports,
    treasury: order.treasury,
    walletAddress: order.walletAddress,
    usd: order.usd,
    usdAt: iso(order.usdAtMs),
    estimate: order.estimate,
    createdAt: iso(order.createdAtMs),
    expiresAt: iso(order.expiresAtMs),
    status: order.status,
    transactionHash: order.transactionHash,
    reason: order.reason,
    why: reasonCode(order.reason),
    refunds: refunds.filter(({ orderId }) => orderId === order._id).map(presentRefund),
  };
}

/** Returns the record of a purchase, with the data from the chain. */
export function presentPurchase(order: StoredOrder) {
  return {
    id: order._id,
    userId: order.userId,
    walletAddress: order.payer ?? '',
    transactionHash: order.transactionHash ?? '',
    amountSol: order.lamports / LAMPORTS_IN_SOL,
    amountUsd: order.usd,
    purchasedAt: iso(order.confirmedAtMs ?? order.createdAtMs),
  };
}

function presentRefund(refund: Refund): BadgeRefund {
  return {
    id: refund._id,
    orderId: refund.orderId,
    transactionHash: refund.signature,
    walletAddress: refund.payer,
    lamports: refund.lamports,
    reason: refund.reason,
    at: iso(refund.atMs),
    status: refund.status,
    // Noted but unproven returns are not visible to the buyer.
    ...(refund.status === 'returned' ? returnFields(refund) : { returnTransaction: null, returnedAt: null }),
  };
}

function returnFields({ returnTransaction, returnedAtMs }: Refund) {
  return { returnTransaction, returnedAt: returnedAtMs === null ? null : iso(returnedAtMs) };
}

export function presentAdminRefund(refund: Refund) {
  const { status, returnTransaction, disproved, userId, note } = refund;
  return {
    ...presentRefund(refund),
    ...returnFields(refund),
    proof: status === 'returned' ? 'proven' : returnTransaction === null ? 'open' : 'noted',
    disproved: disproved ? { transaction: disproved.transaction, at: iso(disproved.atMs) } : null,
    userId: userId === ERASED ? null : userId,
    note,
  };
}
