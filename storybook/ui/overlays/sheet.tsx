import './nonce';
import { X } from 'lucide-react';
import { Dialog as RadixDialog } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';
import { IconButton } from '../actions/icon-button';
import { cx } from '../class-names';
import { useCloseByBack } from '../triggers/close-by-back';
import { watchFocus } from '../triggers/focus-return';
import { uiText } from '../ui-texts';
import shared from './overlay.module.css';
import { returnFocus } from './return-focus';
import s from './sheet.module.css';

export interface SheetProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Its name, shown unless `head` takes its place. */
  title: string;
  /** Avatar and name. */
  head?: ReactNode;
  children: ReactNode;
  testId?: string | undefined;
}

// For pages without the shell: the catalogue, tests.
watchFocus();

/** A sheet from below for the mobile menu; 44 px rows. */
export function Sheet({ open, onOpenChange, title, head, children, testId }: SheetProps) {
  useCloseByBack(open, () => onOpenChange(false));
  return (
    <RadixDialog.Root open={open} onOpenChange={onOpenChange}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={shared.scrim} />
        <RadixDialog.Content
          className={cx(shared.panel, s.sheet)}
          aria-describedby={undefined}
          data-testid={testId}
          onCloseAutoFocus={returnFocus}
        >
          <span className={s.grip} aria-hidden="true" />
          <div className={s.head}>
            <RadixDialog.Title className={head === undefined ? 't-h2' : 't-hidden'}>{title}</RadixDialog.Title>
            {head !== undefined && <div className="l-grow">{head}</div>}
            <RadixDialog.Close asChild>
              <IconButton size={44} label={uiText('close')} icon={<X />} />
            </RadixDialog.Close>
          </div>
          {children}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

export interface SheetItemProps extends ComponentProps<'button'> {
  icon: ReactNode;
  /** At the right: a badge, "2 to claim", "Dark". */
  aside?: ReactNode;
  /** The current tab. */
  current?: boolean | undefined;
}

/** A row of a sheet. */
export function SheetItem({ icon, aside, current = false, children, ...rest }: SheetItemProps) {
  return (
    <button
      type="button"
      {...rest}
      className={cx(s.item, current && s.current)}
      aria-current={current ? 'page' : undefined}
    >
      {icon}
      <span className="l-grow">{children}</span>
      {aside !== undefined && <span className="l-fixed t-label">{aside}</span>}
    </button>
  );
}

/** A rule between groups of rows. */
export function SheetRule() {
  return <hr className={s.rule} />;
}
