import { Popover } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cx } from '../class-names';
import { rem } from '../rem';
import type { WhyPopoverProps } from '../triggers/why-popover';
import { uiText } from '../ui-texts';
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
          style={{ width: rem(width) }}
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

/**
 * Has a popover placed anew when what is in it has grown beyond the room that it took. It lies on the side where it fitted as it
 * opened, and is no higher than that side has room; so what comes later would be cut there, though the other side may have room for it.
 * @param content what grows, within the panel whose height is limited
 */
function keepPlaced(content: HTMLElement | null): (() => void) | undefined {
  const panel = content?.parentElement;
  if (!content || !panel) return undefined;
  let placedForPx = 0;
  let frame = 0;
  const observer = new ResizeObserver(() => {
    const isCut = panel.scrollHeight > panel.clientHeight;
    if (!isCut || content.offsetHeight <= placedForPx) return;
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => {
      // At its whole height for one frame, in which the popover sees how high it is and goes where that fits best.
      placedForPx = content.offsetHeight;
      panel.style.maxHeight = 'none';
      frame = requestAnimationFrame(() => {
        panel.style.maxHeight = '';
        // A bar for scrolling makes it narrower, and its text longer; that is no reason to look again.
        placedForPx = Math.max(placedForPx, content.offsetHeight);
      });
    });
  });
  observer.observe(content);
  return () => {
    cancelAnimationFrame(frame);
    observer.disconnect();
  };
}
