import { CONTROL, lastPlaces } from '../focus-return';

/**
 * Gives the focus back as an overlay closes: to the control that had it last; where that is gone, to what stood around it.
 * For `onCloseAutoFocus`.
 */
export function returnFocus(event: Event): void {
  event.preventDefault();
  const closing = event.target instanceof HTMLElement ? event.target : null;
  // What opened in its place has the focus.
  const open = [...document.querySelectorAll('[role="dialog"][data-state="open"]')];
  if (open.some((other) => other !== closing)) return;
  for (const { control, around } of lastPlaces()) {
    for (const ref of [control, ...around]) {
      const element = ref.deref();
      if (element === undefined || !element.isConnected || closing?.contains(element)) continue;
      if (isWholePage(element)) break;
      if (focus(element)) return;
    }
  }
}

/** From the top of the page on nothing is "where it was". */
function isWholePage(element: HTMLElement): boolean {
  return element === document.body || element.querySelector('main') !== null;
}

function focus(element: HTMLElement): boolean {
  const own = element.hasAttribute('tabindex') || element.matches(CONTROL);
  if (!own) element.tabIndex = -1;
  element.focus({ preventScroll: true });
  if (document.activeElement === element) return true;
  if (!own) element.removeAttribute('tabindex');
  return false;
}
