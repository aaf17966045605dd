import { type RefCallback, useCallback, useRef, useState } from 'react';

/** A ref, and whether what it is put on is on the screen; false while it is on nothing. */
export function useInView(): [RefCallback<HTMLElement>, boolean] {
  const [inView, setInView] = useState(false);
  const observer = useRef<IntersectionObserver | null>(null);
  const ref = useCallback((element: HTMLElement | null) => {
    observer.current?.disconnect();
    observer.current = null;
    if (element === null) {
      setInView(false);
      return;
    }
    observer.current = new IntersectionObserver(([entry]) => setInView(entry?.isIntersecting ?? false));
    observer.current.observe(element);
  }, []);
  return [ref, inView];
}
