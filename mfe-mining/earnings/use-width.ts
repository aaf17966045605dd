import { remScale } from '@cord/ui';
import { type RefObject, useLayoutEffect, useState } from 'react';

/** How wide an element is, px of a browser whose font size nobody has changed; `first` until that is known, and where nothing is laid out. */
export function useWidth(ref: RefObject<HTMLElement | null>, first: number): number {
  const [width, setWidth] = useState(first);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const measure = () => {
      const { clientWidth } = element;
      if (clientWidth > 0) setWidth(clientWidth / remScale());
    };
    measure();
    if (typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return width;
}
