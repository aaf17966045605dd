import {
  type ComponentProps,
  cloneElement,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  useRef,
  useState,
} from 'react';
import { useCloseByBack } from './close-by-back';
import { type Overlays, prefetchOverlays, useOverlays } from './on-demand';

export interface MenuProps {
  /** One button; it gets the expanded state. */
  trigger: ReactElement<ComponentProps<'button'>>;
  /** Above the items: avatar and name. */
  head?: ReactNode;
  align?: 'start' | 'center' | 'end' | undefined;
  /** `MenuItem` and `MenuRule` of `@cord/ui/overlays`; a function is given both, where they are not imported. */
  children: ReactNode | ((items: Pick<Overlays, 'MenuItem' | 'MenuRule'>) => ReactNode);
}

/** A menu under a button. */
export function Menu({ trigger, children, ...content }: MenuProps) {
  const [open, setOpen] = useState(false);
  const byKeyboard = useRef(false);
  useCloseByBack(open, () => setOpen(false));
  const overlays = useOverlays(open, () => setOpen(false));
  if (overlays === null) {
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
    <overlays.MenuContent {...content} trigger={trigger} open={open} onOpenChange={setOpen} focusFirst={byKeyboard}>
      {typeof children === 'function' ? children(overlays) : children}
    </overlays.MenuContent>
  );
}
