import { describe, expect, inject, test } from 'vitest';
import { advance, systemNow } from '../../test/kit/clock.ts';
import { shot, visitor, widths } from '../browser.js';
import { enter, enterAsOperator } from '../people.js';
import { act, button, seen } from '../screens.js';

const origin = inject('origin');

const MINUTE_MS = 60_000;
const advanceTo = async (ms: number) => advance(origin, `${Math.max(1, ms - (await systemNow(origin)))}ms`);

describe.each(widths('desk'))('a change of rules by operators (%s)', (width) => {
  test('is proposed, confirmed by another operator, and shown to users in the inbox, dashboard and rules page', async () => {
    const people = await Promise.all([visitor(width), visitor(width), visitor(width)]);
    const [person, proposer, second] = people;
    const errors = people.map(({ page }) => {
      const found: string[] = [];
      // A system on its first day has no root, so the daily check of the ledger gets a 404.
      page.on('console', (message) => {
        const { url } = message.location();
        if (message.type() === 'error' && !/\/ledger\/proof|\/log\/|\/roots\//.test(url))
          found.push(`${message.text()} ${url}`);
      });
      return found;
    });
    await enter(person, origin);
    for (const operator of [proposer, second]) {
      await enterAsOperator(operator, origin);
      await operator.page.goto(`${origin}/?tab=admin&view=rules`);
      await operator.page.getByRole('heading', { name: 'Rules', level: 1 }).waitFor();
    }
    const fromMs = Math.ceil((await systemNow(origin)) / MINUTE_MS) * MINUTE_MS + 90 * MINUTE_MS;
    await button(proposer.page, 'New rules').click();
    const form = proposer.page.getByRole('form', { name: 'New rules' });
    await form.getByLabel('Takes effect, UTC').fill(new Date(fromMs).toISOString().slice(0, 16));
    await form.getByLabel('Reason for the short notice, shown to users').fill('No journey waits for three days');
    // No task pays that much, so nothing that other journeys check changes.
    const most = form.getByLabel('Base reward of a task, at most, CORD');
    const isFull = (await most.inputValue()) === '10000';
    await most.fill(isFull ? '9999.999999' : '10000');
    await shot(proposer.page, `rules-form-${width}`);
    await act(button(form, 'Propose'), 'Tasks pay a little less');
    const own = proposer.page.getByTestId('proposal');
    await seen(own, 'Another operator has to confirm your proposal.');

    const [full, less] = ['10,000 CORD', '9,999.999999 CORD'];
    const [before, after] = isFull ? [full, less] : [less, full];
    const line = `Base reward of a task, at most: ${before} before, ${after} after`;
    const waiting = second.page.getByTestId('proposal');
    await seen(waiting, line);
    await shot(second.page, `rules-proposal-${width}`);
    await act(button(waiting, 'Confirm'), 'I have checked the numbers');
    await seen(second.page.getByTestId('announced'), line);
    await shot(second.page, `rules-announced-${width}`);

    // The page stays open and gets the change by itself.
    const { page } = person;
    await page.getByTestId('own-rate-change').waitFor();
    await shot(page, `rules-card-${width}`);
    await expect.poll(() => page.getByTestId('notices-unread').getAttribute('data-value')).toBe('1');
    await page.getByTestId('notices-unread').click();
    await page
      .getByTestId('notices')
      .getByRole('link', { name: /^The rules change on / })
      .click();
    await page.getByRole('heading', { name: 'Rules', level: 1 }).waitFor();
    await seen(page.getByTestId('rules-ahead'), line);
    await seen(page.getByTestId('rules-ahead'), 'Tasks pay a little less');
    await shot(page, `rules-page-${width}`);
    expect(people.map(({ problems }) => problems)).toEqual([[], [], []]);
    expect(errors).toEqual([[], [], []]);
    for (const { page: each } of people) await each.goto('about:blank');
    await advanceTo(fromMs + MINUTE_MS);
  });
});
