/**
 * Where the focus was before an overlay took it. Radix gives it back to a trigger, and most of our dialogs have none: they
 * open by state, come in a file that is fetched when asked for, or follow upon another dialog or a menu that is gone by then.
 */

/** A control that had the focus, and what stood around it, innermost first; neither is kept alive by being listed here. */
interface Place {
  control: WeakRef<HTMLElement>;
  around: WeakRef<HTMLElement>[];
}

/** As many as a menu, a sheet and a few dialogs after one another pass through. */
const PLACES_MAX = 24;
const CONTROL = 'a[href], button, input, textarea, select, [tabindex]';

let places: Place[] = [];

/** Some browsers do not focus a button that is pressed: the press itself counts too. */
function remember({ target }: Event): void {
  if (target instanceof Element) note(target);
}

function note(element: Element): void {
  const control = element.closest<HTMLElement>(CONTROL);
  if (control === null) return;
  const around: WeakRef<HTMLElement>[] = [];
  for (let box = control.parentElement; box !== null; box = box.parentElement) around.push(new WeakRef(box));
  places = [...places.filter((place) => place.control.deref() !== control), { control: new WeakRef(control), around }];
  places = places.slice(-PLACES_MAX);
}

let watching = false;

/** Called as the page starts, before anything can be pressed; the same again is nothing. */
export function watchFocus(): void {
  if (watching || typeof document === 'undefined') return;
  watching = true;
  document.addEventListener('focusin', remember, { capture: true, passive: true });
  document.addEventListener('pointerdown', remember, { capture: true, passive: true });
  if (document.activeElement !== null) note(document.activeElement);
}

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
  for (const { control, around } of [...places].reverse()) {
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
