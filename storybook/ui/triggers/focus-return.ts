/**
 * Keeps the focus position. Overlays return the focus to where it was: Radix returns it to a trigger, but most of our dialogs
 * have none, because they open by state, are loaded lazily, or follow another dialog or a menu that is closed by then.
 * A control that is removed while it has the focus passes it to its replacement, never to the body.
 */

/** A control that had the focus, and its ancestors, innermost first, as weak references. */
export interface Place {
  control: WeakRef<HTMLElement>;
  around: WeakRef<HTMLElement>[];
}

/** Maximum number of remembered positions: enough for a menu, a sheet and a few dialogs in sequence. */
const PLACES_MAX = 24;
export const CONTROL = 'a[href], button, input, textarea, select, [tabindex]';
/** Overlays of Radix manage the focus within them. */
const OVERLAY = '[role="dialog"], [role="menu"]';

let places: Place[] = [];
/** The focused control and its ancestors; null once the user has moved the focus away. */
let held: { control: HTMLElement; around: HTMLElement[] } | null = null;

/** Some browsers do not focus a pressed button, so a press counts, too. */
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

/** Some browsers fire this event also for a removed control: only a control that is still there was left by the user. */
function release(): void {
  if (held === null) return;
  const { control } = held;
  setTimeout(() => {
    if (held?.control === control && control.isConnected && control.ownerDocument.activeElement !== control)
      held = null;
  });
}

/** Whether the focus fell to the body because the focused control was removed. */
export function focusIsLost(): boolean {
  if (held === null || held.control.isConnected) return false;
  // Uses the control's own document: an observer may run once more after the page is gone.
  const { ownerDocument } = held.control;
  return ownerDocument.activeElement === ownerDocument.body;
}

/** Focuses the replacement of a removed control, or else one of its ancestors. */
function rescue(changes: readonly MutationRecord[]): void {
  if (held === null || !focusIsLost()) return;
  const { control, around } = held;
  const wasRemoved = changes.some(({ removedNodes }) => [...removedNodes].some((node) => node.contains(control)));
  if (!wasRemoved) return;
  const overlay = [control, ...around].find((box) => box.matches(OVERLAY));
  if (overlay !== undefined && !overlay.isConnected) return;
  const standing = around.findIndex((box) => box.isConnected);
  const box = around[standing];
  if (box === undefined) return;
  // An overlay that has just opened, or is about to, takes the focus itself.
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

/** An added control, alone or in a wrapper; a larger element is focused as a whole, so that it is read from its start. */
function controlIn(element: HTMLElement): HTMLElement | null {
  if (element.matches(CONTROL)) return element;
  const controls = element.querySelectorAll<HTMLElement>(CONTROL);
  const [only] = controls;
  return controls.length === 1 && only !== undefined && element.textContent === only.textContent ? only : null;
}

let watching = false;

/** Starts watching. Call it at page start, before any input; further calls do nothing. */
export function watchFocus(): void {
  if (watching || typeof document === 'undefined') return;
  watching = true;
  document.addEventListener('focusin', remember, { capture: true, passive: true });
  document.addEventListener('pointerdown', remember, { capture: true, passive: true });
  document.addEventListener('focusout', release, { capture: true, passive: true });
  new MutationObserver(rescue).observe(document, { childList: true, subtree: true });
  if (document.activeElement !== null) note(document.activeElement);
}

/** Earlier focus positions, newest first. */
export const lastPlaces = (): readonly Place[] => [...places].reverse();

/** Whether an element is the whole page, which is too large to be a focus position. */
export function isWholePage(element: HTMLElement): boolean {
  const isRoot = element === document.body || element.parentElement === document.body;
  return isRoot || element.tagName === 'MAIN' || element.querySelector('main') !== null;
}

/** Focuses an element, also if it is not a control. @returns whether it has the focus now */
export function focusOn(element: HTMLElement): boolean {
  const own = element.hasAttribute('tabindex') || element.matches(CONTROL);
  if (!own) element.tabIndex = -1;
  element.focus({ preventScroll: true });
  if (document.activeElement === element) return true;
  if (!own) element.removeAttribute('tabindex');
  return false;
}

/** Focuses the start of the page: the control with `data-focus-first`, else its `main`. */
export function focusOnPage(): boolean {
  const first = document.querySelector<HTMLElement>('[data-focus-first]') ?? document.querySelector('main');
  return first !== null && focusOn(first);
}
