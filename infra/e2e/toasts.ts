import type { BrowserContext } from 'playwright-core';

/**
 * Runs in each page: records the toasts shown since the last press. A toast lasts four seconds, and a busy machine may
 * stall for as long, so one that has gone counts too. One from before the press counts while it is visible.
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

/** Records toasts in all pages of a context, for `toast` (screens.ts). */
export const keepToasts = (context: BrowserContext): Promise<unknown> => context.addInitScript(KEEP);
