import type { KeptFrom } from '@cord/contracts/proof/memos';
import type { StoredOrder } from '../../../services/rewards/badge/order-store.js';
import type { Refund } from '../../../services/rewards/badge/refunds.js';
import type { Sighting } from '../../../services/rewards/chain/wallet-network.js';
import type { ChainTransaction } from '../../../services/rewards/domain/payment.js';
import type { Found } from '../findings.js';

export type PaymentRules = typeof import('../../../services/rewards/domain/payment.js');

/** Rewards' own functions for reading and judging transactions. */
export interface ChainRules extends Pick<PaymentRules, 'judge' | 'returnsPayment'> {
  sighting(signature: string): Promise<Sighting>;
  /** Returns from when on the node has transactions. */
  keptFrom(): Promise<KeptFrom>;
}

/** Checks orders and refunds against the chain: what the treasury received for each, and what was returned. */
export class Chain {
  /** Number of transactions read. */
  transactions = 0;
  /** Number of those older than what the node keeps: nothing is known of these. */
  notKept = 0;
  #keptFromMs = 0;
  /** The amount that each returning transaction must bring, and to whom. */
  readonly #returns = new Map<string, { payer: string; lamports: bigint; refundIds: string[]; atMs: number }>();

  /** Uses of a wallet's transfers to a treasury in a transaction: lamports by paid order and by refund. */
  readonly #uses = new Map<string, Map<string, number>>();
  /** The treasuries of orders, which return payments. */
  readonly #treasuries = new Set<string>();

  constructor(readonly rules: ChainRules) {}

  /** Stores the treasury of an order. */
  knows(treasury: string): void {
    this.#treasuries.add(treasury);
  }

  /** Checks the payment of a confirmed order: it must be final on the chain, go to its treasury, reach its price, and name it. */
  async checkOrder(order: StoredOrder, found: Found): Promise<void> {
    const transaction = await this.#final(order.transactionHash ?? '');
    if (!transaction) {
      if (await this.#isNotKept(order.createdAtMs)) return;
      found.wrong(`the chain has no transaction ${order.transactionHash}`);
      return;
    }
    const verdict = this.rules.judge(order, transaction);
    if (verdict.kind !== 'confirmed')
      found.wrong(`the chain's verdict on its payment: ${verdict.kind === 'not-yet' ? verdict.kind : verdict.reason}`);
    else if (verdict.paid.payer !== order.payer)
      found.wrong(`${verdict.paid.payer} paid, the order names ${order.payer}`);
    else this.#use({ ...order, payer: order.payer, signature: order.transactionHash ?? '' }, transaction, found);
  }

  /** Checks a refund: its amount must have arrived at the treasury, from the payer who gets it back. */
  async checkRefund(refund: Refund, found: Found): Promise<void> {
    const { signature, payer, treasury, lamports, atMs, paidAtMs = atMs } = refund;
    const transaction = await this.#final(signature);
    if (!transaction && (await this.#isNotKept(paidAtMs))) return;
    if (!transaction?.succeeded) {
      found.wrong(`the chain has no payment ${signature}`);
      return;
    }
    const { changes, signers, transfers } = transaction;
    const arrived = changes.get(treasury) ?? 0n;
    if (arrived < BigInt(lamports)) found.wrong(`${lamports} lamports are owed, ${arrived} arrived`);
    if (!signers.includes(payer) && !transfers.some(({ from }) => from === payer))
      found.wrong(`it goes back to ${payer}, who neither signed nor sent ${signature}`);
    this.#use(refund, transaction, found);
  }

  /** Checks that no lamport both pays an order and is returned, or is returned twice or to another wallet. */
  #use(
    {
      _id,
      signature,
      payer,
      treasury,
      lamports,
    }: Pick<Refund, '_id' | 'signature' | 'payer' | 'treasury' | 'lamports'>,
    { transfers }: ChainTransaction,
    found: Found,
  ): void {
    const key = `${signature} ${payer} ${treasury}`;
    const uses = (this.#uses.get(key) ?? new Map<string, number>()).set(_id, lamports);
    this.#uses.set(key, uses);
    const used = [...uses.values()].reduce((sum, each) => sum + BigInt(each), 0n);
    const own = transfers.filter(({ from, to }) => from === payer && to === treasury);
    const sent = own.reduce((sum, each) => sum + each.lamports, 0n);
    if (used > sent) found.wrong(`${used} lamports of ${signature} are for ${payer}, who sent ${sent}`);
  }

  /** Stores the amounts that proven refunds returned. */
  expect({ _id, returnTransaction, provenAtMs, payer, treasury, lamports, atMs, paidAtMs = atMs }: Refund): void {
    this.knows(treasury);
    if (returnTransaction === null || provenAtMs === undefined) return;
    const key = `${returnTransaction} ${payer}`;
    const known = this.#returns.get(key) ?? { payer, lamports: 0n, refundIds: [], atMs: paidAtMs };
    this.#returns.set(key, {
      payer,
      lamports: known.lamports + BigInt(lamports),
      refundIds: [...known.refundIds, _id],
      atMs: Math.min(known.atMs, paidAtMs),
    });
  }

  /** Checks that each proven returning transaction brings back everything it was noted for. */
  async checkReturns(wrong: (of: string, what: string) => void): Promise<void> {
    const treasuries = [...this.#treasuries];
    for (const [key, { payer, lamports, refundIds, atMs }] of this.#returns) {
      const [signature = ''] = key.split(' ');
      const transaction = await this.#final(signature);
      if (!transaction && (await this.#isNotKept(atMs))) continue;
      if (!transaction || !this.rules.returnsPayment(transaction, payer, lamports, treasuries))
        wrong(`refund ${refundIds.join(', ')}`, `${signature} does not bring ${lamports} lamports back to ${payer}`);
    }
  }

  /** Whether a missing transaction may be older than what the node keeps. @param sinceMs earliest time of the transaction, ms */
  async #isNotKept(sinceMs: number): Promise<boolean> {
    if (sinceMs >= this.#keptFromMs) this.#keptFromMs = (await this.rules.keptFrom()).atMs;
    if (sinceMs >= this.#keptFromMs) return false;
    this.notKept += 1;
    return true;
  }

  async #final(signature: string): Promise<ChainTransaction | null> {
    this.transactions += 1;
    const sighting = await this.rules.sighting(signature);
    return sighting.kind === 'final' ? sighting.transaction : null;
  }
}
