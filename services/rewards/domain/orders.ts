import type { PaymentRefusal } from '@cord/contracts/http/rewards';
import { IN_DOUBT, LOST, NOT_PAID, NOT_PAID_YET, whyRefused, whyReturned } from './reasons.js';

/** How long an order may be paid, ms. */
export const ORDER_MS = 900_000;
/** An order is given again only while there is time to pay it, ms. */
const REUSABLE_LEFT_MS = 180_000;
/** A payment that was sent is expected to be decided by then, ms; after that its outcome counts as unknown. */
const DECIDED_WITHIN_MS = 60_000;
/** A transaction that is not on the chain by then never will be: its blockhash is too old, ms. */
const LOST_AFTER_MS = 150_000;
/** The last look for a payment in time is this long after the end, ms: the network needs a moment to finalise. */
const LAST_LOOK_MS = 30_000;
/** Decided signatures that are remembered, so that they are not read again; to judge one twice changes nothing. */
const JUDGED_MAX = 200;

/** Whose order it was, when the account is erased. */
export const ERASED = 'erased';

/** As it is stored; that it is `unknown` or `expired` follows from the time. */
type StoredStatus = 'pending' | 'sent' | 'confirmed' | 'refund';
type OrderStatus = StoredStatus | 'unknown' | 'expired';

/** How far the transactions that name an order's reference are judged, oldest first; see badge/reference-walk. */
export interface Walk {
  /** Everything up to this signature is judged, or is among the undecided ones. */
  floor: string | null;
  /** Where the way down from the newest to the floor goes on: the last two of the page above; null: at the top. */
  above: { before: string; last: string } | null;
  /** Passed, but not final or not readable yet: looked at again each time. */
  undecided: string[];
}

/** An order of the Badge of Honor: what must be paid, frozen when it is written, and how far its payment is (services/contracts/rules/README.md#badge-of-honor). */
export interface Order {
  userId: string;
  /** Public key that the transfer must name. */
  reference: string;
  lamports: number;
  treasury: string;
  walletAddress: string | null;
  /** For display only. */
  usd: number;
  usdAtMs: number;
  estimate: boolean;
  createdAtMs: number;
  expiresAtMs: number;
  status: StoredStatus;
  /** The payment that was handed in, seen, or proven. */
  transactionHash: string | null;
  /** When that was first known. */
  sentAtMs: number | null;
  /** Who paid, read from the chain. */
  payer: string | null;
  confirmedAtMs: number | null;
  reason: string | null;
  /** Signatures that are decided and not looked at again. */
  judged: string[];
  /** Absent before the first look: then from the beginning. */
  walk?: Walk;
  /** Looks at the chain since something last changed. */
  looks: number;
  lookedAtMs: number | null;
  /** When to look again; null: never. */
  lookAtMs: number | null;
}

/** The order at a time, with what its buyer sees. */
export function orderAt<O extends Order>(order: O, nowMs: number): Omit<O, 'status'> & { status: OrderStatus } {
  if (order.status === 'sent' && order.sentAtMs !== null && nowMs - order.sentAtMs >= DECIDED_WITHIN_MS) {
    return { ...order, status: 'unknown', reason: IN_DOUBT };
  }
  if (order.status === 'pending' && nowMs >= order.expiresAtMs) {
    return { ...order, status: 'expired', reason: wasLookedAtLast(order) ? NOT_PAID : NOT_PAID_YET };
  }
  return order;
}

/** Whether nothing that its buyer sees differs at any time; one more look at an order is nothing to show. */
export function showsSame(a: Order, b: Order): boolean {
  const shown = (order: Order) => [
    ...[order.userId, order.status, order.reason, order.transactionHash, order.sentAtMs],
    ...[order.payer, order.confirmedAtMs, wasLookedAtLast(order)],
  ];
  return JSON.stringify(shown(a)) === JSON.stringify(shown(b));
}

function wasLookedAtLast({ lookedAtMs, expiresAtMs }: Order): boolean {
  return (lookedAtMs ?? 0) >= expiresAtMs + LAST_LOOK_MS;
}

/** Whether an order is given again instead of a new one: in doubt, or open for the same wallet with time left to pay. */
export function isReusable(order: Order, walletAddress: string | null, nowMs: number): boolean {
  if (order.status === 'sent') return true;
  return (
    order.status === 'pending' && order.walletAddress === walletAddress && order.expiresAtMs - nowMs > REUSABLE_LEFT_MS
  );
}

/**
 * A payment is on its way. A proven order stays what it is; one whose money goes back stays so whatever is handed in, and is looked at soon.
 * What is decided is not on its way: no look would end the wait for it.
 */
export function afterSent<O extends Order>(order: O, signature: string, nowMs: number): O | null {
  if (order.status === 'confirmed' || order.judged.includes(signature)) return null;
  if (order.status === 'refund') return { ...order, ...soon(nowMs) };
  if (order.status === 'sent' && order.transactionHash === signature) return null;
  return { ...order, status: 'sent', transactionHash: signature, sentAtMs: nowMs, reason: null, ...soon(nowMs) };
}

/** A payment was seen on the chain that is not final. Where one is known to be on its way, that one stays. */
export function afterSeen<O extends Order>(order: O, signature: string, nowMs: number): O | null {
  return order.status === 'pending' ? afterSent(order, signature, nowMs) : null;
}

/** The payment is proven. Null when another one was before. An order whose buyer is gone meanwhile gets neither payer nor payment. */
export function afterProof<O extends Order>(order: O, signature: string, payer: string, nowMs: number): O | null {
  const isErased = order.userId === ERASED;
  if (order.status === 'confirmed') {
    const isSame = order.transactionHash === signature || (isErased && order.judged.includes(signature));
    return isSame ? order : null;
  }
  const proof = { status: 'confirmed' as const, transactionHash: signature, payer, confirmedAtMs: nowMs, reason: null };
  const proven = { ...order, ...proof, judged: judgedWith(order, signature), ...soon(nowMs) };
  return isErased ? withoutBuyer(proven) : proven;
}

/** A payment is refused; nothing of it is ours. */
export function afterRefusal<O extends Order>(order: O, signature: string, why: PaymentRefusal): O {
  const judged = judgedWith(order, signature);
  if (order.status !== 'sent' || order.transactionHash !== signature) return { ...order, judged };
  return { ...unpaid(order, whyRefused(why)), judged };
}

/** Money arrived that cannot be taken for the badge and goes back. A proven order stays proven. */
export function afterRefund<O extends Order>(order: O, signature: string, why: PaymentRefusal, payer: string): O {
  const judged = judgedWith(order, signature);
  if (order.status === 'confirmed') return { ...order, judged };
  return { ...order, status: 'refund', transactionHash: signature, payer, reason: whyReturned(why), judged };
}

/** Whether what was sent can be given up, unless it is seen on the chain: it would be there by now. */
export function isLost(order: Order, nowMs: number): boolean {
  return order.status === 'sent' && order.sentAtMs !== null && nowMs - order.sentAtMs >= LOST_AFTER_MS;
}

/** What was sent never reached the chain: it may be paid again. */
export function afterLoss<O extends Order>(order: O): O {
  return unpaid(order, LOST);
}

/** What was sent is not decided, and nothing waits for it any more: the order may be paid again. It is not known whether something was charged. */
export function afterDoubt<O extends Order>(order: O): O {
  return { ...unpaid(order, IN_DOUBT), lookedAtMs: null };
}

/**
 * Its buyer is gone: nothing leads to a person any more, and a payment that still comes is returned. Of a proven order the wallet that paid
 * it goes, too: it is watched for a second payment only.
 */
export function withoutBuyer<O extends Order>(order: O): O {
  const paid = order.status === 'confirmed' ? { payer: null, transactionHash: null } : {};
  return { ...order, ...paid, userId: ERASED, walletAddress: null };
}

function unpaid<O extends Order>(order: O, reason: string): O {
  return { ...order, status: 'pending', transactionHash: null, sentAtMs: null, reason };
}

function judgedWith({ judged }: Order, signature: string): string[] {
  return judged.includes(signature) ? judged : [...judged, signature].slice(-JUDGED_MAX);
}

function soon(nowMs: number): { looks: number; lookAtMs: number } {
  return { looks: 0, lookAtMs: nowMs + 1_000 };
}
