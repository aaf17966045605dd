import { CircleQuestionMark } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { say } from '../words';
import { useCloseByBack } from './close-by-back';
import { keepPlaced } from './keep-placed';
import { prefetchOverlays, usePrimitives } from './later-primitives';
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
export function WhyPopover({ about, title = say('why'), children, width = 400, onOpenChange }: WhyPopoverProps) {
  const [open, setOpen] = useState(false);
  const change = (next: boolean) => {
    setOpen(next);
    onOpenChange?.(next);
  };
  useCloseByBack(open, () => change(false));
  const Popover = usePrimitives(open, () => change(false))?.Popover;
  const button = {
    className: s.button,
    'aria-label': say('whyAbout', { about }),
    title: say('why'),
    children: <CircleQuestionMark size={16} aria-hidden="true" />,
  };
  if (Popover === undefined) {
    return (
      <button
        {...button}
        type="button"
        aria-haspopup="dialog"
        aria-expanded={false}
        aria-busy={open || undefined}
        onPointerEnter={prefetchOverlays}
        onFocus={prefetchOverlays}
        onClick={() => change(true)}
      />
    );
  }
  return (
    <Popover.Root open={open} onOpenChange={change}>
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
