import { type PartProps, useSessionValue, useTexts } from '@cord/sdk';
import { LinkButton, VisuallyHidden } from '@cord/ui';
import { PurchaseAction } from './purchase-action';
import s from './purchase-button.module.css';
import { TEXTS } from './texts';
import { usePurchase as usePurchaseView } from './use-front';
import { usePurchase } from './use-purchase';

/** Buying the badge from Rankings and, as a link in a line of text, from Settings. */
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
