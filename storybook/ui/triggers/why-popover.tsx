import { CircleQuestionMark } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { uiText } from '../ui-texts';
import { useCloseByBack } from './close-by-back';
import { prefetchOverlays, useOverlays } from './on-demand';
import { joinStop, moveInStop } from './one-stop';
import s from './why-popover.module.css';

export interface WhyPopoverProps {
  /** What the question is about: "Current rate". The button shows "Why this number? Current rate". */
  about: string;
  /** The heading of the popover. */
  title?: string | undefined;
  children: ReactNode;
  /** px; a small screen takes what it has. */
  width?: number | undefined;
  onOpenChange?: ((open: boolean) => void) | undefined;
}

/** The 24 px ? button and its popover; opened by click, Enter or tap, never by hover alone. Those of a card are one stop of Tab. */
export function WhyPopover({ about, onOpenChange, ...answer }: WhyPopoverProps) {
  const [open, setOpen] = useState(false);
  const change = (next: boolean) => {
    setOpen(next);
    onOpenChange?.(next);
  };
  useCloseByBack(open, () => change(false));
  const Content = useOverlays(open, () => change(false))?.WhyContent;
  const button = {
    className: s.button,
    'aria-label': uiText('whyAbout', { about }),
    title: uiText('why'),
    ref: joinStop,
    onKeyDown: moveInStop,
    children: <CircleQuestionMark size={16} aria-hidden="true" />,
  };
  if (Content === undefined) {
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
  return <Content {...answer} about={about} button={button} open={open} onOpenChange={change} />;
}
