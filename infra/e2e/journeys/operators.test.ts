import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { launch, shot, visitor, widths } from '../browser.js';
import { api, enter } from '../people.js';
import { seen } from '../screens.js';

const origin = inject('origin');
let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser?.close());

describe.each(widths('desk'))('the operators’ room (%s)', (width) => {
  test('is a tab for admins alone: who becomes one finds it, and who is none is refused by the services', async () => {
    const person = await visitor(browser, width);
    const { page } = person;
    await enter(person, origin);
    expect(await page.getByTestId('tab-admin').count()).toBe(0);
    expect((await api(page, 'GET', '/admin/overview')).status).toBe(403);
    const { body } = await api<{ user: { id: string } }>(page, 'GET', '/auth/me');
    await fetch(`${origin}/dev/users/${body.user.id}/admin`, { method: 'POST' });
    await expect.poll(async () => (await api(page, 'GET', '/admin/overview')).status).toBe(200);

    await page.goto(`${origin}/?tab=admin`);
    const room = page.getByTestId('operators-overview');
    await room.getByRole('heading', { name: 'Overview', exact: true }).waitFor();
    await room.getByTestId('issued-chart').waitFor();
    await seen(room, 'Active nodes');
    await seen(room, '7 of 7 as usual');
    // What was issued today has the welcome credit of whoever looks.
    await room.getByRole('radio', { name: 'Table' }).check();
    const [, today] = await room.getByRole('table', { name: 'CORD issued by source' }).getByRole('row').all();
    await expect.poll(() => today?.getByRole('cell').last().textContent()).not.toBe('0.00');
    await shot(page, `operators-overview-${width}`);

    const writer = await visitor(browser, width);
    await enter(writer, origin);
    const asked = { kind: 'support', subject: 'My streak says 4', text: 'It was 5 yesterday evening.' };
    const filed = await api<{ id: string }>(writer.page, 'POST', '/support', asked);
    await page.goto(`${origin}/?tab=admin&view=support&case=${filed.body.id}`);
    const one = page.getByTestId('case');
    await seen(one, 'It was 5 yesterday evening.');
    await one.getByRole('button', { name: /^Take it/ }).click();
    await seen(one, /You took it at/);
    await one.getByRole('textbox').fill('Thank you. It counts from 00:00 UTC.');
    await one.getByRole('button', { name: 'Answer', exact: true }).click();
    await seen(one, /^Answered /);
    await shot(page, `operators-case-${width}`);
    const own = async () => (await api<{ answer: string | null }[]>(writer.page, 'GET', '/support')).body[0]?.answer;
    await expect.poll(own).toBe('Thank you. It counts from 00:00 UTC.');
    expect(person.problems.filter((problem) => !/403/.test(problem))).toEqual([]);
  });
});
