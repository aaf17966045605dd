import { Check, RotateCw } from 'lucide-react';
import type { ComponentProps } from 'react';
import { cx } from '../classNames';
import { say } from '../words';
import { Button, type ButtonLook } from './Button';
import s from './PurchaseButton.module.css';

export type PurchaseState = 'idle' | 'processing' | 'success' | 'error';

export interface PurchaseButtonProps extends Omit<ComponentProps<'button'>, 'disabled' | 'children'> {
  /** The caller goes back to idle 5 s after success or error (spec part 4). */
  state: PurchaseState;
  size?: ButtonLook['size'];
  block?: boolean | undefined;
  idleText?: string | undefined;
}

/** Purchase Badge, Processing..., Success, Try Again; the width never changes. */
export function PurchaseButton({
  state,
  size,
  block,
  idleText = say('purchase'),
  className,
  ...rest
}: PurchaseButtonProps) {
  const icon =
    state === 'success' ? (
      <Check aria-hidden="true" />
    ) : state === 'error' ? (
      <RotateCw aria-hidden="true" />
    ) : undefined;
  const text = { idle: idleText, processing: say('processing'), success: say('success'), error: say('tryAgain') }[
    state
  ];
  return (
    <Button
      {...rest}
      needsServer
      variant="secondary"
      size={size}
      block={block}
      className={cx(s.button, s[state], className)}
      loading={state === 'processing'}
      icon={icon}
    >
      <span aria-live="polite">{text}</span>
    </Button>
  );
}
