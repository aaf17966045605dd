import type { Page } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';
import { inProof, shot, visitor, widths } from '../browser.js';
import { enter } from '../people.js';
import { button, goTo, seen } from '../screens.js';

const origin = inject('origin');

const scrolled = (page: Page) => page.evaluate<number>('scrollY');
const query = (page: Page) => new URL(page.url()).search;

describe.each(widths('phone'))('tabs that were left (%s)', (width) => {
  test('stay as they were: typed text, choices and scroll; and request nothing meanwhile', async () => {
    const person = await visitor(width);
    const { page } = person;
    await page.clock.install();
    // While the stream brings what is new, no page requests by itself.
    await page.route('**/api/events', (route) => route.abort());
    await enter(person, origin);
    await page.goto(`${origin}/?tab=leaderboard&period=weekly&search=ad`);
    const search = page.getByPlaceholder('Search by username');
    expect(await search.inputValue()).toBe('ad');
    expect(await page.getByRole('radio', { name: 'Weekly' }).isChecked()).toBe(true);

    await goTo(page, 'settings', width);
    // The new page is put to its top with the next frame, and then has the focus: who scrolls before is put back.
    await expect.poll(() => page.evaluate<string>('document.activeElement.id')).toBe('page');
    const subject = page.getByLabel('Subject');
    await subject.fill('My streak');
    const left = 700;
    await page.evaluate(`scrollTo({ top: ${left}, behavior: 'instant' })`);
    expect(await scrolled(page)).toBe(left);

    // What a page requests every 30 s, while it is shown and while it is kept.
    const paths: string[] = [];
    page.on('request', (request) => paths.push(new URL(request.url()).pathname));
    const requestedInAMinute = async () => {
      paths.length = 0;
      for (let second = 0; second < 70; second += 5) {
        await page.clock.runFor(5_000);
        // What the page began to request is on its way, and has its answer before its own time-out.
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

  inProof('Back closes what lies over the page, once, and then leads to the tab before, as it was', async () => {
    const person = await visitor(width);
    const { page } = person;
    await enter(person, origin);
    await goTo(page, 'tasks', width);
    await page.getByRole('radio', { name: /^Social/ }).click();
    expect(query(page)).toBe('?tab=tasks&category=social');
    await goTo(page, 'settings', width);
    await button(page, 'Sign Out').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Sign out of CORD?').waitFor();
    await page.goBack();
    await expect.poll(() => dialog.count()).toBe(0);
    expect(query(page)).toBe('?tab=settings');

    // Closed by its own button it leaves no step; the menu that leads to another tab neither.
    await button(page, 'Sign Out').click();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => dialog.count()).toBe(0);
    await goTo(page, 'referrals', width);
    await seen(page, 'Referrals');
    await page.goBack();
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    await page.goBack();
    expect(await page.getByRole('radio', { name: /^Social/ }).isChecked()).toBe(true);
    expect(query(page)).toBe('?tab=tasks&category=social');
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: /Welcome/ }).waitFor();
    expect(query(page)).toBe('?tab=dashboard');
    await person.leave();
  });

  inProof('are where they were after a reload, though their content comes later', async () => {
    const person = await visitor(width);
    const { page } = person;
    await enter(person, origin, { tab: 'settings' });
    for (const [query, last] of [
      ['?tab=settings', 'settings-saved'],
      ['?tab=tasks', 'task-early-adopter'],
    ] as const) {
      await page.goto(`${origin}/${query}`);
      // All of it is there: the place does not move any more.
      await page.getByTestId(last).waitFor();
      await page.waitForLoadState('networkidle');
      // As far as the page goes: at this width it may be shorter.
      await page.evaluate(`scrollTo({ top: 700, behavior: 'instant' })`);
      const left = await scrolled(page);
      expect(left).toBeGreaterThan(100);
      await page.reload();
      await expect.poll(() => scrolled(page)).toBe(left);
    }
    // Another tab begins at its top.
    await goTo(page, 'leaderboard', width);
    await page.getByPlaceholder('Search by username').waitFor();
    expect(await scrolled(page)).toBe(0);
    await person.leave();
  });
});
