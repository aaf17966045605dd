import * as rewardEndpoints from '@cord/contracts/addresses/rewards';
import { ApiError, type Sdk, type WritableStore } from '@cord/sdk';
import type { Account } from '../chain/chain';
import { isDeclined, mayBePaid, WalletFailure } from '../failures';
import type { Front } from '../front';
import {
  forgetPayment,
  forgetRequested,
  handIn,
  knownHere,
  type Payment,
  rememberLost,
  rememberPayment,
  rememberRequested,
} from '../hand-in';
import { checkOrder, isUnderway, type Order, takeOrder, userIdOf } from '../orders';
import type { Shown } from './desk';
import type { WalletDesk } from './wallet-desk';

export interface Purchase {
  /** Creates the order, pays it and submits the signature. Resolves when the payment is in progress, or has failed with a message at the button. */
  buy(): Promise<void>;
  /** The dialog was closed: an unpaid order stays for the next time. */
  closed(): void;
}

interface Parts {
  sdk: Sdk;
  front: Front;
  shown: WritableStore<Shown>;
  wallets: WalletDesk;
}

/** Web Lock held during a wallet request, so that two tabs of a browser never request the same payment. */
const LOCK = 'cord.purchase';
/** Waits between tries to submit a signature, ms; afterwards the server finds the payment by its reference. */
const SUBMIT_WAITS_MS = [0, 1_000, 3_000];

/** Buys the badge: first the order, then the transfer, then the proof by the server. */
export function createPurchase({ sdk, front: { purchase }, shown, wallets }: Parts): Purchase {
  let scanning = false;

  async function buy(): Promise<void> {
    if (purchase.view.get().state === 'processing') return;
    purchase.send({ kind: 'begun' });
    scanning = false;
    const userId = userIdOf(sdk);
    try {
      const open = await checkOrder(sdk);
      requireUser(userId);
      if (open && (isUnderway(open) || open.status === 'confirmed')) return showOrder(open);
      const payer = await wallets.payer();
      requireUser(userId);
      const order = await writeOrder(userId, payer.by === 'wallet' ? payer.account.address : null);
      requireUser(userId);
      if (order.status !== 'pending') return showOrder(order);
      if (payer.by === 'scan') return scan(order);
      await payAlone(userId, order, payer.account);
      requireUser(userId);
      purchase.send({ kind: 'ended' });
    } catch (error) {
      // The outcome must not be shown to another user who has signed in since.
      if (userIdOf(sdk) === userId) fail(error);
    }
  }

  /** @throws WalletFailure 'cancelled' if the buyer is no longer signed in */
  function requireUser(userId: string | undefined): void {
    if (userIdOf(sdk) !== userId) throw new WalletFailure({ kind: 'cancelled' }, '');
  }

  async function writeOrder(userId: string | undefined, walletAddress: string | null): Promise<Order> {
    const answer = await sdk.writes.send({
      name: ['badge-orders', 'create'],
      input: { walletAddress, pressed: crypto.randomUUID() },
      send: (api, idempotencyKey) => api.call(rewardEndpoints.createOrder, { body: { walletAddress }, idempotencyKey }),
    });
    takeOrder(sdk, userId, answer);
    return knownHere(answer, sdk.clock.now());
  }

  function showOrder({ id }: Order): void {
    purchase.send({ kind: 'ended' });
    shown.set({ at: 'order', orderId: id, approving: null });
  }

  function scan({ id }: Order): void {
    scanning = true;
    shown.set({ at: 'scan', orderId: id });
  }

  async function payAlone(userId: string | undefined, order: Order, account: Account): Promise<void> {
    const pay = () => payBy(userId, order, account);
    if (!('locks' in navigator)) return pay();
    return navigator.locks.request(LOCK, { ifAvailable: true }, (lock) => {
      if (lock === null) throw new WalletFailure({ kind: 'other-tab' }, account.wallet);
      return pay();
    });
  }

  async function payBy(userId: string | undefined, order: Order, account: Account): Promise<void> {
    shown.set({ at: 'order', orderId: order.id, approving: account.wallet });
    const payment: Payment = { orderId: order.id, signature: '', walletAddress: account.address };
    const signed = (signature: string) => {
      payment.signature = signature;
      rememberPayment(payment);
    };
    try {
      const chain = wallets.chain.get();
      if (chain === null) throw new WalletFailure({ kind: 'disconnected' }, account.wallet);
      signed(await chain.pay(order, account, signed, () => rememberRequested(order.id, sdk.clock.now())));
      forgetRequested(order.id);
    } catch (error) {
      // Signed, but it is unknown whether it was sent: check it, never pay again.
      const lost = payment.signature !== '' && isAway(error);
      if (!lost) {
        forgetPayment(order.id);
        forgetRequested(order.id);
        if (mayBePaid(error)) rememberLost(order.id, sdk.clock.now());
        throw isAway(error) ? new WalletFailure({ kind: 'network-away' }, account.wallet, error) : error;
      }
    }
    // If it was approved after a change of user, it stays stored: the payer's next visit submits it.
    requireUser(userId);
    shown.set({ at: 'order', orderId: order.id, approving: null });
    takeOrder(sdk, userId, await handInPatiently(userId, order, payment));
  }

  async function handInPatiently(userId: string | undefined, order: Order, payment: Payment): Promise<Order> {
    for (const waitMs of SUBMIT_WAITS_MS) {
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      requireUser(userId);
      try {
        return await handIn(sdk, order, payment);
      } catch (error) {
        if (!isAway(error)) throw error;
      }
    }
    return order;
  }

  function fail(error: unknown): void {
    const kind = error instanceof WalletFailure ? error.problem.kind : null;
    const explained = kind === 'not-found' || kind === 'incompatible';
    if (!explained && kind !== 'cancelled') shown.set({ at: 'nothing' });
    if (kind === 'cancelled' || explained) purchase.send({ kind: 'ended' });
    else if (isDeclined(error)) purchase.send({ kind: 'declined', failure: error });
    else purchase.send({ kind: 'failed', failure: error });
  }

  return {
    buy,
    closed() {
      if (scanning) purchase.send({ kind: 'ended' });
      scanning = false;
    },
  };
}

/** Whether there was no response, so that the same call may succeed later. */
function isAway(error: unknown): boolean {
  return error instanceof ApiError && error.retryable;
}
