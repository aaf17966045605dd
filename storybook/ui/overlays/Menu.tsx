import './nonce';
import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';
import { cx } from '../classNames';
import s from './Menu.module.css';

export interface MenuProps {
  /** One button; it gets the expanded state. */
  trigger: ReactNode;
  /** Above the items: avatar and name. */
  head?: ReactNode;
  align?: 'start' | 'center' | 'end' | undefined;
  /** Controlled, when the page needs to know. */
  open?: boolean | undefined;
  onOpenChange?: ((open: boolean) => void) | undefined;
  children: ReactNode;
}

/** A menu under a button. Children are `MenuItem` and `MenuRule`. */
export function Menu({ trigger, head, align = 'end', open, onOpenChange, children }: MenuProps) {
  return (
    <DropdownMenu.Root
      modal={false}
      {...(open === undefined ? {} : { open })}
      {...(onOpenChange === undefined ? {} : { onOpenChange })}
    >
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className={s.menu} align={align} sideOffset={8} collisionPadding={12} loop>
          {head !== undefined && <div className={s.head}>{head}</div>}
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

export interface MenuItemProps {
  icon?: ReactNode;
  /** At the right: the value in force ("Dark", "On"). */
  aside?: ReactNode;
  /** Keeps the menu open, for items that change a value in place. */
  keepOpen?: boolean | undefined;
  disabled?: boolean | undefined;
  onSelect: () => void;
  children: ReactNode;
  testId?: string | undefined;
}

export function MenuItem({
  icon,
  aside,
  keepOpen = false,
  disabled = false,
  onSelect,
  children,
  testId,
}: MenuItemProps) {
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

/** A rule between groups of items. */
export function MenuRule() {
  return <DropdownMenu.Separator className={cx(s.rule)} />;
}
