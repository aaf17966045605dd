import { formatDate, useSdk, useTexts } from '@cord/sdk';
import { formatSol, LinkButton, Notice, shortenAddress } from '@cord/ui';
import { CircleAlert, CircleCheck, Hourglass } from 'lucide-react';
import { isInDoubt, isUnderway, type Order, useRefunds } from './orders';
import s from './payment-notice.module.css';
import { REASONS, reasonText } from './reason-texts';
import { TEXTS } from './texts';
import type { Purchase } from './use-purchase';

/** What is to be known beside the button: a payment on its way, or one that failed. */
export function PaymentNotice({ purchase }: { purchase: Purchase }) {
  const t = useTexts(TEXTS);
  const reasons = useTexts(REASONS);
  const { order } = purchase;
  // An order to pay that has a reason was tried before: its payment did not arrive, or is in doubt.
  const isLost = order?.status === 'pending' && !isInDoubt(order);
  const error = purchase.error ?? (isLost ? reasonText(reasons, order) : null);
  if (error !== null) {
    return (
      <Notice
        tone={purchase.declined ? 'plain' : 'danger'}
        look="inline"
        icon={<CircleAlert />}
        title={purchase.declined ? t.declined : t.purchaseFailed}
        announce
        testId={purchase.declined ? 'purchase-declined' : 'purchase-failed'}
      >
        <p className={s.text}>{error}</p>
        {purchase.otherWallet && <LinkButton onClick={purchase.changeWallet}>{t.changeWallet}</LinkButton>}
      </Notice>
    );
  }
  return order && (isUnderway(order) || isInDoubt(order)) ? <Underway order={order} show={purchase.showOrder} /> : null;
}

function Underway({ order, show }: { order: Order; show: () => void }) {
  const t = useTexts(TEXTS);
  const reason = reasonText(useTexts(REASONS), order);
  const unknown = isInDoubt(order);
  return (
    <Notice
      tone="warn"
      look="inline"
      icon={<Hourglass />}
      title={unknown ? t.orderUnknown : t.orderChecking}
      announce
      testId="payment-underway"
    >
      <p className={s.text}>{reason ?? (unknown ? t.orderUnknownText : t.orderCheckingText)}</p>
      <LinkButton onClick={show}>{t.showPayment}</LinkButton>
    </Notice>
  );
}

/** Payments that came twice, too late or wrong: never silently kept, and what happens to them. */
export function RefundNotices() {
  const t = useTexts(TEXTS);
  const { go } = useSdk().tabs;
  return useRefunds().map(({ id, lamports, walletAddress, status, returnedAt }) => {
    const sol = formatSol(lamports);
    const wallet = shortenAddress(walletAddress);
    if (status === 'returned') {
      const on = formatDate(Date.parse(returnedAt ?? ''));
      return (
        <Notice key={id} tone="plain" look="inline" icon={<CircleCheck />} title={t.refundReturned({ sol })}>
          <p className={s.text}>{t.refundReturnedText({ wallet, day: on })}</p>
        </Notice>
      );
    }
    return (
      <Notice
        key={id}
        tone="warn"
        look="inline"
        icon={<CircleAlert />}
        title={t.refundDue({ sol })}
        testId="payment-refund"
      >
        <p className={s.text}>{t.refundDueText({ wallet })}</p>
        <LinkButton onClick={() => go('settings')}>{t.askSupport}</LinkButton>
      </Notice>
    );
  });
}
