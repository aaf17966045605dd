import { focusOn, focusOnPage, isWholePage, lastPlaces } from '../triggers/focus-return';

/**
 * Gives the focus back as an overlay closes: to the control that had it last; where that is gone, to what stood around it; where the
 * overlay was there before anything else, to where the page begins. What has taken the focus meanwhile keeps it.
 * For `onCloseAutoFocus`.
 */
export function returnFocus(event: Event): void {
  event.preventDefault();
  const closing = event.target instanceof HTMLElement ? event.target : null;
  const now = document.activeElement;
  if (now !== null && now !== document.body && !closing?.contains(now)) return;
  // What opened in its place has the focus.
  const open = [...document.querySelectorAll('[role="dialog"][data-state="open"]')];
  if (open.some((other) => other !== closing)) return;
  for (const { control, around } of lastPlaces()) {
    for (const ref of [control, ...around]) {
      const element = ref.deref();
      if (element === undefined || !element.isConnected || closing?.contains(element)) continue;
      if (isWholePage(element)) break;
      if (focusOn(element)) return;
    }
  }
  focusOnPage();
}
