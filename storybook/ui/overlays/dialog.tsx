import './nonce';
import { X } from 'lucide-react';
import { Dialog as RadixDialog } from 'radix-ui';
import { type CSSProperties, type ReactNode, type RefObject, useRef } from 'react';
import { IconButton } from '../actions/icon-button';
import { cx } from '../class-names';
import { VisuallyHidden } from '../feedback/visually-hidden';
import { rem } from '../rem';
import { useCloseByBack } from '../triggers/close-by-back';
import { watchFocus } from '../triggers/focus-return';
import { uiText } from '../ui-texts';
import s from './dialog.module.css';
import shared from './overlay.module.css';
import { returnFocus } from './return-focus';

export interface DialogProps {
  open: boolean;
  /** Called with false by Escape, the scrim and the close button. */
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  titleHidden?: boolean | undefined;
  /** Under the title. */
  description?: ReactNode;
  /** Before the title: the Discord mark, an icon tile. */
  mark?: ReactNode;
  /** Replaces the left side of the title row, with `titleHidden`: a badge. */
  lead?: ReactNode;
  children?: ReactNode;
  /** Buttons; the safe or next step is last and gets the focus by `initialFocus`. */
  footer?: ReactNode;
  /** The element to focus on opening; by default the first control of the body, else the last button of the footer. */
  initialFocus?: RefObject<HTMLElement | null> | undefined;
  /** px; 400 for questions, 600 for steps. */
  width?: number | undefined;
  /** Leaves out the close button; Escape still closes. */
  closeHidden?: boolean | undefined;
  /** Refuses Escape and the scrim, while something must not be interrupted. */
  locked?: boolean | undefined;
  closeLabel?: string | undefined;
  testId?: string | undefined;
}

// For pages without the shell: the catalogue, tests.
watchFocus();

/** A modal dialog; below 768 px a sheet from below. */
export function Dialog({
  open,
  onOpenChange,
  title,
  titleHidden = false,
  description,
  mark,
  lead,
  children,
  footer,
  initialFocus,
  width = 440,
  closeHidden = false,
  locked = false,
  closeLabel = uiText('close'),
  testId,
}: DialogProps) {
  useCloseByBack(open, () => locked || onOpenChange(false));
  const content = useRef<HTMLDivElement>(null);
  const keep = (event: Event) => locked && event.preventDefault();
  return (
    <RadixDialog.Root open={open} onOpenChange={onOpenChange}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={shared.scrim} />
        <RadixDialog.Content
          className={cx(shared.panel, s.dialog)}
          style={{ '--width': rem(width) } as CSSProperties}
          data-testid={testId}
          onEscapeKeyDown={keep}
          onInteractOutside={keep}
          onOpenAutoFocus={(event) => {
            const target = initialFocus?.current ?? nextStep(content.current);
            if (!target) return;
            event.preventDefault();
            target.focus();
          }}
          onCloseAutoFocus={returnFocus}
          ref={content}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
        >
          <div className={cx(s.head, titleHidden && lead === undefined && s.bareHead)}>
            {mark}
            <div className="l-grow">
              {titleHidden ? (
                <VisuallyHidden>
                  <RadixDialog.Title>{title}</RadixDialog.Title>
                </VisuallyHidden>
              ) : (
                <RadixDialog.Title className="t-h2">{title}</RadixDialog.Title>
              )}
              {lead}
              {description !== undefined && (
                <RadixDialog.Description asChild>
                  <div className={s.description}>{description}</div>
                </RadixDialog.Description>
              )}
            </div>
            {!closeHidden && !locked && (
              <RadixDialog.Close asChild>
                <IconButton className={s.close} label={closeLabel} icon={<X />} />
              </RadixDialog.Close>
            )}
          </div>
          {children !== undefined && (
            <div className={s.body} data-dialog="body">
              {children}
            </div>
          )}
          {footer !== undefined && (
            <div className={s.footer} data-dialog="footer">
              {footer}
            </div>
          )}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

const CONTROL = 'a[href], button, input, textarea, select, [tabindex="0"]';

/** The element to focus: never the close button if there is a next step. */
function nextStep(content: HTMLElement | null): HTMLElement | null {
  const inBody = content?.querySelector<HTMLElement>(`[data-dialog="body"] :is(${CONTROL})`);
  const inFooter = content?.querySelectorAll<HTMLElement>(`[data-dialog="footer"] :is(${CONTROL})`);
  return inBody ?? inFooter?.item(inFooter.length - 1) ?? null;
}
