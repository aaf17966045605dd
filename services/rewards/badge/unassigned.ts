import { conflict, notFound, refused } from '@cord/kit/problem';
import { NetworkAway, networkUnavailable, Unreadable, type WalletNetwork } from '../chain/wallet-network.js';
import { BEHIND_MS_MAX, type ChainTransaction, judgeUnassigned, type Paid } from '../domain/payment.js';
import { whyRefused } from '../domain/reasons.js';
import type { OrderStore, StoredOrder } from './order-store.js';
import type { Payments } from './payments.js';
import type { UsedSignatures } from './signatures.js';

/** A payment that names no order, with the order of its buyer that it came for. */
export interface Unassigned {
  order: StoredOrder;
  transaction: ChainTransaction;
  paid: Paid;
}

export type UnassignedPayments = ReturnType<typeof createUnassignedPayments>;

/**
 * Payments that name no order: an exchange sends them, or a wallet that drops the reference of a code. No look finds them; an operator records one
 * for the account that reports it. It goes back to the wallet that it came from, whoever reports it.
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
     * Judges it, and takes its signature for the newest order that the account had made when it came; repeatable.
     * @throws Problem 404 not on the chain, not final, or no such order; 409 it names an order; 422 nothing goes back, or it is another order's; 503 the network is away
     */
    async take(userId: string, signature: string): Promise<Unassigned> {
      const transaction = await finalOf(signature);
      const { blockTimeMs, transfers } = transaction;
      if (blockTimeMs === null) throw notFinal();
      if (await orders.isNamed(transfers.flatMap(({ keys }) => keys)))
        throw conflict('payment-of-order', 'This payment names an order: it is found without an operator');
      const [order] = await orders.within(userId, { fromMs: 0, belowMs: blockTimeMs + BEHIND_MS_MAX }, 1);
      if (!order) throw notFound('payment-without-order', 'The account had no order when this payment came');
      const verdict = judgeUnassigned(order.treasury, transaction);
      if (verdict.kind === 'refused') throw refused(verdict.reason, whyRefused(verdict.reason));
      const { first } = await signatures.claim(signature, order);
      if (!first) throw refused('signature-used', whyRefused('signature-used'));
      return { order, transaction, paid: verdict.paid };
    },

    /** Records it to be returned; the same one again changes nothing. @throws Problem 404 when the order is gone with its account */
    record: async ({ order, transaction, paid }: Unassigned): Promise<void> =>
      void (await payments.giveBack(order, transaction, 'wrong-reference', paid)),
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

const notFinal = () =>
  notFound('payment-not-final', 'There is no such transaction on the chain, or it is not final yet');
