import { rulesEndpoints } from '@cord/contracts/http/rules';
import type { Page } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';
import { advance, systemNow } from '../../test/kit/clock.ts';
import { call, makeAdmin, signInByBearer } from '../api/client.js';
import { shot, visitor, widths } from '../browser.js';
import { api, enter, enterAsOperator } from '../people.js';
import { act, button, seen } from '../screens.js';

const origin = inject('origin');

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const advanceTo = async (ms: number) => advance(origin, `${Math.max(1, ms - (await systemNow(origin)))}ms`);

/** One operator proposes changes of the base rate, another one confirms them. */
async function announce(...changes: { fromMs: number; baseNano: number }[]): Promise<void> {
  const [one, other] = [await makeAdmin(await signInByBearer(origin)), await makeAdmin(await signInByBearer(origin))];
  for (const { fromMs, baseNano } of changes) {
    const reasons = { reason: 'The base rate changes', sooner: 'No journey waits for three days' };
    const body = { from: new Date(fromMs).toISOString(), changes: { baseNano }, ...reasons };
    const proposed = await call(one, rulesEndpoints.propose, { body });
    expect(proposed.status).toBe(201);
    const { id } = proposed.body as { id: string };
    const decision = { decision: 'confirm', reason: 'As agreed' };
    const confirmed = await call(other, rulesEndpoints.decide, { params: { id }, body: decision });
    expect(confirmed.status).toBe(200);
  }
}

interface Mined {
  source: string;
  facts: string;
  at: string;
}

/** Rate and length of the mining entries of a user, the oldest first. */
async function mined(page: Page, userId: string): Promise<{ rateNano: bigint; ms: number; at: string }[]> {
  const { body } = await api<{ entries: Mined[] }>(page, 'GET', `/users/${userId}/ledger?limit=100`);
  const facts = body.entries.filter(({ source }) => source === 'mining').reverse();
  return facts.map(({ facts: text, at }) => {
    const [rate = '', ms = ''] = text.split(' ');
    return { rateNano: BigInt(rate), ms: Number(ms), at };
  });
}

describe.each(widths('phone'))('the rules (%s)', (width) => {
  test('stand open to everybody; a change that two operators make is announced with the own rate, and each part of a session is paid by its own book', async () => {
    const guest = await visitor(width);
    await guest.page.goto(origin);
    await guest.page.getByRole('link', { name: 'Rules' }).click();
    await guest.page.getByRole('heading', { name: 'Rules', level: 1 }).waitFor();
    await seen(guest.page, 'Base rate');
    const person = await visitor(width);
    const { page } = person;
    const { userId } = await enter(person, origin);

    const hourMs = Math.floor((await systemNow(origin)) / HOUR_MS) * HOUR_MS;
    const fromMs = hourMs + 2 * HOUR_MS + 30 * MINUTE_MS;
    await announce({ fromMs, baseNano: 600_000_000 }, { fromMs: fromMs + HOUR_MS, baseNano: 500_000_000 });
    await page.reload();
    await page.getByTestId('own-rate-change').waitFor();
    await page.getByTestId('rules-ahead').getByRole('button', { name: 'Rules' }).click();
    await page.getByRole('heading', { name: 'Rules', level: 1 }).waitFor();
    await seen(page.getByTestId('rules-ahead'), 'Base rate: 0.500000 CORD/min before, 0.600000 CORD/min after');
    await seen(page.getByTestId('rules-ahead'), /^Less than 72 hours’ notice, because: No journey/);
    await shot(page, `rules-${width}`);
    await button(page, 'Back').click();
    await guest.page.reload();
    await guest.page.getByTestId('rules-ahead').waitFor();
    expect(await guest.page.getByTestId('own-rate-change').count()).toBe(0);

    await page.goto('about:blank');
    await advanceTo(fromMs - 10 * MINUTE_MS);
    await page.goto(origin);
    await api(page, 'POST', `/users/${userId}/mining/start`, {});
    await advanceTo(fromMs + 20 * MINUTE_MS);
    await api(page, 'POST', `/users/${userId}/deactivate-node`, {});
    const [before, after] = (await mined(page, userId)).slice(-2);
    expect(before?.at).toBe(new Date(fromMs).toISOString());
    expect(after?.rateNano).toBe(((before?.rateNano ?? 0n) * 6n) / 5n);
    expect(after?.ms).toBeGreaterThanOrEqual(20 * MINUTE_MS);
    await advanceTo(fromMs + HOUR_MS + MINUTE_MS);
  });
});

describe.each(widths('desk'))('operators who change the rules (%s)', (width) => {
  test('propose by the form, another one confirms it, and users have it in the inbox, on the dashboard and on the page of the rules', async () => {
    const people = await Promise.all([visitor(width), visitor(width), visitor(width)]);
    const [person, proposer, second] = people;
    const errors = people.map(({ page }) => {
      const found: string[] = [];
      // A system of the first day has no root: the daily check of the ledger learns it by a 404.
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
    // No task pays as much: nothing else that journeys look at changes.
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

    // The page is open all the while: it learns of the change by itself.
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
