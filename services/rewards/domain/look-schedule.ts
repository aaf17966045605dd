import type { Order } from './orders.js';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Waits while a payment is on its way, by the number of looks; the last one repeats. */
const SENT_MS = [1, 1, 1, 2, 2, 3, 5, 10, 15].map((seconds) => seconds * SECOND_MS);
/** An open order may be paid from a phone, without a call to this service. */
const OPEN_MS = [5 * SECOND_MS, 5 * SECOND_MS, 10 * SECOND_MS];
const OPEN_LATER_MS = 20 * SECOND_MS;
/** A proven order is watched for a second payment. */
const PROVEN_MS = MINUTE_MS;
/** Transactions wait that one look could not take in. */
export const LOOK_ON_MS = SECOND_MS;
const AFTER_END_MS_MIN = 35 * SECOND_MS;
/** The longest wait for a look at an order that the chain has a transaction of, or at the transaction of a refund. */
export const LOOK_WAIT_MS_MAX = 6 * HOUR_MS;
/** The longest wait for a look at an order. */
export const ORDER_WAIT_MS_MAX = 24 * HOUR_MS;
/** For how long after its end an order is still looked for on the chain: an hour without network is nothing against it. */
export const WATCHED_MS = 7 * 24 * HOUR_MS;

/**
 * When to look for an order's payments again, ms since epoch; null: never, since its end is too long ago, and so is what was handed in after that.
 * Each further look after the end waits half as long as it has been; twice as long where the chain has no transaction of the order.
 */
export function nextLookAtMs(order: Order, nowMs: number): number | null {
  if (order.status === 'sent') {
    const sinceSentMs = nowMs - Math.max(order.expiresAtMs, order.sentAtMs ?? 0);
    return sinceSentMs > WATCHED_MS ? null : nowMs + (SENT_MS[order.looks] ?? SENT_MS.at(-1) ?? SECOND_MS);
  }
  const sinceEndMs = nowMs - order.expiresAtMs;
  if (sinceEndMs > WATCHED_MS) return null;
  if (sinceEndMs >= 0) {
    const waitMs = hasNothing(order, nowMs)
      ? Math.min(ORDER_WAIT_MS_MAX, sinceEndMs * 2)
      : Math.min(LOOK_WAIT_MS_MAX, sinceEndMs / 2);
    return nowMs + Math.max(AFTER_END_MS_MIN, waitMs);
  }
  if (order.status !== 'pending') return nowMs + PROVEN_MS;
  return nowMs + (OPEN_MS[order.looks] ?? OPEN_LATER_MS);
}

/** Whether the look at this time has shown that the chain has no transaction of the order. */
function hasNothing({ status, lookedAtMs, walk, judged }: Order, nowMs: number): boolean {
  return status === 'pending' && lookedAtMs === nowMs && (walk?.floor ?? null) === null && judged.length === 0;
}
