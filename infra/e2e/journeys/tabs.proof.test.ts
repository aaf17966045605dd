import type { Page } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';
import { advance } from '../../test/kit/clock.ts';
import { shot, visitor, widths } from '../browser.js';
import { api, enter, ledgerMicro, makeAccount, shown } from '../people.js';
import { button, landing, seen, setVisible, signOut, toast } from '../screens.js';

const origin = inject('origin');

/** Height of the open dialog that requires scrolling, px. */
const CUT_PX = `(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(document.querySelector('[role="dialog"]'))`;

const node = (page: Page) => page.getByTestId('node-toggle').first();

describe.each(widths('desk'))('two tabs of one browser (%s)', (width) => {
  test('show what is done in the other without a reload, up to the sign-out', async () => {
    const person = await visitor(width);
    const here = person.page;
    const { userId } = await enter(person, origin);
    const there = await person.context.newPage();
    await there.goto(`${origin}/?tab=tasks`);
    await button(there, 'Check in for 55 CORD').waitFor();

    await button(here, 'Check in').click();
    await toast(here, 'Daily Check-in Complete!');
    await seen(there, 'Claimed today');
    await expect.poll(() => shown(there, 'streak')).toBe(1);

    await button(there.getByTestId('task-early-adopter'), 'Claim 2,625.00 CORD').click();
    await seen(there.getByTestId('task-early-adopter'), 'Completed');
    await button(here, 'Claim 5,000 CORD').click();
    await seen(here, 'Compensation Claimed');
    const due = (await ledgerMicro(here, userId)) / 1e6;
    expect(due).toBe(870 + 55 + 2_625 + 5_000);
    for (const page of [here, there]) await expect.poll(() => shown(page, 'balance')).toBe(due);

    // The answer loads after the dialog opens; it is then fully visible, on the side with room for it.
    await button(here, 'Why this number? Rank').click();
    await seen(here.getByRole('dialog'), 'Open the ledger');
    await expect.poll(() => here.evaluate(CUT_PX)).toBe(0);
    await here.keyboard.press('Escape');

    await node(here).click();
    await toast(here, 'Mining Node Started!');
    await there.getByTestId('tab-node').first().click();
    await node(there).filter({ hasText: 'Stop Mining' }).waitFor();
    await node(there).click();
    await toast(there, 'Mining Node Stopped');
    await node(here).filter({ hasText: 'Start Mining' }).waitFor();
    const mined = (await ledgerMicro(here, userId)) / 1e6;
    for (const page of [here, there]) await expect.poll(() => shown(page, 'balance')).toBe(mined);

    await signOut(here, width);
    await landing(there);
    await person.leave();
  });

  test('show the paused node and the ledger’s balance after nine hours in the background', async () => {
    const person = await visitor(width);
    const { page } = person;
    const { userId } = await enter(person, origin, { tab: 'node' });
    await node(page).click();
    await toast(page, 'Mining Node Started!');
    await seen(page, /^Runs until \d\d:\d\d/);
    expect(await shown(page, 'lease')).toBe(480);
    await setVisible(page, false);
    await advance(origin, '9h');
    await setVisible(page, true);

    await seen(page, /^Paused at \d\d:\d\d/);
    expect(await shown(page, 'lease')).toBe(0);
    // The loss of an hour's pause at 1.75 per minute is shown to the minute, and is in no balance.
    await seen(page, /^10[3-7]\.\d\d CORD$/);
    await node(page).filter({ hasText: 'Start Mining' }).waitFor();
    // Exactly eight hours of the lease at 1.75 per minute.
    const due = (await ledgerMicro(page, userId)) / 1e6;
    expect(due).toBeGreaterThanOrEqual(870 + 8 * 60 * 1.75);
    expect(due).toBeLessThan(870 + 8 * 60 * 1.75 + 1.75);
    await expect.poll(() => shown(page, 'balance')).toBe(due);
    await shot(page, `idle-paused-${width}`);

    // Only a start continues, as a new session from zero.
    await node(page).click();
    await node(page).filter({ hasText: 'Stop Mining' }).waitFor();
    await expect.poll(() => shown(page, 'session-earned')).toBeLessThan(1);

    // A user who returns after two hours sees once what came meanwhile.
    await page.goto('about:blank');
    await advance(origin, '2h');
    await page.goto(origin);
    const away = page.getByTestId('away');
    await seen(away, 'Your node kept running.');
    await expect.poll(() => shown(page, 'away-mined')).toBeGreaterThanOrEqual(2 * 60 * 1.75);
    expect(await shown(page, 'away-mined')).toBeLessThan(2 * 60 * 1.75 + 1.75);
    await button(away, 'Check in for 55 CORD').waitFor();
    await shot(page, `since-you-were-away-${width}`);
    await button(away, 'Dismiss').click();
    await page.reload();
    await node(page).filter({ hasText: 'Stop Mining' }).waitFor();
    expect(await away.count()).toBe(0);
    await person.leave();
  });

  test('lead to the landing page, once visible, when their session was ended elsewhere', async () => {
    const account = await makeAccount(origin, 5.4);
    const [person, elsewhere] = [await visitor(width), await visitor(width)];
    await enter(person, origin, { account });
    await enter(elsewhere, origin, { account, tab: 'settings' });
    await setVisible(person.page, false);
    await button(elsewhere.page, /^End the session on /).click();
    await expect.poll(() => button(elsewhere.page, /^End the session on /).count()).toBe(0);
    await setVisible(person.page, true);
    await seen(person.page, 'You are signed out. Your node and balance are not affected.');
    expect((await api(person.page, 'GET', '/auth/me')).status).toBe(401);
    expect((await api(elsewhere.page, 'GET', '/auth/me')).status).toBe(200);
    expect([...person.problems, ...elsewhere.problems]).toEqual([]);
    await Promise.all([person.close(), elsewhere.close()]);
  });
});
