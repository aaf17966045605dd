import { PAYMENT_REFUSALS, type PaymentRefusal } from '@cord/contracts/http/rewards';
import { currentCause, runWithCause } from '@cord/kit/cause';
import type { Clock } from '@cord/kit/clock';
import type { Log } from '@cord/kit/log';
import type { Outbox } from '@cord/kit/outbox';
import type { Step } from '@cord/kit/versioned';
import { NetworkAway, Unreadable, type WalletNetwork } from '../chain/wallet-network.js';
import { LOOK_ON_MS, nextLookAtMs } from '../domain/look-schedule.js';
import {
  afterDoubt,
  afterLoss,
  afterProof,
  afterRefund,
  afterRefusal,
  afterSeen,
  afterSent,
  ERASED,
  isLost,
} from '../domain/orders.js';
import { type ChainTransaction, judge, type Owed, type Paid, type Verdict, withoutEarlier } from '../domain/payment.js';
import { IN_DOUBT } from '../domain/reasons.js';
import { afterPurchase, type HolderDocument, type RewardsStore } from '../store.js';
import type { OrderStore, StoredOrder } from './order-store.js';
import { nextStep, nothingFound, WALK_BOUNDS, WALK_START, type WalkBounds, type WalkStep } from './reference-walk.js';
import type { Refunds } from './refunds.js';
import type { UsedSignatures } from './signatures.js';

/** Outcomes of a payment: proven, not decided yet, or refused for good. */
export const OUTCOMES = ['confirmed', 'verifying', ...PAYMENT_REFUSALS] as const;
export type Outcome = (typeof OUTCOMES)[number];

type Decided = Exclude<Verdict, { kind: 'not-yet' }>;
type Given = 'given' | 'paid-twice' | 'badge-owned' | 'account-erased';

export type Payments = ReturnType<typeof createPayments>;

/**
 * Turns a transaction into a badge in repeatable steps: claim the signature -> give the badge -> mark the order. After a
 * crash between two steps the order is undecided, and the next look continues: one payment gives the badge exactly once.
 */
export function createPayments(parts: {
  orders: OrderStore;
  signatures: UsedSignatures;
  refunds: Refunds;
  network: WalletNetwork;
  holders: RewardsStore['holders'];
  outbox: Outbox;
  clock: Clock;
  log: Log;
  onDecided: (outcome: Outcome) => void;
  bounds?: WalkBounds;
}) {
  const { orders, signatures, refunds, network, holders, outbox, clock, log, onDecided, bounds = WALK_BOUNDS } = parts;
  return {
    /** Judges a signature that the buyer hands in. No other data from the client is used. */
    async submit(order: StoredOrder, signature: string) {
      if (order.status === 'confirmed' && order.transactionHash === signature) return 'confirmed';
      const beganMs = clock.now();
      const sighting = await network.sighting(signature).catch((err: unknown) => {
        if (!(err instanceof NetworkAway || err instanceof Unreadable)) throw err;
        log.warn({ err, orderId: order._id }, 'a submitted payment could not be looked up on the wallet network');
        return null;
      });
      if (sighting?.kind === 'final') return decide(order, sighting.transaction, beganMs);
      await markSent(order, signature, beganMs);
      return 'verifying';
    },

    /** Looks up an order's payments on the chain and decides those that can be decided. @throws NetworkAway */
    look: (order: StoredOrder) => runWithCause(order.cause ?? currentCause(), () => lookAt(order)),

    giveBack,
  };

  async function lookAt(order: StoredOrder): Promise<void> {
    // The start of the look: a transaction that lands during the lookup may be missed.
    const beganMs = clock.now();
    const submitted = order.status === 'sent' && order.transactionHash ? [order.transactionHash] : [];
    const { walk: before = WALK_START } = order;
    const open = new Set<string>();
    const undecided: string[] = [];
    let start = before;
    for (const signature of new Set([...before.undecided, ...submitted])) {
      const state = await stateOf(order, signature);
      if (state === 'decided') continue;
      // It was dropped by a fork or never sent. If it lands later, the walk from the beginning finds it.
      if (state === 'unseen' && order.status !== 'sent') {
        start = WALK_START;
        continue;
      }
      open.add(signature);
      // An unreadable payment that is given up is remembered while there is room: if it names the reference, the walk lists it, too.
      const isKept = state === 'unreadable' && isLost(order, beganMs) && undecided.length < bounds.judged;
      if (isKept || before.undecided.includes(signature)) undecided.push(signature);
    }
    const walk = { ...start, undecided };
    const step = await nextStep(network, order.reference, walk, bounds).catch((err: unknown) => {
      if (!(err instanceof Unreadable)) throw err;
      log.warn({ err, orderId: order._id }, 'the list of transactions of an order cannot be read');
      return nothingFound(walk, false);
    });
    for (const signature of step.found) {
      const state = open.has(signature) ? 'open' : await stateOf(order, signature);
      // Listed but not found: another node responded. The walk waits here.
      if (state === 'unseen') break;
      step.passed(signature, state !== 'decided');
    }
    await markLooked(order, beganMs, step);
  }

  /** Returns the state of a transaction. An unreadable one must not block the others: anybody may name a reference. @throws NetworkAway */
  async function stateOf(order: StoredOrder, signature: string): Promise<'decided' | 'open' | 'unreadable' | 'unseen'> {
    if (order.judged.includes(signature)) return 'decided';
    const beganMs = clock.now();
    const sighting = await network.sighting(signature).catch((err: unknown) => {
      if (!(err instanceof Unreadable)) throw err;
      log.warn({ err, orderId: order._id }, 'a transaction of an order cannot be read');
      return null;
    });
    if (sighting?.kind === 'final')
      return (await decide(order, sighting.transaction, beganMs)) === 'verifying' ? 'open' : 'decided';
    if (sighting?.kind === 'seen') {
      await markSeen(order, signature, beganMs);
      return 'open';
    }
    await giveUpIfLost(order, signature, beganMs, sighting ? afterLoss : afterDoubt);
    return sighting ? 'unseen' : 'unreadable';
  }

  /**
   * Decides a finalised transaction.
   * @param beganMs start of the network request, ms since epoch: time that passes during it must not delay the next look
   */
  async function decide(order: StoredOrder, transaction: ChainTransaction, beganMs: number): Promise<Outcome> {
    const { signature } = transaction;
    const verdict = judge(order, transaction);
    if (verdict.kind === 'not-yet') {
      await markSent(order, signature, beganMs);
      return 'verifying';
    }
    const outcome = await settle(order, transaction, verdict);
    onDecided(outcome);
    log.info({ orderId: order._id, outcome }, 'a payment was decided');
    return outcome;
  }

  /** Settles a decided transaction. It claims the signature first, so that the money belongs to this order only. */
  async function settle(order: StoredOrder, transaction: ChainTransaction, verdict: Decided): Promise<Outcome> {
    const { signature } = transaction;
    if (verdict.kind === 'refused') return refuse(order, signature, verdict.reason);
    const claim = await signatures.claim(signature, order);
    if (!claim.first) return settleBeside(order, transaction, claim.isEarlier);
    if (verdict.kind === 'owed') return giveBack(order, transaction, verdict.reason, verdict.paid);
    return grant(order, transaction, verdict.paid);
  }

  /**
   * Settles a transaction that paid another order. A separate transfer for this order arrived as well and is owed; a
   * transfer that names both belongs to the earlier order.
   */
  async function settleBeside(
    order: StoredOrder,
    transaction: ChainTransaction,
    isEarlier: (key: string) => boolean,
  ): Promise<Outcome> {
    const { signature } = transaction;
    const own = judge(order, withoutEarlier(order, transaction, isEarlier));
    if (own.kind !== 'confirmed' && own.kind !== 'owed') return refuse(order, signature, 'signature-used');
    const paid: Owed = own.kind === 'confirmed' ? [own.paid] : own.paid;
    return giveBack(order, transaction, 'signature-used', paid, [order._id]);
  }

  /** Gives the badge first and then marks the order: an order is never confirmed without its badge. */
  async function grant(order: StoredOrder, transaction: ChainTransaction, paid: Paid): Promise<Outcome> {
    const { signature } = transaction;
    const given = await giveBadge(order, signature);
    if (given !== 'given') return giveBack(order, transaction, given, [paid]);
    const proven = await orders.change(order._id, (now) => {
      const doc = afterProof(now, signature, paid.payer, clock.now());
      return { doc: doc === now ? null : doc, result: doc !== null };
    });
    return proven ? 'confirmed' : giveBack(order, transaction, 'paid-twice', [paid]);
  }

  async function giveBadge({ _id, userId }: StoredOrder, transaction: string): Promise<Given> {
    if (userId === ERASED) return 'account-erased';
    const give = (holder: HolderDocument): Step<HolderDocument, Given> => {
      if (holder.erased) return { doc: null, result: 'account-erased' };
      if (holder.badge) return { doc: null, result: givenBefore(holder.badge, _id, transaction) };
      return { doc: afterPurchase(holder, { orderId: _id, transaction }, clock.now()), result: 'given' };
    };
    const result = await holders.change(userId, give);
    void outbox.relayNow(userId);
    return result;
  }

  /**
   * Records the refunds first and then marks the order: each order marked as refunded is in the list.
   * @param beside the order's id, when the transaction paid another order
   */
  async function giveBack(
    order: StoredOrder,
    { signature, blockTimeMs: paidAtMs }: ChainTransaction,
    reason: PaymentRefusal,
    paid: Owed,
    beside: readonly string[] = [],
  ): Promise<Outcome> {
    const { _id: orderId, userId, treasury } = order;
    const atMs = clock.now();
    const found = { orderId, userId, signature, treasury, reason, atMs, ...(paidAtMs === null ? {} : { paidAtMs }) };
    for (const [n, { payer, lamports }] of paid.entries()) {
      const part = n === 0 ? beside : [...beside, payer];
      await refunds.record({ ...found, payer, lamports: Number(lamports), part });
    }
    // The account may have been deleted since the order was read: its erasure does not see refunds recorded afterwards.
    if (userId !== ERASED && (await holders.get(userId))?.erased) await refunds.withoutUser(userId);
    await orders.update(orderId, (now) => afterRefund(now, signature, reason, paid[0].payer));
    return reason;
  }

  async function refuse(order: StoredOrder, signature: string, reason: PaymentRefusal): Promise<Outcome> {
    await orders.update(order._id, (now) => afterRefusal(now, signature, reason));
    return reason;
  }

  async function markSent(order: StoredOrder, signature: string, beganMs: number): Promise<void> {
    const cause = currentCause();
    await orders.update(order._id, (now) => {
      const sent = afterSent(now, signature, beganMs);
      return sent && cause ? { ...sent, cause } : sent;
    });
  }

  async function markSeen(order: StoredOrder, signature: string, beganMs: number): Promise<void> {
    await orders.update(order._id, (now) => afterSeen(now, signature, beganMs));
  }

  /**
   * @param beganMs start of the network request, ms since epoch: its response lacks later transactions
   * @param given returns the order without the sent payment
   */
  async function giveUpIfLost(
    order: StoredOrder,
    signature: string,
    beganMs: number,
    given: (order: StoredOrder) => StoredOrder,
  ): Promise<void> {
    await orders.update(order._id, (now) =>
      now.transactionHash === signature && isLost(now, beganMs) ? given(now) : null,
    );
  }

  /**
   * Stores the progress of a look. Transactions that one look could not process are processed soon, even after the watch; undecided ones only while the watch lasts.
   * @param beganMs start of the look, ms since epoch
   */
  async function markLooked(order: StoredOrder, beganMs: number, step: WalkStep): Promise<void> {
    const lookAtMs = await orders.change(order._id, (now) => {
      // Set only when everything is judged: before that, no buyer reads that nothing was charged.
      const lookedAtMs = step.isAllJudged() ? beganMs : now.lookedAtMs;
      const reason = step.isAllJudged() && now.reason === IN_DOUBT ? null : now.reason;
      const looked = { ...now, walk: step.walk(), lookedAtMs, reason };
      const next = step.more() ? beganMs + LOOK_ON_MS : nextLookAtMs(looked, beganMs);
      const doc = { ...looked, looks: now.looks + 1, lookAtMs: next };
      // An order without further looks does not wait for a payment either: its buyer may order again.
      return { doc: next === null && doc.status === 'sent' ? afterDoubt(doc) : doc, result: next };
    });
    if (lookAtMs === null) await orders.removeErased(order._id);
  }
}

/** Compares with the payment stored in the badge: a further payment of the same order is returned, even before the order is marked. */
function givenBefore({ orderId, transaction }: NonNullable<HolderDocument['badge']>, id: string, by: string): Given {
  if (orderId !== id) return 'badge-owned';
  return transaction === by ? 'given' : 'paid-twice';
}
