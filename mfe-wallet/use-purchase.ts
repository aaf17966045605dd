import { useSdk, useTexts } from '@cord/sdk';
import { useEffect } from 'react';
import type { Desk } from './desk/desk';
import { failureText, isDeclined, mayBePaid, wantsOtherWallet } from './failures';
import { handIn, rememberedPayment } from './hand-in';
import { isUnderway, type Order, takeOrder, useLeadingOrder, userIdOf } from './orders';
import type { PurchaseState } from './purchase-machine';
import { TEXTS } from './texts';
import { useFront, usePurchase as usePurchaseView } from './use-front';

export interface Purchase {
  /** What the button shows. */
  state: PurchaseState;
  /** The order that counts; null without one, undefined while that is unknown. */
  order: Order | null | undefined;
  /** Why the last try failed. */
  error: string | null;
  /** The user declined in the wallet: shown as plain text, not as a failure. */
  declined: boolean;
  /** Whether another wallet is the way on. */
  otherWallet: boolean;
  begin(): void;
  changeWallet(): void;
  showOrder(): void;
}

/** Buying the badge, as every button for it shows it; the work is the desk's. */
export function usePurchase(): Purchase {
  const front = useFront();
  const t = useTexts(TEXTS);
  const { state, failure } = usePurchaseView();
  const order = useLeadingOrder({ watching: mayBePaid(failure) });
  useHandIn(order);
  const withDesk = (what: (desk: Desk) => unknown) =>
    void front.desk().then(what, (error: unknown) => front.purchase.send({ kind: 'failed', failure: error }));
  const underway = order !== null && order !== undefined && isUnderway(order);
  // A payment that is known to be on its way has not failed, whatever this page knows of it.
  const isSent = underway && order.transactionHash !== null;
  return {
    state: state === 'idle' && underway ? 'processing' : state,
    order,
    error: failure === null || isSent ? null : failureText(t, failure),
    declined: isDeclined(failure),
    otherWallet: wantsOtherWallet(failure),
    begin: () => withDesk((desk) => desk.buy()),
    changeWallet: () => withDesk((desk) => desk.change()),
    showOrder: () => withDesk((desk) => order && desk.showOrder(order.id)),
  };
}

/** On return, a signature that the server does not have yet is handed in: the tab may have been closed. */
function useHandIn(order: Order | null | undefined): void {
  const sdk = useSdk();
  const orderId = order?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each order; its changes come from the answer itself
  useEffect(() => {
    const payment = rememberedPayment();
    if (!order || payment === null || payment.orderId !== order.id) return;
    const userId = userIdOf(sdk);
    handIn(sdk, order, payment).then(
      (answer) => takeOrder(sdk, userId, answer),
      // What is refused is shown by the order; what did not arrive is tried again by "Check again" and the next return.
      () => undefined,
    );
  }, [sdk, orderId]);
}
