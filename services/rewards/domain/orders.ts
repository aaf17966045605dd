import type { PaymentRefusal } from '@cord/contracts/http/rewards';
import { IN_DOUBT, LOST, NOT_PAID, NOT_PAID_YET, refusalText, returnText } from './reasons.js';

/** Time to pay an order, ms. */
export const ORDER_MS = 900_000;
/** Minimum time left to pay when an existing order is returned again, ms. */
const REUSABLE_LEFT_MS = 180_000;
/** A sent payment should be decided within this time, ms; after that its outcome is shown as unknown. */
const DECIDED_WITHIN_MS = 60_000;
/** A transaction that is not on the chain within this time never will be, because its blockhash is too old, ms. */
const LOST_AFTER_MS = 150_000;
/** Delay of the last look after the end of an order, ms: the network needs time to finalise. */
const LAST_LOOK_MS = 30_000;
/** Maximum number of decided signatures kept to avoid reading them again; judging one twice is harmless. */
const JUDGED_MAX = 200;

/** User id of orders whose account was erased. */
export const ERASED = 'erased';

/** The stored status; `unknown` and `expired` are derived from the time. */
type StoredStatus = 'pending' | 'sent' | 'confirmed' | 'refund';
type OrderStatus = StoredStatus | 'unknown' | 'expired';

/** Progress of judging the transactions that name an order's reference, oldest first; see badge/reference-walk. */
export interface Walk {
  /** All transactions up to this signature are judged or listed in `undecided`. */
  floor: string | null;
  /** Where the walk down from the newest to the floor continues: the last two signatures of the page above; null: at the top. */
  above: { before: string; last: string } | null;
  /** Passed, but not final or not readable yet: checked again at each look. */
  undecided: string[];
}

/** An order of the Badge of Honor: the payment terms, frozen at creation, and the progress of its payment (services/contracts/rules/README.md#badge-of-honor). */
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
  /** Signature of the payment that was handed in, seen or proven. */
  transactionHash: string | null;
  /** When this payment first became known. */
  sentAtMs: number | null;
  /** The paying wallet, read from the chain. */
  payer: string | null;
  confirmedAtMs: number | null;
  reason: string | null;
  /** Decided signatures, which are not read again. */
  judged: string[];
  /** Absent before the first look, which starts at the beginning. */
  walk?: Walk;
  /** Number of looks at the chain since the last change. */
  looks: number;
  lookedAtMs: number | null;
  /** When to look again; null: never. */
  lookAtMs: number | null;
}

/** Returns the order as its buyer sees it at a time. */
export function orderAt<O extends Order>(order: O, nowMs: number): Omit<O, 'status'> & { status: OrderStatus } {
  if (order.status === 'sent' && order.sentAtMs !== null && nowMs - order.sentAtMs >= DECIDED_WITHIN_MS) {
    return { ...order, status: 'unknown', reason: IN_DOUBT };
  }
  if (order.status === 'pending' && nowMs >= order.expiresAtMs) {
    return { ...order, status: 'expired', reason: wasLookedAtLast(order) ? NOT_PAID : NOT_PAID_YET };
  }
  return order;
}

/** Whether two states of an order look the same to its buyer at any time; an additional look alone is not visible. */
export function isSameForBuyer(a: Order, b: Order): boolean {
  const shown = (order: Order) => [
    ...[order.userId, order.status, order.reason, order.transactionHash, order.sentAtMs],
    ...[order.payer, order.confirmedAtMs, wasLookedAtLast(order)],
  ];
  return JSON.stringify(shown(a)) === JSON.stringify(shown(b));
}

function wasLookedAtLast({ lookedAtMs, expiresAtMs }: Order): boolean {
  return (lookedAtMs ?? 0) >= expiresAtMs + LAST_LOOK_MS;
}

/** Whether to return this order instead of a new one: its payment is on its way, or it is open for the same wallet with time left to pay. */
export function isReusable(order: Order, walletAddress: string | null, nowMs: number): boolean {
  if (order.status === 'sent') return true;
  return (
    order.status === 'pending' && order.walletAddress === walletAddress && order.expiresAtMs - nowMs > REUSABLE_LEFT_MS
  );
}

/**
 * Marks a payment as on its way. A proven order does not change. An order with a refund keeps its status and is
 * checked soon. A decided signature is ignored: no look would end the wait for it.
 */
export function afterSent<O extends Order>(order: O, signature: string, nowMs: number): O | null {
  if (order.status === 'confirmed' || order.judged.includes(signature)) return null;
  if (order.status === 'refund') return { ...order, ...soon(nowMs) };
  if (order.status === 'sent' && order.transactionHash === signature) return null;
  return { ...order, status: 'sent', transactionHash: signature, sentAtMs: nowMs, reason: null, ...soon(nowMs) };
}

/** Marks a payment that is on the chain but not final. A payment already known to be on its way is kept. */
export function afterSeen<O extends Order>(order: O, signature: string, nowMs: number): O | null {
  return order.status === 'pending' ? afterSent(order, signature, nowMs) : null;
}

/** Marks the payment as proven; null when another payment was proven before. An order of an erased buyer stores neither payer nor payment. */
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

/** Marks a payment as refused: no money of it arrived. */
export function afterRefusal<O extends Order>(order: O, signature: string, why: PaymentRefusal): O {
  const judged = judgedWith(order, signature);
  if (order.status !== 'sent' || order.transactionHash !== signature) return { ...order, judged };
  return { ...unpaid(order, refusalText(why)), judged };
}

/** Marks money that arrived but cannot buy the badge and must be returned. A proven order stays proven. */
export function afterRefund<O extends Order>(order: O, signature: string, why: PaymentRefusal, payer: string): O {
  const judged = judgedWith(order, signature);
  if (order.status === 'confirmed') return { ...order, judged };
  return { ...order, status: 'refund', transactionHash: signature, payer, reason: returnText(why), judged };
}

/** Whether a sent payment can be given up if the chain does not have it: it would be there by now. */
export function isLost(order: Order, nowMs: number): boolean {
  return order.status === 'sent' && order.sentAtMs !== null && nowMs - order.sentAtMs >= LOST_AFTER_MS;
}

/** Marks a payment that never reached the chain: the order may be paid again. */
export function afterLoss<O extends Order>(order: O): O {
  return unpaid(order, LOST);
}

/** Gives up a payment that was never decided: the order may be paid again. Whether something was charged is unknown. */
export function afterDoubt<O extends Order>(order: O): O {
  return { ...unpaid(order, IN_DOUBT), lookedAtMs: null };
}

/**
 * Removes the buyer from an order. A payment that still arrives is returned. A proven order also loses its payer and
 * transaction: it is only watched for a second payment.
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
