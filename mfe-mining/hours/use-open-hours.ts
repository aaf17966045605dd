import { useTabParam } from '@cord/sdk';
import { useMotionAllowed } from '@cord/ui';
import { type RefObject, useEffect, useReducer, useRef } from 'react';

/** Whether the hours are shown, with functions to show them. */
export interface OpenHours {
  isOpen: boolean;
  heading: RefObject<HTMLHeadingElement | null>;
  toggle(): void;
  /** Shows the hours and goes there: a key focuses their heading, a press scrolls it into view. */
  leadTo(by: 'key' | 'press'): void;
}

export function useOpenHours(): OpenHours {
  const [shown, setShown] = useTabParam('hours');
  const heading = useRef<HTMLHeadingElement>(null);
  const led = useRef<'key' | 'press' | null>(null);
  const motion = useMotionAllowed();
  // Renders even if the hours of that day are already shown.
  const [, draw] = useReducer((times: number) => times + 1, 0);
  // After each render, since the heading changes with the selected day.
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
