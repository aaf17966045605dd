import type { PaymentRefusal } from '@cord/contracts/http/rewards';
import { conflict, notFound, refused } from '@cord/kit/problem';
import { NetworkAway, networkUnavailable, Unreadable, type WalletNetwork } from '../chain/wallet-network.js';
import { BEHIND_MS_MAX, type ChainTransaction, judge, judgeUnassigned, type Owed } from '../domain/payment.js';
import { refusalText } from '../domain/reasons.js';
import type { OrderStore, StoredOrder } from './order-store.js';
import type { Payments } from './payments.js';
import type { UsedSignatures } from './signatures.js';

/** A payment that the automatic lookup does not find, with the buyer's order and the reason of the return. */
export interface Unassigned {
  order: StoredOrder;
  transaction: ChainTransaction;
  reason: PaymentRefusal;
  paid: Owed;
}

export type UnassignedPayments = ReturnType<typeof createUnassignedPayments>;

/**
 * Handles payments that the automatic lookup does not find: those that name no order, e.g. from an exchange or from a wallet that drops a code's reference,
 * and those for an order no longer watched. An operator records one for the account that reports it. It is returned to the paying wallet, whoever reports it.
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
     * Judges the payment and claims its signature for an order of the account: the one it pays for, else the account's newest order at that time; repeatable.
     * @throws Problem 404 not on the chain, not final, or no such order; 409 it is found automatically or gives the badge; 422 nothing to return, or used for
     *   another order; 503 the network is away
     */
    async take(userId: string, signature: string): Promise<Unassigned> {
      const transaction = await finalOf(signature);
      const { blockTimeMs, transfers } = transaction;
      if (blockTimeMs === null) throw notFinal();
      const named = await orders.named(transfers.flatMap(({ keys }) => keys));
      // For any other order it transfers nothing to the treasury.
      const paid = named.filter((order) => judge(order, transaction).kind !== 'refused');
      if (paid.some(({ lookAtMs }) => lookAtMs !== null)) throw ofOrder();
      const madeBefore = { fromMs: 0, belowMs: blockTimeMs + BEHIND_MS_MAX };
      const own = paid.length > 0 ? paid : await orders.within(userId, madeBefore, 1);
      const order = own.find((one) => one.userId === userId);
      if (!order) throw notFound('payment-without-order', 'The account had no order when this payment came');
      const verdict = paid.length > 0 ? judge(order, transaction) : judgeUnassigned(order.treasury, transaction);
      if (verdict.kind === 'refused') throw refused(verdict.reason, refusalText(verdict.reason));
      if (verdict.kind !== 'owed') throw ofOrder();
      const { first } = await signatures.claim(signature, order);
      if (!first) throw refused('signature-used', refusalText('signature-used'));
      return { order, transaction, reason: verdict.reason, paid: verdict.paid };
    },

    /** Records the payment for return; repeating it changes nothing. @throws Problem 404 when the order was deleted with its account */
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
