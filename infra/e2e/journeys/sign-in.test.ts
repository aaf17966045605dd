import { afterEach, describe, expect, inject, test } from 'vitest';
import { shot, visitor } from '../browser.js';
import { fault, noFaults } from '../faults.js';
import { ledgerMicro, makeAccount, ownId, signIn } from '../people.js';
import { button, seen } from '../screens.js';

const origin = inject('origin');

afterEach(() => noFaults(origin));

describe('signing in', () => {
  test('shows the loading screen until the code has loaded, and then only the app', async () => {
    const { page, leave } = await visitor('phone');
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/assets/main.*.js', (route) => held.then(() => route.continue()));
    await page.goto(origin, { waitUntil: 'commit' });
    const loading = page.getByRole('status').filter({ hasText: 'Loading CORD' });
    await loading.locator('.length').last().waitFor();
    await shot(page, 'loading');
    release();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await loading.waitFor({ state: 'hidden' });
    await leave();
  });

  test('by a link to a miner keeps the link, and gives a returning user no second welcome credit', async () => {
    const account = await makeAccount(origin, 2.5);
    const person = await visitor('phone');
    await signIn(person.page, origin, account);
    const userId = await ownId(person.page);
    const before = await ledgerMicro(person.page, userId);
    await person.context.clearCookies();
    await signIn(person.page, `${origin}/?tab=leaderboard&miner=${userId}`, account);
    await person.page.getByRole('dialog').waitFor();
    const { searchParams } = new URL(person.page.url());
    expect([searchParams.get('tab'), searchParams.get('miner')]).toEqual(['leaderboard', userId]);
    await shot(person.page, 'welcome-back-phone');
    await person.page.keyboard.press('Escape');
    await person.page.getByRole('heading', { level: 1, name: account.username }).waitFor();
    expect(await ledgerMicro(person.page, userId)).toBe(before);
    await person.leave();
  });

  // Texts of every Discord response: services/auth/http/discord.test.ts, shell/auth-modal/texts.test.ts.
  test('with an expired code shows the error in the modal, with the eight steps and a retry button', async () => {
    const person = await visitor();
    const { page } = person;
    const account = await makeAccount(origin, 1);
    const path = '/dev/discord/api/oauth2/token';
    await fault(origin, { path, status: 400, body: { error: 'invalid_grant' }, times: 20 });
    await page.goto(`${origin}/api/auth/discord`);
    await page.waitForURL(/\/dev\/discord\/oauth2\/authorize/);
    const authorize = new URL(page.url());
    authorize.searchParams.set('account', account.id);
    await page.goto(authorize.href);
    const modal = page.getByRole('dialog');
    await seen(modal, 'Failed to connect to Discord: Authorization code expired. Please try connecting again.');
    expect(await modal.getByRole('listitem').count()).toBe(8);
    await button(modal, 'Try again').waitFor();
    expect(new URL(page.url()).search).toBe('');
    await shot(page, 'sign-in-code-expired');
    await person.leave();
  });
});
