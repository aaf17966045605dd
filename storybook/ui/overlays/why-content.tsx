import { Popover } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cx } from '../class-names';
import type { WhyPopoverProps } from '../triggers/why-popover';
import { uiText } from '../ui-texts';
import { keepPlaced } from './keep-placed';
import shared from './overlay.module.css';
import s from './why-content.module.css';

interface WhyContentProps extends WhyPopoverProps {
  /** What the button has. */
  button: ComponentProps<'button'>;
  open: boolean;
}

/** The button with its popover. */
export function WhyContent({
  about,
  title = uiText('why'),
  children,
  width = 400,
  button,
  open,
  onOpenChange,
}: WhyContentProps) {
  return (
    <Popover.Root open={open} {...(onOpenChange && { onOpenChange })}>
      <Popover.Trigger {...button} />
      <Popover.Portal>
        <Popover.Content
          className={cx(shared.popup, s.popover, 't-note')}
          style={{ width }}
          align="start"
          sideOffset={6}
          collisionPadding={12}
          aria-label={`${title} ${about}`}
        >
          <div ref={keepPlaced}>
            <p className={s.title}>{title}</p>
            {children}
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
