import type { PaymentRefusal } from '@cord/contracts/http/rewards';
import { conflict, notFound, refused } from '@cord/kit/problem';
import { NetworkAway, networkUnavailable, Unreadable, type WalletNetwork } from '../chain/wallet-network.js';
import { BEHIND_MS_MAX, type ChainTransaction, judge, judgeUnassigned, type Owed } from '../domain/payment.js';
import { whyRefused } from '../domain/reasons.js';
import type { OrderStore, StoredOrder } from './order-store.js';
import type { Payments } from './payments.js';
import type { UsedSignatures } from './signatures.js';

/** A payment that no look finds, with the order of its buyer that it came for, and why it goes back. */
export interface Unassigned {
  order: StoredOrder;
  transaction: ChainTransaction;
  reason: PaymentRefusal;
  paid: Owed;
}

export type UnassignedPayments = ReturnType<typeof createUnassignedPayments>;

/**
 * Payments that no look finds: one that names no order, as an exchange sends it or a wallet that drops the reference of a code, and one of an order
 * that is not looked at any more. An operator records it for the account that reports it. It goes back to the wallet that it came from, whoever reports it.
 */
export function createUnassignedPayments(parts: {
  orders: OrderStore;
  signatures: UsedSignatures;
  network: WalletNetwork;
  payments: Pick<Payments, 'giveBack'>;
}) {
  const { orders, signatures, network, payments } = parts;
  return {
    /**
     * Judges it, and takes its signature for the account's order: the one that it brings something for, else the newest that the account had made when it
     * came; repeatable.
     * @throws Problem 404 not on the chain, not final, or no such order; 409 it is found without an operator, or gives the badge; 422 nothing goes back, or it is another order's; 503 the network is away
     */
    async take(userId: string, signature: string): Promise<Unassigned> {
      const transaction = await finalOf(signature);
      const { blockTimeMs, transfers } = transaction;
      if (blockTimeMs === null) throw notFinal();
      const named = await orders.named(transfers.flatMap(({ keys }) => keys));
      // By another one it brings nothing to a treasury.
      const paid = named.filter((order) => judge(order, transaction).kind !== 'refused');
      if (paid.some(({ lookAtMs }) => lookAtMs !== null)) throw ofOrder();
      const madeBefore = { fromMs: 0, belowMs: blockTimeMs + BEHIND_MS_MAX };
      const own = paid.length > 0 ? paid : await orders.within(userId, madeBefore, 1);
      const order = own.find((one) => one.userId === userId);
      if (!order) throw notFound('payment-without-order', 'The account had no order when this payment came');
      const verdict = paid.length > 0 ? judge(order, transaction) : judgeUnassigned(order.treasury, transaction);
      if (verdict.kind === 'refused') throw refused(verdict.reason, whyRefused(verdict.reason));
      if (verdict.kind !== 'owed') throw ofOrder();
      const { first } = await signatures.claim(signature, order);
      if (!first) throw refused('signature-used', whyRefused('signature-used'));
      return { order, transaction, reason: verdict.reason, paid: verdict.paid };
    },

    /** Records it to be returned; the same one again changes nothing. @throws Problem 404 when the order is gone with its account */
    record: async ({ order, transaction, reason, paid }: Unassigned): Promise<void> =>
      void (await payments.giveBack(order, transaction, reason, paid)),
  };

  async function finalOf(signature: string): Promise<ChainTransaction> {
    const sighting = await network.sighting(signature).catch((err: unknown) => {
      if (!(err instanceof NetworkAway || err instanceof Unreadable)) throw err;
      throw networkUnavailable();
    });
    if (sighting.kind !== 'final') throw notFinal();
    return sighting.transaction;
  }
}

const ofOrder = () => conflict('payment-of-order', 'This payment names an order: it is found without an operator');

const notFinal = () =>
  notFound('payment-not-final', 'There is no such transaction on the chain, or it is not final yet');
