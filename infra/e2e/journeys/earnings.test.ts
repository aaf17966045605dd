import type { Page } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';
import { shot, visitor, widths } from '../browser.js';
import { api, enter, ledgerMicro, shown } from '../people.js';
import { button, seen } from '../screens.js';

const origin = inject('origin');

const query = (page: Page) => new URL(page.url()).search;

describe.each(widths('desk'))('earnings (%s)', (width) => {
  test('lead from the dashboard to the view, its table by keyboard, and back, with the ledger’s sums', async () => {
    const person = await visitor(width);
    const { page } = person;
    const { userId } = await enter(person, origin);
    await api(page, 'POST', '/daily-checkin/perform', { userId });
    const due = async () => (await ledgerMicro(page, userId)) / 1e6;
    await expect.poll(due).toBe(925);

    await page.reload();
    await page.getByTestId('open-earnings').scrollIntoViewIfNeeded();
    await expect.poll(() => shown(page, 'earnings-total')).toBe(925);
    await shot(page, `earnings-card-${width}`);
    const left = await page.evaluate<number>('scrollY');
    await page.getByTestId('open-earnings').click();
    await page.getByRole('heading', { name: 'Earnings', level: 1 }).waitFor();
    expect(query(page)).toBe('?view=earnings');
    await expect.poll(() => page.title()).toBe('Earnings · CORD');
    expect(await shown(page, 'earnings-total')).toBe(925);
    await shot(page, `earnings-view-${width}`);

    const day = page.getByRole('slider');
    await day.focus();
    await expect
      .poll(() => day.getAttribute('aria-valuetext'))
      .toMatch(/, 925\.00 CORD: check-in 55\.00, claims 870\.00$/);
    await page.keyboard.press('ArrowLeft');
    expect(await day.getAttribute('aria-valuetext')).toMatch(/, before you joined$/);
    await page.keyboard.press('t');
    const today = page.getByRole('row', { name: /^Today/ });
    await expect.poll(() => today.textContent()).toContain('925.00');
    expect(await page.evaluate('document.activeElement?.querySelector("table") !== null')).toBe(true);
    await shot(page, `earnings-table-${width}`);
    await page.getByRole('radio', { name: '7 days' }).click();
    await seen(page, 'Total, 7 days');
    expect(await shown(page, 'earnings-total')).toBe(925);

    await button(page, 'Dashboard').click();
    await page.getByRole('heading', { level: 1, name: /Welcome/ }).waitFor();
    expect(new URL(page.url()).searchParams.has('view')).toBe(false);
    await expect.poll(() => page.title()).toBe('Dashboard · CORD');
    await expect.poll(() => page.evaluate<number>('scrollY')).toBe(left);
    expect(await due()).toBe(925);
    await person.leave();
  });
});
