import { formatTime, isNetworkError, type TextsOf, useSdk, useTexts } from '@cord/sdk';
import { Badge, Button, formatCount, formatSol, Row, Spinner, Stack, shortenAddress, WaitingBadge } from '@cord/ui';
import { Dialog } from '@cord/ui/overlays';
import { Circle, CircleAlert, CircleCheck, RotateCw } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { failureText } from '../failures';
import { handIn, rememberedPayment } from '../hand-in';
import { checkOrder, isInDoubt, isUnderway, type Order, takeOrder, userIdOf } from '../orders';
import { REASONS, reasonText } from '../reason-texts';
import { TEXTS } from '../texts';
import { useCordClaim } from '../use-cord-claim';
import s from './order-dialog.module.css';

interface OrderDialogProps {
  order: Order;
  /** The wallet that must approve the payment now. */
  approving: string | null;
  onClose: () => void;
  /** Pays the order again after a payment that did not arrive. */
  onRetry: () => void;
}

/** The progress of an order: created, sent, confirmed. Closing it loses nothing. */
export function OrderDialog({ order: held, approving, onClose, onRetry }: OrderDialogProps) {
  const t = useTexts(TEXTS);
  const reasons = useTexts(REASONS);
  const order: Order = approving === null && isInDoubt(held) ? { ...held, status: 'unknown' } : held;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      // The wallet's own window is above the page; a click in it must not close the dialog.
      locked={approving !== null}
      title={
        <Row as="span" gap="4px 12px" align="center" wrap>
          {t.badgeTitle} <Status order={order} lost={isLost(order, approving)} />
        </Row>
      }
      testId="badge-order"
      footer={
        isUnderway(order) ? (
          <CheckAgain order={order} />
        ) : (
          <>
            <Button onClick={onClose}>{t.close}</Button>
            {order.status === 'confirmed' && <ClaimNow />}
            {isLost(order, approving) && (
              <Button needsServer variant="primary" onClick={onRetry}>
                {t.tryAgain}
              </Button>
            )}
          </>
        )
      }
    >
      <Stack as="ol" aria-live="polite" className="l-lines">
        {stepsOf(t, { ...order, reason: reasonText(reasons, order) }, approving).map(({ mark, title, text }) => (
          <li key={title} className={s.step}>
            {MARKS[mark]}
            <div>
              <p className="t-600">{title}</p>
              <p className="t-label">{text}</p>
            </div>
          </li>
        ))}
      </Stack>
    </Dialog>
  );
}

/** Whether a payment of the order did not arrive, so that it can be paid again. */
function isLost({ status, reason }: Order, approving: string | null): boolean {
  return status === 'pending' && reason !== null && approving === null;
}

function Status({ order: { status }, lost }: { order: Order; lost: boolean }) {
  const t = useTexts(TEXTS);
  const label = lost ? t.orderLost : t[`badge.${status}`];
  if (lost) return <Badge tone="danger">{label}</Badge>;
  if (status === 'confirmed') return <Badge tone="live">{label}</Badge>;
  if (status === 'expired' || status === 'refund') return <Badge tone="danger">{label}</Badge>;
  return <WaitingBadge>{label}</WaitingBadge>;
}

type Mark = 'done' | 'now' | 'next' | 'wrong';

const MARKS: Readonly<Record<Mark, ReactNode>> = {
  done: <CircleCheck size={20} className="c-live" />,
  now: <Spinner size={20} />,
  next: <Circle size={20} className="c-3" />,
  wrong: <CircleAlert size={20} className="c-danger" />,
};

interface Step {
  mark: Mark;
  title: string;
  text: string;
}

function stepsOf(t: TextsOf<typeof TEXTS>, order: Order, approving: string | null): Step[] {
  const time = formatTime(Date.parse(order.expiresAt));
  const written: Step = {
    mark: 'done',
    title: t.orderWritten,
    text: t.orderText({ sol: formatSol(order.lamports), time }),
  };
  if (order.status === 'expired') {
    return [written, { mark: 'wrong', title: t.orderExpired, text: order.reason ?? t.orderExpiredText }];
  }
  const sent: Step = {
    mark: order.status !== 'pending' ? 'done' : approving === null ? 'next' : 'now',
    title: t.orderSent,
    text: sentText(t, order, approving),
  };
  return [written, sent, outcome(t, order, isLost(order, approving))];
}

function sentText(t: TextsOf<typeof TEXTS>, { status, transactionHash }: Order, approving: string | null): string {
  if (transactionHash !== null) return t.orderSentShort({ signature: shortenAddress(transactionHash) });
  if (status !== 'pending') return '';
  return approving === null ? t.orderWaiting : t.orderApprove({ wallet: approving });
}

function outcome(t: TextsOf<typeof TEXTS>, { status, reason }: Order, lost: boolean): Step {
  switch (status) {
    case 'confirmed':
      return { mark: 'done', title: t.orderConfirmed, text: t.orderConfirmedText };
    case 'refund':
      return { mark: 'wrong', title: t.orderRefund, text: reason ?? t.orderRefundText };
    case 'sent':
      return { mark: 'now', title: t.orderChecking, text: reason ?? t.orderCheckingText };
    case 'unknown':
      return { mark: 'now', title: t.orderUnknown, text: reason ?? t.orderUnknownText };
    default:
      if (lost) return { mark: 'wrong', title: t.orderLost, text: reason ?? '' };
      return { mark: 'next', title: t.orderConfirmed, text: '' };
  }
}

/** The badge's one-time reward, as the next step after a confirmed payment; the banner shows its outcome. */
function ClaimNow() {
  const t = useTexts(TEXTS);
  const claim = useCordClaim();
  if (claim.status === 'hidden') return null;
  if (claim.status === 'claimed') {
    return (
      <p role="alert" className="t-label c-live">
        {t.claimedText({ amount: formatCount(claim.claimed.amount) })}
      </p>
    );
  }
  const claiming = claim.status === 'claiming';
  return (
    <>
      <p role="alert" className="l-filled c-danger">
        {claiming ? null : claim.error}
      </p>
      <Button
        variant="primary"
        needsServer
        loading={claiming}
        loadingText={t.processing}
        onClick={claiming ? undefined : claim.claim}
      >
        {t.claim}
      </Button>
    </>
  );
}

/** Checks the payment now, and submits its signature again if the server does not have it yet. */
function CheckAgain({ order }: { order: Order }) {
  const t = useTexts(TEXTS);
  const sdk = useSdk();
  const [checking, setChecking] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const check = async () => {
    setChecking(true);
    setFailure(null);
    try {
      const payment = rememberedPayment();
      const userId = userIdOf(sdk);
      if (payment?.orderId === order.id) takeOrder(sdk, userId, await handIn(sdk, order, payment));
      else await checkOrder(sdk);
    } catch (error) {
      setFailure(isNetworkError(error) ? t.networkError : failureText(t, error));
    } finally {
      setChecking(false);
    }
  };
  return (
    <Stack gap={8} className="l-whole">
      <p role="alert" className="l-filled c-danger">
        {failure}
      </p>
      <Button needsServer block loading={checking} icon={<RotateCw />} onClick={() => void check()}>
        {t.checkAgain}
      </Button>
    </Stack>
  );
}
