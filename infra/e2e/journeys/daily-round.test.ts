import { describe, expect, inject, test } from 'vitest';
import { advance } from '../../test/kit/clock.ts';
import { shot, visitor, widths, withoutSocialPages } from '../browser.js';
import { api, enter, ledgerMicro, shown } from '../people.js';
import { button, goTo, seen, toast } from '../screens.js';
import { classesOfUi, styleOf } from '../styles.js';

const origin = inject('origin');

interface Entry {
  source: string;
  amount: number;
}

describe.each(widths('phone'))('the daily round (%s)', (width) => {
  test('has a check-in, a task, a visit with its claim, and a streak that continues tomorrow', async () => {
    const person = await visitor(width);
    const { page, context } = person;
    await withoutSocialPages(context);
    const { userId } = await enter(person, origin, { tab: 'tasks' });

    // The daily check-in; the tab is marked until it is made.
    const marked = page.getByTestId('tab-tasks').filter({ hasText: 'today is open' });
    await marked.first().waitFor();
    await button(page, 'Check in for 55 CORD').click();
    await toast(page, 'Daily Check-in Complete!', 'Earned 50 CORD + 5 CORD bonus! Streak: 1 day.');
    await seen(page, 'Claimed today');
    await seen(page, /^Next check-in /);
    await expect.poll(() => marked.count()).toBe(0);

    // An achievement that an account of five years or more has completed. 750 x 3.5.
    await button(page.getByTestId('task-early-adopter'), 'Claim 2,625.00 CORD').click();
    await toast(page, 'Achievement Completed!', '+2,625 CORD earned from "Early adopter"!');
    await seen(page.getByTestId('task-early-adopter'), 'Completed');

    // A social task opens its page in a new tab, then it can be claimed. 50 x 3.5.
    const social = page.getByTestId('task-follow-x');
    const [opened] = await Promise.all([context.waitForEvent('page'), button(social, 'Visit').click()]);
    expect(opened.url()).toBe('https://x.com/cordmining');
    await opened.close();
    await button(social, 'Claim 175.00 CORD').click();
    await toast(page, 'Social Task Completed!', '+175 CORD earned from "Follow CORD on X"!');
    await seen(social, 'Completed');
    await shot(page, `round-first-day-${width}`);

    // The filter chips show how many tasks they match.
    await page.getByRole('radio', { name: /^Social/ }).click();
    expect(await page.getByTestId(/^task-/).count()).toBe(3);
    await page.getByRole('radio', { name: /^All/ }).click();

    // Tomorrow: the check-in is open again and pays for the second day in a row.
    await advance(origin, '24h');
    await page.reload();
    await button(page, 'Check in for 60 CORD').click();
    await toast(page, 'Daily Check-in Complete!', 'Earned 50 CORD + 10 CORD bonus! Streak: 2 days.');
    await expect.poll(() => shown(page, 'streak')).toBe(2);
    await goTo(page, 'dashboard', width);
    await seen(page, '2-day streak');
    // Styles of shell, design system and two modules have loaded in arbitrary order; the callers' styles win.
    const { ui, both } = await classesOfUi(page);
    expect([ui.some((name) => name.startsWith('inset-')), both]).toEqual([true, []]);
    expect(await styleOf(page, 'dl:has([data-testid="rank"])', 'border-top-width')).toBe('1px');
    await shot(page, `round-second-day-${width}`);
    // Print: light theme, without the fixed bars.
    await page.emulateMedia({ media: 'print' });
    expect(await styleOf(page, 'html', 'color-scheme')).toBe('light');
    expect(await page.getByTestId('tab-dashboard').filter({ visible: true }).count()).toBe(0);
    // An open ledger is printed whole, without the page behind it.
    await page.emulateMedia({ media: 'screen' });
    await button(page, 'Ledger').click();
    await page.getByRole('dialog').waitFor();
    // It scrolls vertically only, also in WebKit, which measures it too wide.
    expect(await styleOf(page, '[role="dialog"]', 'overflow-x')).toBe('hidden');
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('#root').isVisible()).toBe(false);
    expect(await styleOf(page, '[role="dialog"]', 'position')).toBe('static');
    await page.emulateMedia({ media: 'screen' });
    await page.keyboard.press('Escape');

    // After a missed day the streak restarts; the longest is kept.
    await advance(origin, '48h');
    await page.goto(`${origin}/?tab=tasks`);
    await button(page, 'Check in for 55 CORD').click();
    await toast(page, 'Earned 50 CORD + 5 CORD bonus! Streak: 1 day.');
    await seen(page, 'Longest streak: 2 days');

    // The calendar opens from the card: three days kept, one missed, none before the account. Back leads to the list.
    await page.getByRole('link', { name: 'Open calendar' }).click();
    await seen(page, 'Today is done');
    expect(new URL(page.url()).searchParams.get('view')).toBe('streak');
    await expect.poll(() => page.title()).toBe('Streak · CORD');
    const days = page.getByRole('gridcell');
    const those = (text: RegExp) => days.filter({ hasText: text }).count();
    expect(await Promise.all([those(/, checked in, /), those(/, missed/), days.count()])).toEqual([3, 1, 35]);
    await seen(page, '170.00 CORD');
    await shot(page, `round-streak-${width}`);
    await page.goBack();
    await page.getByTestId('task-early-adopter').waitFor();

    // The ledger has each of these once.
    const { body } = await api<{ entries: Entry[] }>(page, 'GET', `/users/${userId}/ledger?limit=100`);
    const amounts = body.entries.map(({ source, amount }) => `${source} ${amount}`).sort();
    expect(amounts).toEqual(['checkin 55', 'checkin 55', 'checkin 60', 'task 175', 'task 2625', 'welcome 870'].sort());
    await expect.poll(() => shown(page, 'balance')).toBe((await ledgerMicro(page, userId)) / 1e6);
    await person.leave();
  });
});
