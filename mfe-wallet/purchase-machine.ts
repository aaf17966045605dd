import { PURCHASE_RESET_MS } from '@cord/contracts/rules/timings';
import { createStore, type Store } from '@cord/sdk';

export type PurchaseState = 'idle' | 'processing' | 'success' | 'error';

/** The state that every purchase button shows. */
export interface PurchaseView {
  state: PurchaseState;
  /** The error of the last try, or its refusal in the wallet; kept until the next try. */
  failure: unknown;
}

/** Events of a purchase on this page. */
export type PurchaseEvent =
  | { kind: 'begun' }
  /** The purchase ends without success or error: closed, or its order is shown instead. */
  | { kind: 'ended' }
  /** The user declined in the wallet: shown beside the button, which stays idle. */
  | { kind: 'declined'; failure: unknown }
  /** @property failure null if the order has the reason */
  | { kind: 'failed'; failure: unknown }
  | { kind: 'proven' }
  /** Success or error has been shown long enough. */
  | { kind: 'rested' };

export const IDLE: PurchaseView = { state: 'idle', failure: null };

/** Returns the view after an event. */
export function nextPurchase(view: PurchaseView, event: PurchaseEvent): PurchaseView {
  switch (event.kind) {
    case 'begun':
      return { state: 'processing', failure: null };
    case 'ended':
      return IDLE;
    case 'declined':
      return { state: 'idle', failure: event.failure };
    case 'failed':
      return { state: 'error', failure: event.failure };
    case 'proven':
      return { state: 'success', failure: null };
    case 'rested':
      return { ...view, state: 'idle' };
  }
}

export interface PurchaseMachine {
  view: Store<PurchaseView>;
  send(event: PurchaseEvent): void;
}

/** The purchase of a page; success and error return to idle after PURCHASE_RESET_MS. */
export function createPurchaseMachine(): PurchaseMachine {
  const view = createStore(IDLE);
  let rest: ReturnType<typeof setTimeout> | undefined;
  function send(event: PurchaseEvent): void {
    clearTimeout(rest);
    const next = nextPurchase(view.get(), event);
    view.set(next);
    if (next.state === 'success' || next.state === 'error')
      rest = setTimeout(() => send({ kind: 'rested' }), PURCHASE_RESET_MS);
  }
  return { view, send };
}
