/**
 * Where the focus was before an overlay took it. Radix gives it back to a trigger, and most of our dialogs have none: they
 * open by state, come in a file that is fetched when asked for, or follow upon another dialog or a menu that is gone by then.
 */

/** A control that had the focus, and what stood around it, innermost first; neither is kept alive by being listed here. */
export interface Place {
  control: WeakRef<HTMLElement>;
  around: WeakRef<HTMLElement>[];
}

/** As many as a menu, a sheet and a few dialogs after one another pass through. */
const PLACES_MAX = 24;
export const CONTROL = 'a[href], button, input, textarea, select, [tabindex]';

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

/** Where the focus has been, the latest first. */
export const lastPlaces = (): readonly Place[] => [...places].reverse();
