/**
 * Keeps the keyboard's place. Overlays give the focus back to where it was: Radix gives it back to a trigger, and most of our dialogs
 * have none, since they open by state, come in a file of their own, or follow upon another dialog or a menu that is gone by then.
 * A control that goes away while it has the focus hands it to what takes its place, never to the body.
 */

/** A control that had the focus, and what stood around it, innermost first; neither is kept alive by being listed here. */
export interface Place {
  control: WeakRef<HTMLElement>;
  around: WeakRef<HTMLElement>[];
}

/** As many as a menu, a sheet and a few dialogs after one another pass through. */
const PLACES_MAX = 24;
export const CONTROL = 'a[href], button, input, textarea, select, [tabindex]';
/** Overlays of Radix look after what had the focus in them. */
const OVERLAY = '[role="dialog"], [role="menu"]';

let places: Place[] = [];
/** What has the focus, and what stands around it; null once the focus has left it by the user's own doing. */
let held: { control: HTMLElement; around: HTMLElement[] } | null = null;

/** Some browsers do not focus a button that is pressed: the press itself counts too. */
function remember({ target, type }: Event): void {
  if (!(target instanceof Element)) return;
  note(target);
  if (type === 'focusin' && target instanceof HTMLElement) held = { control: target, around: boxesAround(target) };
}

function boxesAround(element: Element): HTMLElement[] {
  const around: HTMLElement[] = [];
  for (let box = element.parentElement; box !== null; box = box.parentElement) around.push(box);
  return around;
}

function note(element: Element): void {
  const control = element.closest<HTMLElement>(CONTROL);
  if (control === null) return;
  const around = boxesAround(control).map((box) => new WeakRef(box));
  places = [...places.filter((place) => place.control.deref() !== control), { control: new WeakRef(control), around }];
  places = places.slice(-PLACES_MAX);
}

/** A control that is taken away loses the focus too, in some browsers with this event: only one that stays has been left. */
function release(): void {
  if (held === null) return;
  const { control } = held;
  setTimeout(() => {
    if (held?.control === control && control.isConnected && control.ownerDocument.activeElement !== control)
      held = null;
  });
}

/** Whether the focus fell to the body because the control that had it was taken away. */
export function focusIsLost(): boolean {
  if (held === null || held.control.isConnected) return false;
  // Its own document: what observes it may be called once more when the page is gone.
  const { ownerDocument } = held.control;
  return ownerDocument.activeElement === ownerDocument.body;
}

/** Gives the focus to what stands in the place of the control that was taken away: what came in its stead, else what stood around it. */
function rescue(changes: readonly MutationRecord[]): void {
  if (held === null || !focusIsLost()) return;
  const { control, around } = held;
  const isItsRemoval = changes.some(({ removedNodes }) => [...removedNodes].some((node) => node.contains(control)));
  if (!isItsRemoval) return;
  const overlay = [control, ...around].find((box) => box.matches(OVERLAY));
  if (overlay !== undefined && !overlay.isConnected) return;
  const standing = around.findIndex((box) => box.isConnected);
  const box = around[standing];
  if (box === undefined) return;
  // What has just opened, or is about to, takes the focus itself.
  const open = control.ownerDocument.querySelector('[data-state="open"]:is([role="dialog"], [role="menu"])');
  if (open !== null && !open.contains(box)) return;
  const came = changes
    .filter(({ target }) => target === box)
    .flatMap(({ addedNodes }) => [...addedNodes])
    .find((node): node is HTMLElement => node instanceof HTMLElement && node.isConnected);
  if (came?.matches('[aria-expanded="true"]')) return;
  if (came !== undefined && focusOn(controlIn(came) ?? came)) return;
  for (const each of around.slice(standing)) {
    if (isWholePage(each)) break;
    if (focusOn(each)) return;
  }
  focusOnPage();
}

/** A control that came, alone or in a wrapper of its own; a larger thing is focused as a whole, so that it is read from its start. */
function controlIn(element: HTMLElement): HTMLElement | null {
  if (element.matches(CONTROL)) return element;
  const controls = element.querySelectorAll<HTMLElement>(CONTROL);
  const [only] = controls;
  return controls.length === 1 && only !== undefined && element.textContent === only.textContent ? only : null;
}

let watching = false;

/** Called as the page starts, before anything can be pressed; the same again is nothing. */
export function watchFocus(): void {
  if (watching || typeof document === 'undefined') return;
  watching = true;
  document.addEventListener('focusin', remember, { capture: true, passive: true });
  document.addEventListener('pointerdown', remember, { capture: true, passive: true });
  document.addEventListener('focusout', release, { capture: true, passive: true });
  new MutationObserver(rescue).observe(document, { childList: true, subtree: true });
  if (document.activeElement !== null) note(document.activeElement);
}

/** Where the focus has been, the latest first. */
export const lastPlaces = (): readonly Place[] => [...places].reverse();

/** From the top of the page on nothing is "where it was". */
export function isWholePage(element: HTMLElement): boolean {
  const isRoot = element === document.body || element.parentElement === document.body;
  return isRoot || element.tagName === 'MAIN' || element.querySelector('main') !== null;
}

/** Focuses it, also what is no control. @returns whether it has the focus now */
export function focusOn(element: HTMLElement): boolean {
  const own = element.hasAttribute('tabindex') || element.matches(CONTROL);
  if (!own) element.tabIndex = -1;
  element.focus({ preventScroll: true });
  if (document.activeElement === element) return true;
  if (!own) element.removeAttribute('tabindex');
  return false;
}

/** Where a page begins for the keyboard: the control that it marks with `data-focus-first`, else its `main`. */
export function focusOnPage(): boolean {
  const first = document.querySelector<HTMLElement>('[data-focus-first]') ?? document.querySelector('main');
  return first !== null && focusOn(first);
}
