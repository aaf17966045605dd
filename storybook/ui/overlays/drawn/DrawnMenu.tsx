import { DropdownMenu } from 'radix-ui';
import { useEffect, useRef } from 'react';
import type { MenuItemProps, MenuProps } from '../Menu';
import s from './DrawnMenu.module.css';

interface DrawnMenuProps extends MenuProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Whether the first item is to have the focus, as in a menu that a key opens; taken once. */
  focusFirst: { current: boolean };
}

function Menu({ trigger, head, align = 'end', children, open, onOpenChange, focusFirst }: DrawnMenuProps) {
  return (
    <DropdownMenu.Root modal={false} open={open} onOpenChange={onOpenChange}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className={s.menu} align={align} sideOffset={8} collisionPadding={12} loop>
          {head !== undefined && <div className={s.head}>{head}</div>}
          <FirstFocus wanted={focusFirst} />
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/** Takes the focus to the first item once, where a key opened the menu before its primitives were here. */
function FirstFocus({ wanted }: { wanted: { current: boolean } }) {
  const mark = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (!wanted.current) return;
    wanted.current = false;
    mark.current?.parentElement?.querySelector<HTMLElement>('[role="menuitem"]')?.focus();
  }, [wanted]);
  return <span ref={mark} hidden />;
}

function Item({ icon, aside, keepOpen = false, disabled = false, onSelect, children, testId }: MenuItemProps) {
  return (
    <DropdownMenu.Item
      className={s.item}
      disabled={disabled}
      data-testid={testId}
      onSelect={(event) => {
        if (keepOpen) event.preventDefault();
        onSelect();
      }}
    >
      {icon}
      <span className={s.word}>{children}</span>
      {aside !== undefined && <span className={s.aside}>{aside}</span>}
    </DropdownMenu.Item>
  );
}

function Rule() {
  return <DropdownMenu.Separator className={s.rule} />;
}

/** What a menu is drawn as, with its items, once it is to open. */
export const drawnMenu = { Menu, Item, Rule };
