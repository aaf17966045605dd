import {
  type ComponentProps,
  cloneElement,
  createContext,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  useContext,
  useRef,
  useState,
} from 'react';
import { useCloseByBack } from './close-by-back';
import { type Primitives, prefetchOverlays, usePrimitives } from './later-primitives';

export interface MenuProps {
  /** One button; it gets the expanded state. */
  trigger: ReactElement<ComponentProps<'button'>>;
  /** Above the items: avatar and name. */
  head?: ReactNode;
  align?: 'start' | 'center' | 'end' | undefined;
  children: ReactNode;
}

type Parts = Primitives['drawnMenu'];
const MenuParts = createContext<Parts | null>(null);

/** A menu under a button. Children are `MenuItem` and `MenuRule`. */
export function Menu(given: MenuProps) {
  const [open, setOpen] = useState(false);
  const byKeyboard = useRef(false);
  useCloseByBack(open, () => setOpen(false));
  const drawn = usePrimitives(open, () => setOpen(false))?.drawnMenu;
  if (drawn === undefined) {
    return cloneElement(given.trigger, {
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
    <MenuParts value={drawn}>
      <drawn.Menu {...given} open={open} onOpenChange={setOpen} focusFirst={byKeyboard} />
    </MenuParts>
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

export function MenuItem(given: MenuItemProps) {
  const { Item } = useMenuParts();
  return <Item {...given} />;
}

/** A rule between groups of items. */
export function MenuRule() {
  const { Rule } = useMenuParts();
  return <Rule />;
}

function useMenuParts(): Parts {
  const parts = useContext(MenuParts);
  if (parts === null) throw new Error('no Menu around this item');
  return parts;
}
