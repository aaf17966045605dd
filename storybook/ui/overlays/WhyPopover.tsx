import './nonce';
import { CircleQuestionMark } from 'lucide-react';
import { Popover } from 'radix-ui';
import type { ReactNode } from 'react';
import s from './WhyPopover.module.css';

export interface WhyPopoverProps {
  /** What is asked about: "Current rate". The button says "Why this number? Current rate". */
  about: string;
  /** The heading of the popover. */
  title?: string | undefined;
  children: ReactNode;
  /** px; a small screen takes what it has. */
  width?: number | undefined;
  onOpenChange?: ((open: boolean) => void) | undefined;
}

/** The 24 px ? button and its popover; opened by click, Enter or tap, never by hover alone. */
export function WhyPopover({
  about,
  title = 'Why this number?',
  children,
  width = 400,
  onOpenChange,
}: WhyPopoverProps) {
  return (
    <Popover.Root {...(onOpenChange === undefined ? {} : { onOpenChange })}>
      <Popover.Trigger className={s.button} aria-label={`Why this number? ${about}`} title="Why this number?">
        <CircleQuestionMark size={16} aria-hidden="true" />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className={s.popover}
          style={{ width }}
          align="start"
          sideOffset={6}
          collisionPadding={12}
          aria-label={`${title} ${about}`}
        >
          <p className={s.title}>{title}</p>
          {children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
