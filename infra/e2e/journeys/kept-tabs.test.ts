import type { Page } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';
import { shot, visitor, widths } from '../browser.js';
import { enter } from '../people.js';
import { goTo } from '../screens.js';

const origin = inject('origin');

const scrolled = (page: Page) => page.evaluate<number>('scrollY');
const query = (page: Page) => new URL(page.url()).search;

describe.each(widths('phone'))('hidden tabs of the app (%s)', (width) => {
  test('keep typed text, choices and scroll position, and send no requests', async () => {
    const person = await visitor(width);
    const { page } = person;
    await page.clock.install();
    // Pages poll only without a live stream.
    await page.route('**/api/events', (route) => route.abort());
    await enter(person, origin);
    await page.goto(`${origin}/?tab=leaderboard&period=weekly&search=ad`);
    const search = page.getByPlaceholder('Search by username');
    expect(await search.inputValue()).toBe('ad');
    expect(await page.getByRole('radio', { name: 'Weekly' }).isChecked()).toBe(true);

    await goTo(page, 'settings', width);
    // The new page scrolls to its top with the next frame, and then gets the focus; an earlier scroll is undone.
    await expect.poll(() => page.evaluate<string>('document.activeElement.id')).toBe('page');
    const subject = page.getByLabel('Subject');
    await subject.fill('My streak');
    // The wallet's part is above and loads with its module; a browser anchors the scroll position to content, not to a number.
    await page.getByRole('button', { name: 'Purchase Badge of Honor' }).waitFor();
    const left = 700;
    await page.evaluate(`scrollTo({ top: ${left}, behavior: 'instant' })`);
    expect(await scrolled(page)).toBe(left);

    // Requests of a page every 30 s, while it is shown and while it is kept.
    const paths: string[] = [];
    page.on('request', (request) => paths.push(new URL(request.url()).pathname));
    const requestedInAMinute = async () => {
      paths.length = 0;
      for (let second = 0; second < 70; second += 5) {
        await page.clock.runFor(5_000);
        // The page's own request has started, and gets its response before its timeout.
        await page.evaluate(`fetch('/api/leaderboard/global').then(() => undefined)`);
      }
      return paths.filter((path) => path === '/api/leaderboard').length;
    };
    expect(await requestedInAMinute()).toBe(0);
    await goTo(page, 'leaderboard', width);
    expect(await search.inputValue()).toBe('ad');
    expect(query(page)).toBe('?tab=leaderboard&period=weekly&search=ad');
    expect(await subject.count()).toBe(0);
    expect(await scrolled(page)).toBe(0);
    expect(await requestedInAMinute()).toBeGreaterThan(0);

    await goTo(page, 'settings', width);
    expect(await subject.inputValue()).toBe('My streak');
    await expect.poll(() => scrolled(page)).toBe(left);
    expect(await search.count()).toBe(0);
    await shot(page, `kept-settings-${width}`);
    await person.leave();
  });
});
