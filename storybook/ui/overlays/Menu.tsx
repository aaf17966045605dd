import {
  type ComponentProps,
  cloneElement,
  createContext,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react';
import { useCloseByBack } from './close-by-back';
import { type Primitives, prefetchOverlays, usePrimitives } from './later-primitives';
import s from './Menu.module.css';

export interface MenuProps {
  /** One button; it gets the expanded state. */
  trigger: ReactElement<ComponentProps<'button'>>;
  /** Above the items: avatar and name. */
  head?: ReactNode;
  align?: 'start' | 'center' | 'end' | undefined;
  children: ReactNode;
}

type Parts = Primitives['DropdownMenu'];
const MenuParts = createContext<Parts | null>(null);

/** A menu under a button. Children are `MenuItem` and `MenuRule`. */
export function Menu({ trigger, head, align = 'end', children }: MenuProps) {
  const [open, setOpen] = useState(false);
  const byKeyboard = useRef(false);
  useCloseByBack(open, () => setOpen(false));
  const DropdownMenu = usePrimitives(open, () => setOpen(false))?.DropdownMenu;
  if (DropdownMenu === undefined) {
    return cloneElement(trigger, {
      'aria-haspopup': 'menu',
      'aria-expanded': false,
      'aria-busy': open || undefined,
      onPointerEnter: prefetchOverlays,
      onFocus: prefetchOverlays,
      onClick: (event: MouseEvent) => {
        // A click without a pointer is a key; then the first item has the focus, as in a menu that was there before.
        byKeyboard.current = event.detail === 0;
        setOpen(true);
      },
    });
  }
  return (
    <MenuParts value={DropdownMenu}>
      <DropdownMenu.Root modal={false} open={open} onOpenChange={setOpen}>
        <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content className={s.menu} align={align} sideOffset={8} collisionPadding={12} loop>
            {head !== undefined && <div className={s.head}>{head}</div>}
            <FirstFocus wanted={byKeyboard} />
            {children}
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
    </MenuParts>
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
  const { Item } = useMenuParts();
  return (
    <Item
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
    </Item>
  );
}

/** A rule between groups of items. */
export function MenuRule() {
  const { Separator } = useMenuParts();
  return <Separator className={s.rule} />;
}

function useMenuParts(): Parts {
  const parts = useContext(MenuParts);
  if (parts === null) throw new Error('no Menu around this item');
  return parts;
}
