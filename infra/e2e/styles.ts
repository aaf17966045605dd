import type { Page } from 'playwright-core';

/** Runs in the page. */
const READ_CLASSES = `(() => {
  const found = { ui: new Set(), none: new Set() };
  const take = (rules, layer) => {
    for (const rule of rules) {
      if (rule instanceof CSSLayerBlockRule) take(rule.cssRules, rule.name);
      else if (rule.selectorText === undefined) take(rule.cssRules ?? [], layer);
      else for (const [, name] of rule.selectorText.matchAll(/\\.([\\w-]+)/g)) found[layer]?.add(name);
    }
  };
  for (const { cssRules } of document.styleSheets) take(cssRules, 'none');
  return { ui: [...found.ui], both: [...found.ui].filter((name) => found.none.has(name)) };
})()`;

/**
 * The classes of the design system in a page's styles: those in its layer, and of them those that some file has outside of it, too.
 * Outside, a rule of the design system would overrule what a caller sets, by the order in which files came.
 */
export function classesOfUi(page: Page): Promise<{ ui: string[]; both: string[] }> {
  return page.evaluate(READ_CLASSES);
}

/** A property as the browser has worked it out, of the first element of that selector. */
export function styleOf(page: Page, selector: string, property: string): Promise<string> {
  return page.evaluate(`getComputedStyle(document.querySelector('${selector}')).getPropertyValue('${property}')`);
}
