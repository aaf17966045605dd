import { X } from 'lucide-react';
import { Dialog as RadixDialog } from 'radix-ui';
import { IconButton } from '../../actions/IconButton';
import { say } from '../../words';
import type { SheetProps } from '../Sheet';
import s from './DrawnSheet.module.css';
import { returnFocus } from './return-focus';

/** What a sheet is drawn as, once it is to open. */
export function DrawnSheet({
  open,
  onOpenChange,
  title,
  head,
  children,
  closeLabel = say('close'),
  testId,
}: SheetProps) {
  return (
    <RadixDialog.Root open={open} onOpenChange={onOpenChange}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={s.scrim} />
        <RadixDialog.Content
          className={s.sheet}
          aria-describedby={undefined}
          data-testid={testId}
          onCloseAutoFocus={returnFocus}
        >
          <span className={s.grip} aria-hidden="true" />
          <div className={s.head}>
            <RadixDialog.Title className={head === undefined ? s.title : s.hiddenTitle}>{title}</RadixDialog.Title>
            {head !== undefined && <div className={s.headContent}>{head}</div>}
            <RadixDialog.Close asChild>
              <IconButton size={44} label={closeLabel} icon={<X />} />
            </RadixDialog.Close>
          </div>
          {children}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}
