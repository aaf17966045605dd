import * as rewardEndpoints from '@cord/contracts/addresses/rewards';
import type { BadgeOrder as Order } from '@cord/contracts/http/rewards';
import { ApiError, deviceStorage, type Sdk } from '@cord/sdk';
import { keptJson } from './kept';

/** A payment that was signed here: kept until the server has its signature, also over a closed tab. */
export interface Payment {
  orderId: string;
  signature: string;
  walletAddress: string;
}

const PAYMENT_KEY = 'cord.payment';

export function rememberPayment(payment: Payment): void {
  deviceStorage.setItem(PAYMENT_KEY, JSON.stringify(payment));
}

/** Forgets the payment of this order; that of another, such as one of another user of this browser, stays. */
export function forgetPayment(orderId: string): void {
  if (rememberedPayment()?.orderId === orderId) deviceStorage.removeItem(PAYMENT_KEY);
}

const LOST_KEY = 'cord.payment.lost';
/** A payment is on the chain by then, or never will be: its blockhash is too old, ms. */
export const MAY_ARRIVE_MS = 150_000;

/** This page, of all that this browser opens. */
const PAGE = crypto.randomUUID();

interface LostPayment {
  orderId: string;
  sinceMs: number;
  /** The page that still waits for the wallet's answer; a page that was loaded since knows nothing of it. */
  page?: string;
}

/** The line to a wallet broke after it was requested to send: it may have sent, and nobody here knows the signature. */
export function rememberLost(orderId: string, sinceMs: number): void {
  keepLost({ orderId, sinceMs });
}

/**
 * A wallet is requested to sign and send by itself. A phone may drop this page while its wallet is in front: then the page that is
 * loaded next takes the payment for lost, not for unpaid.
 */
export function rememberRequested(orderId: string, sinceMs: number): void {
  keepLost({ orderId, sinceMs, page: PAGE });
}

/** The wallet has answered. */
export function forgetRequested(orderId: string): void {
  if (keptJson<LostPayment>(LOST_KEY)?.orderId === orderId) deviceStorage.removeItem(LOST_KEY);
}

function keepLost(lost: LostPayment): void {
  deviceStorage.setItem(LOST_KEY, JSON.stringify(lost));
}

function mayArrive(id: string, nowMs: number): boolean {
  const lost = keptJson<LostPayment>(LOST_KEY);
  // A page that was just loaded knows the server's time less exactly: it may lag.
  const agoMs = Math.abs(nowMs - (lost?.sinceMs ?? 0));
  return lost?.orderId === id && lost.page !== PAGE && agoMs < MAY_ARRIVE_MS;
}

export function rememberedPayment(): Payment | null {
  const { orderId, signature, walletAddress } = keptJson<Payment>(PAYMENT_KEY) ?? {};
  return orderId && signature && walletAddress ? { orderId, signature, walletAddress } : null;
}

/**
 * The order as this browser knows it: signed here, and the server has not received it yet, is "paid, outcome unknown",
 * so that nobody pays it twice. So is one that a wallet may have sent by itself, as long as it may still arrive.
 * @param nowMs by the server's clock, as all times here: that of the device may be set otherwise between two pages
 */
export function knownHere(order: Order, nowMs: number): Order {
  const payment = rememberedPayment();
  if (order.status !== 'pending' && order.status !== 'expired') return order;
  const signature = payment?.orderId === order.id ? payment.signature : null;
  if (signature === null && !mayArrive(order.id, nowMs)) return order;
  // What comes of an earlier try is not about this one.
  return { ...order, status: 'unknown', transactionHash: signature, reason: null, why: null };
}

export const LAMPORTS_PER_SOL = 1e9;

/**
 * Hands in the signature of a payment; the server proves it on chain. The record of the purchase goes along; the server does not use it.
 * @returns the order as it stands now
 * @throws ApiError: 422 with the reason when the server refuses it; where it has not decided on the payment, that stays remembered
 */
export async function handIn({ writes, session }: Sdk, order: Order, payment: Payment): Promise<Order> {
  try {
    const body = {
      userId: session.state.get().user?.id,
      orderId: order.id,
      walletAddress: payment.walletAddress,
      transactionHash: payment.signature,
      amountSol: order.lamports / LAMPORTS_PER_SOL,
      amountUsd: order.usd,
    };
    const answer = await writes.send({
      name: ['badge-orders', 'hand-in'],
      input: body,
      send: (api, idempotencyKey) => api.call(rewardEndpoints.purchase, { body, idempotencyKey }),
    });
    forgetPayment(order.id);
    return answer;
  } catch (error) {
    if (!isUndecided(error)) forgetPayment(order.id);
    throw error;
  }
}

/** Nobody is signed in, the order is another user's, or there is none for this one. */
const NOT_OF_PAYMENT: ReadonlySet<number> = new Set([401, 403, 404]);

/** Whether the server has not decided on the payment: it did not answer, or answered who requests instead. */
function isUndecided(error: unknown): boolean {
  return error instanceof ApiError && (error.retryable || NOT_OF_PAYMENT.has(error.status));
}
