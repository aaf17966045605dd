import type { HoursOfDay } from '@cord/contracts/http/hours';
import type { Page } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';
import { advance } from '../../test/kit/clock.ts';
import { shot, visitor, widths } from '../browser.js';
import { api, enter } from '../people.js';
import { button, seen } from '../screens.js';

const origin = inject('origin');

const HOUR = 'yyyy-mm-ddThh'.length;
const CLOCK = 'hh:mm'.length;
const dayOf = (at: string) => at.slice(0, 'yyyy-mm-dd'.length);
const clockOf = (at: string) => at.slice('yyyy-mm-ddT'.length).slice(0, CLOCK);

const hours = (page: Page) => page.getByTestId('hours');
const rowOf = (page: Page, at: string) =>
  hours(page)
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: `${at.slice(HOUR - 2, HOUR)}:00` }) });

/** Sums the ledger's mining entries of a UTC day and the open amount, CORD. */
async function minedBy(page: Page, userId: string, day: string): Promise<number> {
  const { body } = await api<{ entries: { amount: number; at: string; source: string }[]; nextCursor: string | null }>(
    page,
    'GET',
    `/users/${userId}/ledger?limit=100`,
  );
  expect(body.nextCursor).toBeNull();
  const ofDay = body.entries.filter(({ at, source }) => source === 'mining' && dayOf(at) === day);
  return ofDay.reduce((sum, { amount }) => sum + Math.round(amount * 1e6), 0) / 1e6;
}

describe.each(widths('phone'))('the hours of a day (%s)', (width) => {
  test('open from the chart by press and by key, with run time, rate, pause reason and the ledger’s sums', async () => {
    const person = await visitor(width);
    const { page } = person;
    const { userId } = await enter(person, origin);
    const { body: session } = await api<{ startedAt: string; leaseUntil: string }>(
      page,
      'POST',
      `/users/${userId}/mining/start`,
      {},
    );
    // Leaves the page, which would renew the lease.
    await page.goto('about:blank');
    const nowMs = await advance(origin, '10h');
    const today = new Date(nowMs).toISOString().slice(0, 'yyyy-mm-dd'.length);

    await page.goto(`${origin}/?tab=dashboard&view=earnings`);
    await page.getByRole('heading', { name: 'Earnings', level: 1 }).waitFor();
    const slider = page.getByRole('slider');
    await slider.waitFor();
    expect(await hours(page).getByRole('table').count()).toBe(0);
    const { width: wide = 0, height = 0 } = (await slider.boundingBox()) ?? {};
    await slider.click({ position: { x: wide - 3, y: height / 2 } });
    await expect.poll(() => hours(page).getByRole('row').count()).toBe(25);
    const heading = hours(page).getByRole('heading', { name: 'Hour by hour' });
    await expect
      .poll(async () => {
        const { y = -1 } = (await heading.boundingBox()) ?? {};
        return y >= 0 && y < (page.viewportSize()?.height ?? 0);
      })
      .toBe(true);

    const pausedOn = dayOf(session.leaseUntil);
    await slider.focus();
    if (pausedOn !== today) await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement?.textContent')).toBe('Hour by hour');
    const paused = `Not running since ${clockOf(session.leaseUntil)}: nobody came back for 8 hours.`;
    await expect.poll(() => rowOf(page, session.leaseUntil).textContent()).toContain(paused);
    await expect
      .poll(() => rowOf(page, session.leaseUntil).textContent())
      .toContain('Ran at 1.750000 CORD/min, since ');
    await shot(page, `hours-${width}`);

    for (const day of new Set([pausedOn, dayOf(session.startedAt), today])) {
      const { status, body } = await api<HoursOfDay>(page, 'GET', `/users/${userId}/hours?day=${day}`);
      expect([status, body.unknown, body.hours.length]).toEqual([200, [], 24]);
      const sum = body.hours.reduce((all, { mined }) => all + Math.round(mined * 1e6), 0) / 1e6;
      expect(sum).toBe(await minedBy(page, userId, day));
    }
    if (dayOf(session.startedAt) !== pausedOn) await button(hours(page), 'Day before').click();
    await expect.poll(() => rowOf(page, session.startedAt).textContent()).toContain('Before you joined.');

    await button(page, 'Balance in CORD, open the ledger').click();
    await seen(page.getByRole('dialog', { name: 'Ledger' }), paused);
    await shot(page, `hours-ledger-${width}`);
    await person.leave();
  });
});
