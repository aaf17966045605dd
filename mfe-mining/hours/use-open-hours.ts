import { useTabParam } from '@cord/sdk';
import { useMotionAllowed } from '@cord/ui';
import { type RefObject, useEffect, useReducer, useRef } from 'react';

/** Whether the hours are shown, and the way to them. */
export interface OpenHours {
  isOpen: boolean;
  heading: RefObject<HTMLHeadingElement | null>;
  toggle(): void;
  /** Shows them and leads there: a key moves the focus to their heading, a press brings it into view. */
  leadTo(by: 'key' | 'press'): void;
}

export function useOpenHours(): OpenHours {
  const [shown, setShown] = useTabParam('hours');
  const heading = useRef<HTMLHeadingElement>(null);
  const led = useRef<'key' | 'press' | null>(null);
  const motion = useMotionAllowed();
  // Where the hours of that day are shown already, nothing else draws anew.
  const [, draw] = useReducer((times: number) => times + 1, 0);
  // After each drawing: a day that is chosen by the same press is another heading.
  useEffect(() => {
    const [by, place] = [led.current, heading.current];
    led.current = null;
    if (by === null || place === null) return;
    if (by === 'key') place.focus({ preventScroll: true });
    const { top, bottom } = place.getBoundingClientRect();
    if (top < 0 || bottom > window.innerHeight) {
      place.scrollIntoView({ block: 'start', behavior: motion ? 'smooth' : 'instant' });
    }
  });
  return {
    isOpen: shown !== null,
    heading,
    toggle: () => setShown(shown === null ? '1' : null),
    leadTo(by) {
      led.current = by;
      draw();
      setShown('1');
    },
  };
}
