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
  /** The state of the button. */
  state: PurchaseState;
  /** The leading order; null without one, undefined while loading. */
  order: Order | null | undefined;
  /** The text of the last failure. */
  error: string | null;
  /** The user declined in the wallet: shown as plain text, not as a failure. */
  declined: boolean;
  /** Whether the recovery is another wallet. */
  otherWallet: boolean;
  begin(): void;
  changeWallet(): void;
  showOrder(): void;
}

/** The purchase as every button shows it; the desk does the work. */
export function usePurchase(): Purchase {
  const front = useFront();
  const t = useTexts(TEXTS);
  const { state, failure } = usePurchaseView();
  const order = useLeadingOrder({ watching: mayBePaid(failure) });
  useSubmitStored(order);
  const withDesk = (what: (desk: Desk) => unknown) =>
    void front.desk().then(what, (error: unknown) => front.purchase.send({ kind: 'failed', failure: error }));
  const underway = order !== null && order !== undefined && isUnderway(order);
  // A payment that is known to be in progress has not failed, whatever error this page has.
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

/** Submits a stored signature that the server does not have yet: the tab may have been closed. */
function useSubmitStored(order: Order | null | undefined): void {
  const sdk = useSdk();
  const orderId = order?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each order; its changes come from the answer itself
  useEffect(() => {
    const payment = rememberedPayment();
    if (!order || payment === null || payment.orderId !== order.id) return;
    const userId = userIdOf(sdk);
    handIn(sdk, order, payment).then(
      (answer) => takeOrder(sdk, userId, answer),
      // The order shows a refusal; a failed call is repeated by "Check again" and the next visit.
      () => undefined,
    );
  }, [sdk, orderId]);
}
