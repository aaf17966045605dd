import type { Order } from './orders.js';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Waits between looks while a payment is on its way, by number of looks; the last one repeats, ms. */
const SENT_MS = [1, 1, 1, 2, 2, 3, 5, 10, 15].map((seconds) => seconds * SECOND_MS);
/** Waits for an open order, which may be paid from a phone without a call to this service, ms. */
const OPEN_MS = [5 * SECOND_MS, 5 * SECOND_MS, 10 * SECOND_MS];
const OPEN_LATER_MS = 20 * SECOND_MS;
/** Wait for a proven order, which is watched for a second payment, ms. */
const PROVEN_MS = MINUTE_MS;
/** Wait when one look could not process all transactions, ms. */
export const LOOK_ON_MS = SECOND_MS;
const AFTER_END_MS_MIN = 35 * SECOND_MS;
/** Maximum wait for an order with a transaction on the chain, or for the transaction of a refund, ms. */
export const LOOK_WAIT_MS_MAX = 6 * HOUR_MS;
/** Maximum wait between looks at an order, ms. */
export const ORDER_WAIT_MS_MAX = 24 * HOUR_MS;
/** How long after its end an order is still looked up on the chain, ms. It covers network outages. */
export const WATCHED_MS = 7 * 24 * HOUR_MS;

/**
 * Returns when to look for an order's payments again, ms since epoch; null: never, because its end and its last handed-in payment are too
 * long ago. After the end, each wait is half the time since the end; twice that time while the chain has no transaction of the order.
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

/** Whether the look at this time found no transaction of the order on the chain. */
function hasNothing({ status, lookedAtMs, walk, judged }: Order, nowMs: number): boolean {
  return status === 'pending' && lookedAtMs === nowMs && (walk?.floor ?? null) === null && judged.length === 0;
}
