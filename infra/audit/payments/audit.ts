import type { StoredOrder } from '../../../services/rewards/badge/order-store.js';
import type { Refund } from '../../../services/rewards/badge/refunds.js';
import type { HolderDocument } from '../../../services/rewards/store.js';
import { Found, type Judgement, type OnFinding, report } from '../findings.js';
import { auditEach, type Checked, type Patience } from '../patience.js';
import type { Chain } from './chain.js';
import type { PaymentSource } from './source.js';

/** User id of orders and refunds whose account was erased (services/rewards). */
const ERASED = 'erased';

/** The result of the audit of payments. */
export interface PaymentsAudited {
  orders: number;
  refunds: number;
  notices: number;
  /** Number of transactions read on the chain; null without an address. */
  transactions: number | null;
  /** Number of those that its node no longer keeps. */
  notKept: number;
  findings: number;
  behind: number;
  driftMicro: bigint;
}

/**
 * Audits orders, badges, refunds and notices of payment against each other, and against the chain if available.
 * @param chain null without an address
 * @throws Error when the chain does not respond, or a document is of a newer release
 */
export async function auditPayments(
  source: PaymentSource,
  chain: Chain | null,
  judgement: Judgement,
  onFinding: OnFinding,
  patience: Patience,
): Promise<PaymentsAudited> {
  const sum = { orders: 0, refunds: 0, notices: 0, findings: 0, behind: 0, driftMicro: 0n };
  /** @param again reads the current object; null once it is gone */
  const checked = async <D>(
    thing: D,
    of: string,
    check: (thing: D, found: Found) => Promise<void>,
    again: () => Promise<D | null>,
  ): Promise<Checked> => {
    const foundOf = async (thing: D | null) => {
      const found = new Found(of, judgement);
      if (thing !== null) await check(thing, found);
      return found;
    };
    return { found: await foundOf(thing), again: async () => foundOf(await again()) };
  };

  const taken = new Set<string>();
  for await (const orderId of source.takenFor()) taken.add(orderId);
  const paidBy = new Map<string, string>();
  const checkOrder = async (order: StoredOrder, found: Found) => {
    await orderAgainstBooks(source, order, found);
    // The signature may have been claimed since the list was read.
    if (order.status === 'confirmed' && !taken.has(order._id))
      for await (const orderId of source.takenFor()) taken.add(orderId);
    if (order.status !== 'confirmed' || order.transactionHash === null) return;
    const other = paidBy.get(order.transactionHash) ?? order._id;
    if (other !== order._id) found.wrong(`its transaction also paid order ${other}`);
    paidBy.set(order.transactionHash, order._id);
    if (!taken.has(order._id)) found.wrong('its transaction is not marked as used');
    await chain?.checkOrder(order, found);
  };
  const checkRefund = async (refund: Refund, found: Found) => {
    await refundAgainstBooks(source, refund, found);
    await chain?.checkRefund(refund, found);
  };
  const things = async function* (): AsyncGenerator<Checked> {
    for await (const order of source.orders()) {
      sum.orders += 1;
      chain?.knows(order.treasury);
      yield checked(order, `order ${order._id}`, checkOrder, () => source.order(order._id));
    }
    for await (const refund of source.refunds()) {
      sum.refunds += 1;
      chain?.expect(refund);
      yield checked(refund, `refund ${refund._id}`, checkRefund, () => source.refund(refund._id));
    }
    for await (const holder of source.holders()) {
      const check = (one: HolderDocument, found: Found) => badgeAgainstOrder(source, one, found);
      yield checked(holder, `badge of ${holder._id}`, check, () => source.holder(holder._id));
    }
    for await (const notice of source.notices()) {
      sum.notices += 1;
      const check = ({ facts }: typeof notice, found: Found) => noticeAgainstBooks(source, facts, found);
      yield checked(notice, `notice ${notice._id} of ${notice.userId}`, check, async () => notice);
    }
  };
  await auditEach(things(), patience, sum, onFinding);
  await chain?.checkReturns((of, what) => {
    const found = new Found(of, judgement);
    found.wrong(what);
    report(found, sum, onFinding);
  });
  return { ...sum, transactions: chain?.transactions ?? null, notKept: chain?.notKept ?? 0 };
}

async function orderAgainstBooks(source: PaymentSource, order: StoredOrder, found: Found): Promise<void> {
  const { _id, userId, status, transactionHash, payer, confirmedAtMs } = order;
  if (status === 'confirmed') {
    if (userId !== ERASED && (transactionHash === null || payer === null || confirmedAtMs === null))
      found.wrong('it is confirmed without transaction, payer or time');
    const holder = userId === ERASED ? null : await source.holder(userId);
    if (userId !== ERASED && !holder?.erased && holder?.badge?.orderId !== _id)
      found.wrong(
        `it is confirmed, but its buyer has ${holder?.badge ? `the badge of order ${holder.badge.orderId}` : 'no badge'}`,
      );
  }
  if (status === 'refund' && userId !== ERASED && transactionHash !== null && !(await source.refundOf(transactionHash)))
    found.wrong('its payment must be returned, but has no refund');
}

async function badgeAgainstOrder(source: PaymentSource, { _id, badge }: HolderDocument, found: Found): Promise<void> {
  if (!badge) return;
  const order = await source.order(badge.orderId);
  if (!order || order.userId !== _id) found.wrong(`order ${badge.orderId} of this user does not exist`);
  else if (order.status !== 'confirmed') found.late(`order ${badge.orderId} is ${order.status}`, badge.purchasedAtMs);
  else if (badge.transaction !== undefined && badge.transaction !== order.transactionHash)
    found.wrong(`it was paid with ${badge.transaction}, its order with ${order.transactionHash}`);
}

async function refundAgainstBooks(source: PaymentSource, refund: Refund, found: Found): Promise<void> {
  const { orderId, userId, lamports, status, returnTransaction, returnedAtMs, provenAtMs } = refund;
  if (!(lamports > 0)) found.wrong(`it is of ${lamports} lamports`);
  const isReturned = status !== 'open';
  if (isReturned && (returnTransaction === null || returnedAtMs === null))
    found.wrong(`it is ${status} without transaction or time`);
  if (!isReturned && provenAtMs !== undefined) found.wrong('it is open and proven');
  // An erased user's order is deleted once it is no longer watched.
  if (userId !== ERASED && !(await source.order(orderId))) found.wrong(`its order ${orderId} does not exist`);
}

async function noticeAgainstBooks(source: PaymentSource, facts: Record<string, unknown>, found: Found): Promise<void> {
  const { orderId, transaction, refundId } = facts as { orderId?: string; transaction?: string; refundId?: string };
  if (orderId !== undefined) {
    const order = await source.order(orderId);
    if (!order) found.wrong(`it names order ${orderId}, which does not exist`);
    else if (order.status !== 'confirmed')
      found.late(`it names order ${orderId}, which is ${order.status}`, order.createdAtMs);
    else if (transaction !== undefined && order.transactionHash !== transaction)
      found.wrong(`it names ${transaction}, but order ${orderId} was paid with ${order.transactionHash}`);
  }
  if (refundId === undefined) return;
  const refund = await source.refund(refundId);
  if (!refund) found.wrong(`it names refund ${refundId}, which does not exist`);
  else if (refund.provenAtMs === undefined) found.wrong(`it names refund ${refundId}, which is not proven`);
}
