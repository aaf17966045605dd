import { useDeferredValue } from 'react';

/**
 * How much of a page is made yet, so that a long one comes in several short tasks, what is seen first in the first: 0, then 1,
 * then 2. Nothing waits for a timer; each stage follows once the one before it is on screen.
 */
export function useStages(): 0 | 1 | 2 {
  const second = useDeferredValue(true, false);
  const third = useDeferredValue(second, false);
  return third ? 2 : second ? 1 : 0;
}
