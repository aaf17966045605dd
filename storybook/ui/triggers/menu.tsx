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
  /** `MenuItem` and `MenuRule` of `@cord/ui/overlays`; a function receives both, so that they need no import. */
  children: ReactNode | ((items: Pick<Overlays, 'MenuItem' | 'MenuRule'>) => ReactNode);
}

/** A button that opens a menu. */
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
        // A click without a pointer comes from a key; then the first item is focused, as in a menu whose code was loaded before.
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
