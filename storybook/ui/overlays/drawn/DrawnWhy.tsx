import { Popover } from 'radix-ui';
import type { ComponentProps } from 'react';
import { say } from '../../words';
import type { WhyPopoverProps } from '../WhyPopover';
import s from '../WhyPopover.module.css';
import { keepPlaced } from './keep-placed';

interface DrawnWhyProps extends WhyPopoverProps {
  /** What the button has. */
  button: ComponentProps<'button'>;
  open: boolean;
}

/** What "Why this number?" is drawn as, from when it has been asked. */
export function DrawnWhy({
  about,
  title = say('why'),
  children,
  width = 400,
  button,
  open,
  onOpenChange,
}: DrawnWhyProps) {
  return (
    <Popover.Root open={open} {...(onOpenChange && { onOpenChange })}>
      <Popover.Trigger {...button} />
      <Popover.Portal>
        <Popover.Content
          className={s.popover}
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
