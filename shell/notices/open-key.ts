import { createStore, deviceStorage } from '@cord/sdk';
import { useEffect, useEffectEvent } from 'react';

const KEPT = 'cord.notices-key';

/** Whether N opens the notifications on this device. Users of dictation, or who type it by accident, can turn it off (WCAG 2.1.4). */
export const opensByKey = createStore(deviceStorage.getItem(KEPT) !== 'off');

export function setOpensByKey(on: boolean): void {
  opensByKey.set(on);
  if (on) deviceStorage.removeItem(KEPT);
  else deviceStorage.setItem(KEPT, 'off');
}

/** Whether the key is N alone, outside of fields, menus and dialogs. */
function isOpenKey({ key, ctrlKey, metaKey, altKey, repeat, target, defaultPrevented }: KeyboardEvent): boolean {
  if (key.toLowerCase() !== 'n' || ctrlKey || metaKey || altKey || repeat || defaultPrevented) return false;
  const within = target instanceof Element ? target : null;
  return (
    within?.closest('input, textarea, select, [contenteditable], [role="menu"], [role="dialog"], [data-confirm]') ===
    null
  );
}

/** Calls back when the key is pressed. */
export function useOpenKey(open: () => void): void {
  const onOpen = useEffectEvent(open);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!opensByKey.get() || !isOpenKey(event)) return;
      event.preventDefault();
      onOpen();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
