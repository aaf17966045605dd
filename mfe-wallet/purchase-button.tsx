import { type PartProps, useSessionValue, useTexts } from '@cord/sdk';
import { Button, LinkButton, VisuallyHidden } from '@cord/ui';
import { Check, RotateCw } from 'lucide-react';
import s from './purchase-button.module.css';
import type { PurchaseState } from './purchase-machine';
import { TEXTS } from './texts';
import { usePurchase as usePurchaseView } from './use-front';
import { usePurchase } from './use-purchase';

/** The purchase button of Rankings, and of Settings as a link in a line of text. */
export function PurchaseButton({ size = 'full' }: PartProps) {
  const isOwned = useSessionValue(({ user }) => user?.hasbadgeofhonor);
  const bought = usePurchaseView().state === 'success';
  return isOwned === undefined || (isOwned && !bought) ? null : <Offer compact={size === 'compact'} />;
}

function Offer({ compact }: { compact: boolean }) {
  const t = useTexts(TEXTS);
  const { state, error, declined, begin, showOrder } = usePurchase();
  const text = { idle: t.purchaseShort, processing: t.processing, success: t.success, error: t.tryAgain }[state];
  return (
    <span className={compact ? s.inline : s.column}>
      {compact ? (
        <LinkButton onClick={state === 'processing' ? showOrder : begin}>
          {text}
          {state === 'idle' && <VisuallyHidden> {t.badgeTitle}</VisuallyHidden>}
        </LinkButton>
      ) : (
        <PurchaseAction state={state} idleText={t.purchaseShort} onClick={begin} />
      )}
      <span role={declined ? 'status' : 'alert'} className={declined ? s.declined : s.error}>
        {error !== null && (declined ? error : `${t.purchaseFailed}: ${error}`)}
      </span>
    </span>
  );
}

interface PurchaseActionProps {
  /** The caller returns to idle 5 s after success or error. */
  state: PurchaseState;
  block?: boolean | undefined;
  idleText: string;
  onClick: () => void;
}

/** Purchase Badge, Processing..., Success, Try Again; the width never changes. */
export function PurchaseAction({ state, block, idleText, onClick }: PurchaseActionProps) {
  const t = useTexts(TEXTS);
  const icon = state === 'success' ? <Check /> : state === 'error' ? <RotateCw /> : undefined;
  const tone = { idle: undefined, processing: undefined, success: 'live', error: 'danger' }[state];
  const text = { idle: idleText, processing: t.processing, success: t.success, error: t.tryAgain }[state];
  return (
    <Button
      needsServer
      variant="secondary"
      block={block}
      className={s.button}
      data-tone={tone}
      loading={state === 'processing'}
      icon={icon}
      onClick={onClick}
    >
      <span aria-live="polite">{text}</span>
    </Button>
  );
}
