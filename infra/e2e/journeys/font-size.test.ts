import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { browserOfFontSize, few, shot, VIEWPORTS, type Visitor, visitor, type Width, widths } from '../browser.js';
import { cutOff } from '../cut-off.js';
import { enter, enterAsOperator } from '../people.js';

const origin = inject('origin');

/** px, as in "Very large" of Chrome's settings; the default is 16. */
const SET_PX = 24;
const LARGER = SET_PX / 16;

/** Tabs and views, each with what shows that it has loaded. */
const PLACES: Record<string, (page: Page) => Promise<unknown>> = {
  '?tab=dashboard': (page) => page.getByTestId('open-earnings').first().waitFor(),
  '?tab=node': (page) => page.getByTestId('node-toggle').first().waitFor(),
  '?tab=tasks': (page) => page.getByTestId('task-early-adopter').waitFor(),
  '?tab=tasks&view=streak': (page) => page.getByTestId('streak-calendar').first().waitFor(),
  '?tab=leaderboard': (page) => page.getByRole('searchbox').first().waitFor(),
  '?tab=referrals': (page) => page.locator('main#page').getByRole('heading').first().waitFor(),
  '?tab=settings': (page) => page.getByTestId('settings-saved').waitFor(),
  '?view=earnings': (page) => page.getByTestId('earnings-total').waitFor(),
};

/** The label of the button that begins a sign-in. */
const SIGN_IN = { 'en-GB': 'Connect Discord & Start Mining', de: 'Mit Discord starten' };
const CASES = few(['en-GB', 'de'] as const, 1).flatMap((locale) => widths('phone').map((width) => ({ width, locale })));

let chrome: Browser;
beforeAll(async () => {
  chrome = await browserOfFontSize(SET_PX);
});
afterAll(() => chrome.close());

/** Returns what is cut off on the page, or wider than the screen. */
async function outside(page: Page, name: string): Promise<string[]> {
  await page.waitForLoadState('networkidle');
  await page.evaluate('document.fonts.ready');
  await shot(page, `font-size-${name}`);
  const over = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  return [...(over > 0 ? [`${over} px sideways`] : []), ...(await cutOff(page))].map((line) => `${name} ${line}`);
}

/** Returns the computed font size of a text, px. */
function fontPx(page: Page, selector: string): Promise<number> {
  return page.evaluate(`Number.parseFloat(getComputedStyle(document.querySelector('${selector}')).fontSize)`);
}

function seated(width: Width, locale?: string): Promise<Visitor> {
  return visitor(width, { worker: false, chrome, ...(locale ? { locale } : {}) });
}

test.each(CASES)('text, icons and their boxes scale with the browser’s font size ($width, $locale)', async (place) => {
  const { width, locale } = place;
  const guest = await seated(width, locale);
  await guest.page.goto(origin);
  await guest.page.getByRole('table').waitFor();
  expect(await fontPx(guest.page, 'body')).toBe(15 * LARGER);
  const found = await outside(guest.page, `${locale} ${width} landing`);
  await guest.page.getByRole('button', { name: SIGN_IN[locale] }).first().click();
  await guest.page.getByRole('dialog').waitFor();
  found.push(...(await outside(guest.page, `${locale} ${width} sign-in`)));
  await guest.leave();

  const person = await seated(width, locale);
  const { page } = person;
  await enter(person, origin);
  for (const [query, there] of Object.entries(PLACES)) {
    // Navigates within the app, as links do: a reload for each place would double the test's time.
    await page.evaluate(`history.pushState(null, '', '/${query}'); dispatchEvent(new PopStateEvent('popstate'))`);
    await there(page);
    found.push(...(await outside(page, `${locale} ${width} ${query}`)));
  }
  expect(found).toEqual([]);

  // 1440 px have as much room as 960 px by default, so the bar of narrow screens shows, not the tabs of wide ones.
  const bar = page.locator('nav:has([data-testid=menu])');
  const { y = 0, height = 0 } = (await bar.boundingBox()) ?? {};
  expect(height).toBeGreaterThanOrEqual(64 * LARGER);
  expect(y + height).toBe(VIEWPORTS[width].height);
  const icon = await bar.locator('svg').first().boundingBox();
  expect(icon?.width).toBe(20 * LARGER);
  await person.leave();
});

test('the operators’ overview scales with the browser’s font size', async () => {
  const person = await seated('phone');
  await enterAsOperator(person, origin);
  await person.page.goto(`${origin}/?tab=admin&view=overview`);
  await person.page.locator('main#page').getByRole('heading', { level: 1 }).waitFor();
  expect(await outside(person.page, 'overview')).toEqual([]);
  await person.leave();
});
