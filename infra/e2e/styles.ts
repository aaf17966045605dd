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
 * Returns the design system's classes in a page's styles: those in its layer, and those that some file also has outside
 * it. Outside the layer, a design system rule would override a caller's style, depending on file order.
 */
export function classesOfUi(page: Page): Promise<{ ui: string[]; both: string[] }> {
  return page.evaluate(READ_CLASSES);
}

/** Returns the computed value of a property, of the selector's first element. */
export function styleOf(page: Page, selector: string, property: string): Promise<string> {
  return page.evaluate(`getComputedStyle(document.querySelector('${selector}')).getPropertyValue('${property}')`);
}
