import type { BrowserContext, Page } from 'playwright-core';

/**
 * Runs in each page: keeps what its toasts show, in the order in which they come. A toast is there for four seconds, and a busy machine may stand still for as long:
 * what was shown and has gone since was shown all the same. `find` takes the first that no earlier call has found, or one that is still there.
 */
const KEEP = `{
  const shown = [];
  const known = new WeakMap();
  const there = () => [...document.querySelectorAll('[data-testid=toast]')].filter((each) => each.checkVisibility({ visibilityProperty: true }));
  const look = () => {
    for (const element of there()) {
      const kept = known.get(element) ?? { found: false };
      if (!known.has(element)) shown.push(kept);
      known.set(element, kept);
      kept.text = element.textContent;
    }
  };
  new MutationObserver(look).observe(document, { childList: true, characterData: true, subtree: true });
  globalThis.toasts = {
    shown: () => shown.map(({ text }) => text),
    find(texts) {
      const fits = (text) => texts.every((each) => text.includes(each));
      const first = shown.find(({ text, found }) => !found && fits(text));
      if (first) first.found = true;
      return first !== undefined || there().some(({ textContent }) => fits(textContent));
    },
  };
}`;

/** For a context whose pages are looked at by `toast`. */
export const keepToasts = (context: BrowserContext): Promise<unknown> => context.addInitScript(KEEP);

/** How long a toast is waited for, ms: as long as for anything on a page (browser.ts). */
const WAIT_MS_MAX = 60_000;
const LOOK_EVERY_MS = 100;

/**
 * Resolves once the page has shown a toast with all of these texts, since it was opened and that no earlier call has found.
 * @throws after WAIT_MS_MAX, with every toast that the page has shown and what stands on it: of a run elsewhere nothing else is left
 */
export async function toast(page: Page, ...texts: string[]): Promise<void> {
  const untilMs = performance.now() + WAIT_MS_MAX;
  while (!(await page.evaluate(`toasts.find(${JSON.stringify(texts)})`))) {
    if (performance.now() > untilMs) throw new Error(`no toast of ${texts.join(', ')}: ${await standing(page)}`);
    await page.waitForTimeout(LOOK_EVERY_MS);
  }
}

async function standing(page: Page): Promise<string> {
  const shown = JSON.stringify(await page.evaluate('toasts.shown()'));
  return `${shown} were shown at ${page.url()}\n${await page.locator('body').ariaSnapshot()}`;
}
