import { type OrderReason, PAYMENT_REFUSALS, type PaymentRefusal } from '@cord/contracts/http/rewards';
import { TEXTS } from '@cord/contracts/texts';

/** Texts that a buyer sees. None states that nothing was charged before that is certain. */
export const IN_DOUBT =
  'Your payment was sent but is not confirmed yet. We are still looking for it. Please do not pay again.';
export const NOT_PAID = 'It was not paid in time. Nothing was charged.';
export const NOT_PAID_YET = 'The time to pay is over. We are checking once more for a payment.';
export const LOST = 'Your payment did not reach the network. Nothing was charged, and you can pay again.';

const REASON_TEXTS: Readonly<Record<PaymentRefusal, string>> = {
  'not-a-signature': 'This is not the signature of a transaction',
  'transaction-failed': 'The transaction failed on the network',
  'wrong-reference': 'This transaction is not a payment for this order',
  'wrong-treasury': 'The payment went to another address',
  'signature-used': 'This transaction has already paid for something else',
  'other-payer': 'The payment came from a different wallet than the one in the order',
  'amount-too-small': 'The amount is smaller than the price',
  'refunded-inside': 'The same transaction reverses the payment',
  'order-expired': 'The payment came after the order had expired',
  'paid-twice': 'The order had already been paid',
  'badge-owned': 'You already own the Badge of Honor',
  'account-erased': 'The account was deleted',
};

/** Returns the reason of a refusal as a text for the user. */
export function refusalText(reason: PaymentRefusal): string {
  return `${TEXTS.purchaseRecordFailed}. ${REASON_TEXTS[reason]}.`;
}

/** Returns the reason of a return as a text for the user. */
export function returnText(reason: PaymentRefusal): string {
  return `${REASON_TEXTS[reason]}. Your payment was recorded and will be returned to the wallet it came from.`;
}

/** Codes by text: orders store the text of the release that wrote it. */
const CODES: ReadonlyMap<string | null, OrderReason> = new Map([
  [IN_DOUBT, 'in-doubt'],
  [NOT_PAID, 'not-paid'],
  [NOT_PAID_YET, 'not-paid-yet'],
  [LOST, 'lost'],
  ...PAYMENT_REFUSALS.flatMap((why): [string, OrderReason][] => [
    [refusalText(why), `refused.${why}`],
    [returnText(why), `returned.${why}`],
  ]),
]);

/** Returns the code of a stored text; null when there is none. */
export function reasonCode(reason: string | null): OrderReason | null {
  return CODES.get(reason) ?? null;
}
