import * as rewardEndpoints from '@cord/contracts/addresses/rewards';
import type { BadgeOrder as Order } from '@cord/contracts/http/rewards';
import { ApiError, deviceStorage, type Sdk } from '@cord/sdk';
import { keptJson } from './kept';

/** A payment that was signed here: stored until the server has its signature, also after the tab is closed. */
export interface Payment {
  orderId: string;
  signature: string;
  walletAddress: string;
}

const PAYMENT_KEY = 'cord.payment';

export function rememberPayment(payment: Payment): void {
  deviceStorage.setItem(PAYMENT_KEY, JSON.stringify(payment));
}

/** Deletes the stored payment of this order; that of another order, such as one of another user of this browser, stays. */
export function forgetPayment(orderId: string): void {
  if (rememberedPayment()?.orderId === orderId) deviceStorage.removeItem(PAYMENT_KEY);
}

const LOST_KEY = 'cord.payment.lost';
/** Time after which a payment is on the chain or never will be, because its blockhash has expired, ms. */
export const MAY_ARRIVE_MS = 150_000;

/** Random id of this page. */
const PAGE = crypto.randomUUID();

interface LostPayment {
  orderId: string;
  sinceMs: number;
  /** The page that awaits the wallet's response; a page loaded later does not. */
  page?: string;
}

/** Stores that the session with a wallet broke after the request to send: it may have sent, with an unknown signature. */
export function rememberLost(orderId: string, sinceMs: number): void {
  keepLost({ orderId, sinceMs });
}

/**
 * Stores that a wallet was requested to sign and send by itself. A phone may discard this page while its wallet is in front: then the page that is
 * loaded next treats the payment as lost, not as unpaid.
 */
export function rememberRequested(orderId: string, sinceMs: number): void {
  keepLost({ orderId, sinceMs, page: PAGE });
}

/** The wallet has responded. */
export function forgetRequested(orderId: string): void {
  if (keptJson<LostPayment>(LOST_KEY)?.orderId === orderId) deviceStorage.removeItem(LOST_KEY);
}

function keepLost(lost: LostPayment): void {
  deviceStorage.setItem(LOST_KEY, JSON.stringify(lost));
}

function mayArrive(id: string, nowMs: number): boolean {
  const lost = keptJson<LostPayment>(LOST_KEY);
  // A page that was just loaded knows the server's time less exactly: it may be behind.
  const agoMs = Math.abs(nowMs - (lost?.sinceMs ?? 0));
  return lost?.orderId === id && lost.page !== PAGE && agoMs < MAY_ARRIVE_MS;
}

export function rememberedPayment(): Payment | null {
  const { orderId, signature, walletAddress } = keptJson<Payment>(PAYMENT_KEY) ?? {};
  return orderId && signature && walletAddress ? { orderId, signature, walletAddress } : null;
}

/**
 * The order with this browser's knowledge: if it was signed here and the server has not received it yet, it is "paid, outcome unknown",
 * so that it is not paid twice. So is one that a wallet may have sent by itself, as long as it may still arrive.
 * @param nowMs by the server's clock, as all times here: the device's clock may be changed between two pages
 */
export function knownHere(order: Order, nowMs: number): Order {
  const payment = rememberedPayment();
  if (order.status !== 'pending' && order.status !== 'expired') return order;
  const signature = payment?.orderId === order.id ? payment.signature : null;
  if (signature === null && !mayArrive(order.id, nowMs)) return order;
  // The reason of an earlier try does not apply to this one.
  return { ...order, status: 'unknown', transactionHash: signature, reason: null, why: null };
}

export const LAMPORTS_PER_SOL = 1e9;

/**
 * Submits the signature of a payment; the server proves it on chain. The body also has the record of the purchase, which the server does not use.
 * @returns the current order
 * @throws ApiError: 422 with the reason if the server refuses it; the payment stays stored if the server has not decided on it
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

/** Status codes that say nothing about the payment: no session, another user's order, or no such order. */
const NOT_OF_PAYMENT: ReadonlySet<number> = new Set([401, 403, 404]);

/** Whether the server has not decided on the payment: no response, or an error about the caller instead. */
function isUndecided(error: unknown): boolean {
  return error instanceof ApiError && (error.retryable || NOT_OF_PAYMENT.has(error.status));
}
