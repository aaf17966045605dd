import { DropdownMenu } from 'radix-ui';
import { type ReactNode, useEffect, useRef } from 'react';
import { cx } from '../class-names';
import type { MenuProps } from '../triggers/menu';
import s from './menu-content.module.css';
import shared from './overlay.module.css';

interface MenuContentProps extends Omit<MenuProps, 'children'> {
  children: ReactNode;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Whether to focus the first item, as in a menu opened by a key; consumed once. */
  focusFirst: { current: boolean };
}

/** The button of a menu with its content. */
export function MenuContent({
  trigger,
  head,
  align = 'end',
  children,
  open,
  onOpenChange,
  focusFirst,
}: MenuContentProps) {
  return (
    <DropdownMenu.Root modal={false} open={open} onOpenChange={onOpenChange}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className={cx(shared.popup, s.menu)}
          align={align}
          sideOffset={8}
          collisionPadding={12}
          loop
        >
          {head !== undefined && <div className={s.head}>{head}</div>}
          <FirstFocus wanted={focusFirst} />
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/** Focuses the first item once, if a key opened the menu before its code was loaded. */
function FirstFocus({ wanted }: { wanted: { current: boolean } }) {
  const mark = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (!wanted.current) return;
    wanted.current = false;
    mark.current?.parentElement?.querySelector<HTMLElement>('[role="menuitem"]')?.focus();
  }, [wanted]);
  return <span ref={mark} hidden />;
}

export interface MenuItemProps {
  icon?: ReactNode;
  /** The current value, at the right ("Dark", "On"). */
  aside?: ReactNode;
  /** Keeps the menu open, for items that change a value in place. */
  keepOpen?: boolean | undefined;
  onSelect: () => void;
  children: ReactNode;
  testId?: string | undefined;
}

export function MenuItem({ icon, aside, keepOpen = false, onSelect, children, testId }: MenuItemProps) {
  return (
    <DropdownMenu.Item
      className={s.item}
      data-testid={testId}
      onSelect={(event) => {
        if (keepOpen) event.preventDefault();
        onSelect();
      }}
    >
      {icon}
      <span className="l-grow">{children}</span>
      {aside !== undefined && <span className="t-label">{aside}</span>}
    </DropdownMenu.Item>
  );
}

/** A rule between groups of items. */
export function MenuRule() {
  return <DropdownMenu.Separator className={s.rule} />;
}
