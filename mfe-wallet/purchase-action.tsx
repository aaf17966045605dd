import { useTexts } from '@cord/sdk';
import { Button } from '@cord/ui';
import { Check, RotateCw } from 'lucide-react';
import s from './purchase-action.module.css';
import type { PurchaseState } from './purchase-machine';
import { TEXTS } from './texts';

interface PurchaseActionProps {
  /** The caller goes back to idle 5 s after success or error. */
  state: PurchaseState;
  block?: boolean | undefined;
  idleText: string;
  onClick: () => void;
}

/** Purchase Badge, Processing..., Success, Try Again; the width never changes. */
export function PurchaseAction({ state, block, idleText, onClick }: PurchaseActionProps) {
  const t = useTexts(TEXTS);
  const icon =
    state === 'success' ? (
      <Check aria-hidden="true" />
    ) : state === 'error' ? (
      <RotateCw aria-hidden="true" />
    ) : undefined;
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
