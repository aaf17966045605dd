import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { few, shot, type Visitor, visitor, widths, withoutSocialPages } from '../browser.js';
import { AREAS, TOASTS } from '../failures.js';
import { fault, noFaults } from '../faults.js';
import { api, enter } from '../people.js';
import { button, seen, toast } from '../screens.js';

const origin = inject('origin');
/** More than the browser and the query library try by themselves. */
const ALWAYS = 1_000;
describe.each(widths('desk'))('when something fails (%s)', (width) => {
  let person: Visitor;
  let page: Page;

  beforeAll(async () => {
    person = await visitor(width);
    page = person.page;
    await withoutSocialPages(person.context);
    await enter(person, origin);
  });
  afterEach(() => noFaults(origin));
  afterAll(async () => {
    expect(person.problems).toEqual([]);
  });

  describe('what fails on a click is shown in a toast, and can be tried again', () => {
    test.each(few(TOASTS, 2))('$name', async ({ name, tab, fault: wanted, act, shows }) => {
      await page.goto(`${origin}/?tab=${tab}`);
      await fault(origin, { ...wanted, times: ALWAYS });
      await act?.(page);
      await toast(page, ...shows);
      await shot(page, `error-${name}-${width}`.replace(/\W+/g, '-'));
      expect((await api(page, 'GET', '/auth/me')).status).toBe(200);
    });
  });

  describe('what does not load shows it in its own place, and Retry brings it', () => {
    test.each(few(AREAS, 1))('$name', async ({ name, tab, fault: wanted, shows }) => {
      await fault(origin, { ...wanted, times: ALWAYS });
      await page.goto(`${origin}/?tab=${tab}`);
      for (const text of shows) await seen(page, text);
      await shot(page, `error-${name}-${width}`.replace(/\W+/g, '-'));
      // The rest of the page stands.
      await page.getByTestId('tab-dashboard').first().waitFor();
      await noFaults(origin);
      const retry = button(page.locator('main'), 'Retry');
      if ((await retry.count()) > 0) await retry.click();
      else await page.reload();
      await expect
        .poll(() =>
          page
            .getByText(shows.at(-1) ?? '')
            .filter({ visible: true })
            .count(),
        )
        .toBe(0);
    });
  });

  describe('mining goes on', () => {
    test('a save that fails is shown and made up for; nothing is lost', async () => {
      await page.goto(`${origin}/?tab=node`);
      await button(page, 'Start Mining').click();
      await toast(page, 'Mining Node Started!');
      const before = await page.getByTestId('session-earned').first().getAttribute('data-value');
      await fault(origin, { path: '/api/users/:id/mining/:sid/save', status: 500, times: ALWAYS });
      await button(page, 'Save now').click();
      await seen(page, /^The last save failed\. Trying again in /);
      await noFaults(origin);
      await seen(page, /^Saved .* ago|^Saved just now/);
      expect(Number(await page.getByTestId('session-earned').first().getAttribute('data-value'))).toBeGreaterThan(
        Number(before),
      );
    });
  });
});
