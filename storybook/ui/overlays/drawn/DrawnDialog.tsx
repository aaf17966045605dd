import { X } from 'lucide-react';
import { Dialog as RadixDialog } from 'radix-ui';
import { type CSSProperties, useRef } from 'react';
import { IconButton } from '../../actions/IconButton';
import { cx } from '../../classNames';
import { VisuallyHidden } from '../../feedback/VisuallyHidden';
import { say } from '../../words';
import type { DialogProps } from '../Dialog';
import s from './DrawnDialog.module.css';
import { returnFocus } from './return-focus';

/** What a dialog is drawn as, once it is to open. */
export function DrawnDialog({
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
  closeLabel = say('close'),
  testId,
}: DialogProps) {
  const content = useRef<HTMLDivElement>(null);
  const keep = (event: Event) => locked && event.preventDefault();
  return (
    <RadixDialog.Root open={open} onOpenChange={onOpenChange}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={s.scrim} />
        <RadixDialog.Content
          className={s.dialog}
          style={{ '--width': `${width}px` } as CSSProperties}
          data-testid={testId}
          onEscapeKeyDown={keep}
          onPointerDownOutside={keep}
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
            <div className={s.titles}>
              {titleHidden ? (
                <VisuallyHidden>
                  <RadixDialog.Title>{title}</RadixDialog.Title>
                </VisuallyHidden>
              ) : (
                <RadixDialog.Title className={s.title}>{title}</RadixDialog.Title>
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

/** Never the close button, as long as there is a next step. */
function nextStep(content: HTMLElement | null): HTMLElement | null {
  const inBody = content?.querySelector<HTMLElement>(`[data-dialog="body"] :is(${CONTROL})`);
  const inFooter = content?.querySelectorAll<HTMLElement>(`[data-dialog="footer"] :is(${CONTROL})`);
  return inBody ?? inFooter?.item(inFooter.length - 1) ?? null;
}
