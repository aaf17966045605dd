import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';
import { inProof, shot, visitor, widths, ZONES } from '../browser.js';
import { api, enter, makeAccount, ownCode, ownId, shown, signIn } from '../people.js';
import { button, landing, seen, toast } from '../screens.js';

const origin = inject('origin');

const toggle = (page: Page, name: string) => page.getByRole('switch', { name });
const isOn = (page: Page, name: string) => toggle(page, name).getAttribute('aria-checked');

describe.each(widths('desk'))('settings (%s)', (width) => {
  test('toggles outlive a reload and a new sign-in; auto-start starts the node', async () => {
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
    // A reload is no sign-in.
    await page.getByTestId('tab-dashboard').first().click();
    await page.getByTestId('node-toggle').first().filter({ hasText: 'Start Mining' }).waitFor();

    await person.context.clearCookies();
    await signIn(page, origin, account);
    await toast(page, 'Mining Node Started!', 'Earning 1.750000 CORD/min');
    await person.leave();
  });

  inProof(
    'theme and language go with the account to a new device; the theme stands in the page before its code runs',
    async () => {
      const person = await visitor(width);
      const account = await makeAccount(origin, 5.4);
      await enter(person, origin, { account, tab: 'settings' });
      const saved = person.page.waitForResponse((answer) => answer.request().method() === 'PUT' && answer.ok());
      await person.page.getByRole('radio', { name: 'Light' }).click();
      await saved;
      await person.page.getByTestId('language').click();
      await person.page.getByRole('menuitem', { name: /Deutsch/ }).click();
      await person.page.getByRole('heading', { name: 'Einstellungen' }).waitFor();
      await shot(person.page, `settings-german-${width}`);
      await person.close();

      const other = await visitor(width);
      const { page } = other;
      const theme = () => page.locator('html').getAttribute('data-theme');
      await page.goto(origin);
      await landing(page);
      expect(await theme()).toBeNull();
      await enter(other, origin, { account });
      await expect.poll(theme).toBe('light');
      await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('de');
      await seen(page, /Willkommen/);
      const html = await (await page.reload())?.text();
      expect(html).toContain('<html data-theme="light"');
      await other.leave();
    },
  );

  inProof('the export is a file with the own numbers', async () => {
    const person = await visitor(width);
    const { page } = person;
    const { userId, username } = await enter(person, origin, { tab: 'settings' });
    const referralCode = await ownCode(page, userId);
    const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Export').click()]);
    expect(download.suggestedFilename()).toMatch(new RegExp(`^cord-${username}-\\d{4}-\\d\\d-\\d\\d\\.json$`));
    const file = JSON.parse(await text(await download.createReadStream())) as Record<string, unknown>;
    expect(file).toMatchObject({
      username,
      total_earned: 870,
      current_balance: 870,
      account_age: 5.4,
      multiplier: 3.5,
      referralCode,
    });
    expect(Number.isNaN(Date.parse(String(file.exportDate)))).toBe(false);
    expect(JSON.stringify(file)).not.toMatch(/token|secret|cookie/i);
    await person.leave();
  });

  test('an account is deleted only by its typed name, and one-time rewards do not come again', async () => {
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

for (const zone of ZONES) inProof(`a check-in stands under its day of the server in ${zone}`, () => checkInAt(zone));

async function checkInAt(zone: string): Promise<void> {
  const person = await visitor('desk', { timeZone: zone });
  const { page } = person;
  await enter(person, origin, { tab: 'settings' });
  const { body } = await api(page, 'POST', '/daily-checkin/perform', { userId: await ownId(page) });
  expect(body).toMatchObject({ success: true });
  const { body: days } = await api<{ dayKey: string }[]>(
    page,
    'GET',
    `/daily-checkin/history/${await ownId(page)}?days=7`,
  );
  const format = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
  await button(page, 'View').click();
  const list = page.getByRole('region', { name: 'Check-ins' });
  await seen(list, format.format(Date.parse(days[0]?.dayKey ?? '')));
  await person.leave();
}
