import type { Page } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';
import { inProof, shot, visitor, widths } from '../browser.js';
import { api, enter, makeAccount } from '../people.js';
import { button, seen } from '../screens.js';
import { styleOf } from '../styles.js';

const origin = inject('origin');

interface Ranked {
  username: string;
  rank: number;
  period_earned: number;
}

const search = (page: Page) => page.getByPlaceholder('Search by username');
const names = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

describe.each(widths('phone'))('rankings (%s)', (width) => {
  test('finds miners by a case-insensitive search with their true ranks, and reports when none matches', async () => {
    const tag = `lantern${Math.random().toString(36).slice(2, 7)}`;
    for (const [name, years] of [
      [`${tag}.one`, 9],
      [`${tag}.two`, 3.2],
    ] as const) {
      const other = await visitor();
      await enter(other, origin, { account: await makeAccount(origin, years, name) });
      await other.close();
    }
    const person = await visitor(width);
    const { page } = person;
    await enter(person, origin, { tab: 'leaderboard' });
    const list = async () =>
      (await api<Ranked[]>(page, 'GET', `/leaderboard?limit=100&period=all-time&search=${tag}`)).body;
    await expect.poll(async () => (await list()).length).toBe(2);
    const [first, second] = await list();

    await search(page).fill(tag.toUpperCase().slice(0, 1));
    await seen(page, 'Type at least 2 characters.');
    // Safari on iPhones zooms the page for a smaller input text.
    expect(await styleOf(page, 'input[type="search"]', 'font-size')).toBe('16px');
    await search(page).fill(tag.toUpperCase());
    await expect.poll(() => names(page, tag).count()).toBe(2);
    expect(await names(page, `${tag}.one`).textContent()).toContain(String(first?.rank));
    expect(await names(page, `${tag}.two`).textContent()).toContain(String(second?.rank));
    expect(first?.username).toBe(`${tag}.one`);
    expect((second?.rank ?? 0) > (first?.rank ?? 0)).toBe(true);
    await shot(page, `rankings-search-${width}`);

    // A literal substring, without wildcards.
    await search(page).fill(`${tag}%`);
    await seen(page, 'No miners found');
    await seen(page, `No miner’s name contains “${tag}%”.`);
    await button(page, 'Clear search').click();
    expect(await search(page).inputValue()).toBe('');
    await page.getByRole('list', { name: 'Top three' }).waitFor();
    await person.leave();
  });

  inProof('each period ranks what was earned in it, and the user’s own rank stays visible', async () => {
    const person = await visitor(width);
    const { page } = person;
    const { userId } = await enter(person, origin, { years: 0.2, tab: 'leaderboard' });
    await api(page, 'POST', '/daily-checkin/perform', { userId });
    const own = async (period: string) =>
      (await api<{ entry: Ranked | null }>(page, 'GET', `/leaderboard/me?period=${period}`)).body.entry;
    await expect.poll(async () => (await own('daily'))?.period_earned).toBe(55);
    await page.reload();

    for (const [chip, subtitle, period] of [
      ['Daily', 'What each miner has earned today (UTC), refreshed every 30 seconds.', 'daily'],
      ['Weekly', 'What each miner has earned since Monday (UTC), refreshed every 30 seconds.', 'weekly'],
      ['Monthly', 'What each miner has earned this month (UTC), refreshed every 30 seconds.', 'monthly'],
      ['All Time', 'Everything each miner has earned, refreshed every 30 seconds.', 'all-time'],
    ] as const) {
      await page.getByRole('radio', { name: chip }).click();
      await seen(page, subtitle);
      const amount = ((await own(period))?.period_earned ?? 0).toFixed(2);
      const mine = page
        .locator('main')
        .getByText('You', { exact: true })
        .locator('xpath=ancestor::*[@role="row" or self::li][1]');
      await expect.poll(async () => (await mine.allTextContents()).join(' ')).toContain(amount);
      await shot(page, `rankings-${period}-${width}`);
    }
    await person.leave();
  });
});
