import type { BrowserContext } from 'playwright-core';

/**
 * Runs in each page: keeps what its toasts have shown since the last press. A toast is there for four seconds, and a busy machine may stand still for as long: what
 * came after the press and has gone since was shown all the same. One from before it counts while it is there.
 */
const KEEP = `{
  const before = new WeakSet();
  let since = new Map();
  const there = () => [...document.querySelectorAll('[data-testid=toast]')].filter((each) => each.checkVisibility({ visibilityProperty: true }));
  new MutationObserver(() => {
    for (const each of there()) if (!before.has(each)) since.set(each, each.textContent);
  }).observe(document, { childList: true, characterData: true, subtree: true });
  const pressed = () => {
    for (const each of since.keys()) before.add(each);
    since = new Map();
  };
  for (const kind of ['pointerdown', 'keydown']) addEventListener(kind, pressed, true);
  globalThis.shownToasts = () => [...since.values(), ...there().map(({ textContent }) => textContent)];
}`;

/** For a context whose pages are looked at by `toast` (screens.ts). */
export const keepToasts = (context: BrowserContext): Promise<unknown> => context.addInitScript(KEEP);
