import { CircleQuestionMark } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { uiText } from '../ui-texts';
import { useCloseByBack } from './close-by-back';
import { prefetchOverlays, useOverlays } from './on-demand';
import s from './why-popover.module.css';

export interface WhyPopoverProps {
  /** Name of the number: "Current rate". The button shows "Why this number? Current rate". */
  about: string;
  /** The heading of the popover. */
  title?: string | undefined;
  children: ReactNode;
  /** Width, px; less on a small screen. */
  width?: number | undefined;
  onOpenChange?: ((open: boolean) => void) | undefined;
}

/** The 24 px ? button and its popover; opened by click, Enter or tap, never by hover alone. The buttons of a card share one Tab stop. */
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
    children: <CircleQuestionMark size={16} />,
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

/*
 * The explanations of a card share one Tab stop, and the arrow keys move between them. A page of numbers has dozens of them, which
 * keyboard users would have to pass one by one. It works on the document, because modules have separate React roots.
 */

const MEMBER = 'data-one-stop';
const CARD = 'section, form, [role="dialog"], main';
const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** The card of a button. A page may be rendered before it is in the document: then it is the root of the tree. */
function cardOf(button: Element): ParentNode {
  return button.parentElement?.closest(CARD) ?? (button.getRootNode() as Document | DocumentFragment | Element);
}

function membersOf(card: ParentNode): HTMLElement[] {
  return [...card.querySelectorAll<HTMLElement>(`[${MEMBER}]`)].filter((each) => cardOf(each) === card);
}

/** Makes one member of a card the Tab stop. */
function stopAt(members: readonly HTMLElement[], stop: HTMLElement | undefined): void {
  for (const each of members) each.tabIndex = each === stop ? 0 : -1;
}

/** A ref callback that joins a button to its card. The first one is the Tab stop until another one had the focus. */
function joinStop(button: HTMLButtonElement | null): (() => void) | undefined {
  if (button === null) return undefined;
  button.setAttribute(MEMBER, '');
  button.setAttribute('aria-keyshortcuts', Object.keys(STEPS).join(' '));
  const card = cardOf(button);
  const members = membersOf(card);
  stopAt(members, members.find((each) => each !== button && each === document.activeElement) ?? members[0]);
  return () => {
    if (button.tabIndex === -1) return;
    const left = membersOf(card).filter((each) => each !== button);
    stopAt(left, left[0]);
  };
}

/** Moves the focus to the next or previous member, with wrap-around. */
function moveInStop(event: KeyboardEvent<HTMLButtonElement>): void {
  const step = STEPS[event.key];
  if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  const members = membersOf(cardOf(event.currentTarget));
  const next = members.at((members.indexOf(event.currentTarget) + step) % members.length);
  if (next === undefined || next === event.currentTarget) return;
  event.preventDefault();
  stopAt(members, next);
  next.focus();
}
