import { createStore, deviceStorage, usePageShown, useStore } from '@cord/sdk';
import { useEffect, useEffectEvent } from 'react';

/** The first key of a view's shortcut. */
export const FIRST_KEY = 'g';

/** All keys of the room except those of its views. Views take their keys from here, and the list of keys shows them. */
export const KEYS = {
  all: '?',
  search: '/',
  next: 'j',
  previous: 'k',
  take: 'e',
  answer: 'a',
  clear: 'c',
  mark: 'm',
  table: 't',
  close: 'escape',
} as const;

const KEPT_AS = 'cord:operators-keys';

/** Whether single-key shortcuts are on; users of speech input turn them off (WCAG 2.1.4). Stored on the device. */
const keysOn = createStore(deviceStorage.getItem(KEPT_AS) !== 'off');

export function useKeysOn(): [boolean, (on: boolean) => void] {
  const on = useStore(keysOn);
  return [
    on,
    (next) => {
      keysOn.set(next);
      deviceStorage.setItem(KEPT_AS, next ? 'on' : 'off');
    },
  ];
}

const IN_A_FIELD = 'input:not([type=radio]):not([type=checkbox]), textarea, select, [contenteditable]';

/** Elements that take all keys while they are open, wherever the focus is. */
const OPEN_OVER = '[data-confirm], [role=dialog][data-state=open]';

/** Maximum time between the two keys of a pair such as `g o`, ms. */
const AFTER_MS = 1_500;

/**
 * Handles single keys, and pairs such as `g o`, while mounted, unless a field has the focus or a dialog or confirm panel is open.
 * @param keys the handler of each key
 * @param isOnTop true for the keys of a confirm panel
 */
export function useKeys(keys: Readonly<Record<string, () => void>>, isOnTop = false): void {
  const on = useStore(keysOn);
  const shown = usePageShown();
  const press = useEffectEvent((pressed: string) => {
    const does = Object.hasOwn(keys, pressed) ? keys[pressed] : undefined;
    does?.();
    return does !== undefined;
  });
  useEffect(() => {
    if (!on || !shown) return;
    let first = { key: '', atMs: Number.NEGATIVE_INFINITY };
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || event.repeat) return;
      if (event.target instanceof Element && event.target.closest(`${IN_A_FIELD}, [role=dialog], [role=menu]`)) return;
      if (!isOnTop && document.querySelector(OPEN_OVER) !== null) return;
      const key = event.key.toLowerCase();
      // A key after the first key of a pair is not a single key, also for a component without pairs.
      const isSecond = first.key === FIRST_KEY && event.timeStamp - first.atMs < AFTER_MS;
      first = { key: isSecond ? '' : key, atMs: event.timeStamp };
      if (press(isSecond ? `${FIRST_KEY} ${key}` : key)) event.preventDefault();
    };
    document.addEventListener('keydown', onKey, isOnTop);
    return () => document.removeEventListener('keydown', onKey, isOnTop);
  }, [on, shown, isOnTop]);
}
