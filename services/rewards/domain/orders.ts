/** How long an order may be paid, ms. */
export const ORDER_MS = 900_000;

export type OrderStatus = 'pending' | 'sent' | 'confirmed' | 'unknown' | 'expired' | 'refund';

/** An order of the Badge of Honor: what must be paid, frozen when it is written (decisions, Badge). */
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
  status: OrderStatus;
  transactionHash: string | null;
  reason: string | null;
}

/** The order as it stands at a time: one that nobody has paid in time has expired. */
export function orderAt(order: Order, nowMs: number): Order {
  if (order.status !== 'pending' || nowMs < order.expiresAtMs) return order;
  return { ...order, status: 'expired', reason: 'It was not paid in time. Nothing was charged.' };
}

/** Whether an order can be used again instead of a new one: the same wallet, still open. */
export function isReusable(order: Order, walletAddress: string | null, nowMs: number): boolean {
  return orderAt(order, nowMs).status === 'pending' && order.walletAddress === walletAddress;
}
