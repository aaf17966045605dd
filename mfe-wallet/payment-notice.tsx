import { useTabs, useTexts } from '@cord/sdk';
import { Button, Notice } from '@cord/ui';
import { CircleAlert, Hourglass } from 'lucide-react';
import type { Order } from './orders';
import { TEXTS } from './texts';
import type { Purchase } from './use-purchase';

/** What is to be known beside the button: a payment on its way, one that failed, one that is to be paid back. */
export function PaymentNotice({ purchase }: { purchase: Purchase }) {
  const t = useTexts(TEXTS);
  const { error, order } = purchase;
  if (error !== null) {
    return (
      <Notice
        tone="danger"
        look="inline"
        icon={<CircleAlert />}
        title={t.purchaseFailed}
        announce
        testId="purchase-failed"
        action={
          purchase.otherWallet ? (
            <Button size="sm" onClick={purchase.changeWallet}>
              {t.changeWallet}
            </Button>
          ) : undefined
        }
      >
        {error}
      </Notice>
    );
  }
  return order ? <OrderNotice order={order} show={purchase.showOrder} /> : null;
}

function OrderNotice({ order: { status, reason }, show }: { order: Order; show: () => void }) {
  const t = useTexts(TEXTS);
  const { go } = useTabs();
  if (status === 'refund') {
    return (
      <Notice
        tone="danger"
        look="inline"
        icon={<CircleAlert />}
        title={t.orderRefund}
        testId="payment-refund"
        action={
          <Button size="sm" onClick={() => go('settings')}>
            {t.askSupport}
          </Button>
        }
      >
        {reason ?? t.orderRefundText}
      </Notice>
    );
  }
  if (status !== 'sent' && status !== 'unknown') return null;
  const unknown = status === 'unknown';
  return (
    <Notice
      tone="warn"
      look="inline"
      icon={<Hourglass />}
      title={unknown ? t.orderUnknown : t.orderChecking}
      announce
      testId="payment-underway"
      action={
        <Button size="sm" onClick={show}>
          {t.showPayment}
        </Button>
      }
    >
      {reason ?? (unknown ? t.orderUnknownText : t.orderCheckingText)}
    </Notice>
  );
}
