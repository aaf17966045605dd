import { Button, ButtonLink, Dialog, formatSol, QrCode } from '@cord/ui';
import { Check, Circle, Wallet } from 'lucide-react';
import s from './order-dialog.module.css';
import { TEXTS } from './texts';
import { type Order, paymentLink } from './use-purchase';

const clockFace = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** An open order: how to pay it, how far it is, and what went wrong. Closing it loses nothing. */
export function OrderDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const link = paymentLink(order);
  const payable = order.status === 'pending';
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={TEXTS.orderTitle}
      description={TEXTS.orderText(formatSol(order.lamports))}
      footer={
        <>
          <Button onClick={onClose}>{TEXTS.close}</Button>
          {payable && (
            <ButtonLink variant="primary" href={link} icon={<Wallet aria-hidden="true" />}>
              {TEXTS.openWallet}
            </ButtonLink>
          )}
        </>
      }
    >
      <div className={s.body}>
        {payable && <QrCode value={link} label={TEXTS.orderQr} size={200} />}
        <Steps status={order.status} />
        <p className="t-hint" role="status">
          {noteOf(order)}
        </p>
      </div>
    </Dialog>
  );
}

const STEPS = [TEXTS.orderWritten, TEXTS.orderSent, TEXTS.orderConfirmed] as const;

const STEPS_DONE: Readonly<Record<Order['status'], number>> = {
  pending: 1,
  sent: 2,
  unknown: 2,
  refund: 2,
  confirmed: 3,
  expired: 1,
};

function Steps({ status }: { status: Order['status'] }) {
  const done = STEPS_DONE[status];
  return (
    <ol className={s.steps}>
      {STEPS.map((step, index) => {
        const reached = index < done;
        const Icon = reached ? Check : Circle;
        return (
          <li key={step} className={reached ? s.done : s.open} aria-current={index === done - 1 ? 'step' : undefined}>
            <Icon size={18} aria-hidden="true" />
            {step}
          </li>
        );
      })}
    </ol>
  );
}

function noteOf(order: Order): string {
  if (order.reason !== null) return order.reason;
  if (order.status === 'unknown') return TEXTS.orderUnknown;
  if (order.status === 'expired') return TEXTS.orderExpired;
  if (order.status === 'refund') return TEXTS.orderRefund;
  return TEXTS.orderValid(clockFace.format(Date.parse(order.expiresAt)));
}
