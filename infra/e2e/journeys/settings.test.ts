import type { Page } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';
import { shot, visitor, widths } from '../browser.js';
import { api, enter, makeAccount, ownId, shown, signIn } from '../people.js';
import { button, landing, seen, toast } from '../screens.js';

const origin = inject('origin');

const toggle = (page: Page, name: string) => page.getByRole('switch', { name });
const isOn = (page: Page, name: string) => toggle(page, name).getAttribute('aria-checked');

describe.each(widths('desk'))('settings (%s)', (width) => {
  test('persist over a reload and a new sign-in, and auto-start starts the node at sign-in', async () => {
    const person = await visitor(width);
    const { page } = person;
    const account = await makeAccount(origin, 5.4);
    await enter(person, origin, { account, tab: 'settings' });
    expect([await isOn(page, 'Auto-start'), await isOn(page, 'Notifications')]).toEqual(['false', 'true']);
    for (const [name, after] of [
      ['Auto-start', 'true'],
      ['Notifications', 'false'],
    ] as const) {
      const saved = page.waitForResponse((answer) => answer.request().method() === 'PUT' && answer.ok());
      await toggle(page, name).click();
      await saved;
      expect(await isOn(page, name)).toBe(after);
    }
    await shot(page, `settings-${width}`);
    await page.reload();
    await toggle(page, 'Auto-start').waitFor();
    expect([await isOn(page, 'Auto-start'), await isOn(page, 'Notifications')]).toEqual(['true', 'false']);
    // A reload is not a sign-in.
    await page.getByTestId('tab-dashboard').first().click();
    await page.getByTestId('node-toggle').first().filter({ hasText: 'Start Mining' }).waitFor();

    await person.context.clearCookies();
    await signIn(page, origin, account);
    await toast(page, 'Mining Node Started!', 'Earning 1.750000 CORD/min');
    await person.leave();
  });

  test('delete an account only with its typed name, and its one-time rewards cannot be claimed again', async () => {
    const person = await visitor(width);
    const { page } = person;
    const account = await makeAccount(origin, 5.4);
    const { username, userId } = await enter(person, origin, { account, tab: 'settings' });
    await button(page, 'Delete account').click();
    const dialog = page.getByRole('dialog');
    await seen(dialog, 'Delete this account?');
    await seen(dialog, 'Your balance of 870.00 CORD is gone.');
    await seen(dialog, 'A one-way mark stays, so that one-time rewards cannot be claimed again.');
    const confirm = dialog.getByRole('button', { name: 'Delete account' });
    expect(await confirm.getAttribute('aria-disabled')).toBe('true');
    await dialog.getByLabel(`Type ${username} to confirm`).fill(`${username}x`);
    expect(await confirm.getAttribute('aria-disabled')).toBe('true');
    await shot(page, `settings-delete-${width}`);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect((await api(page, 'GET', '/auth/me')).status).toBe(200);

    await button(page, 'Delete account').click();
    await dialog.getByLabel(`Type ${username} to confirm`).fill(username);
    await confirm.click();
    await landing(page);
    expect((await api(page, 'GET', '/auth/me')).status).toBe(401);

    // The same Discord account comes back as a new user, without the welcome credit.
    await signIn(page, origin, account);
    await page.getByTestId('welcome-popup').waitFor();
    await page.keyboard.press('Escape');
    expect(await ownId(page)).not.toBe(userId);
    await expect.poll(() => shown(page, 'balance')).toBe(0);
    await person.leave();
  });
});
