import { afterAll, describe, expect, inject, test } from 'vitest';
import { inProof, shot, visitor } from '../browser.js';
import { fault, noFaults } from '../faults.js';
import { approve, ledgerMicro, makeAccount, ownId, shown, signIn } from '../people.js';

const origin = inject('origin');
const CONNECT = 'Connect Discord & Start Mining';

afterAll(async () => {
  await noFaults(origin);
});

describe('signing in', () => {
  inProof('a newcomer comes through Discord’s page and sees what was really credited', async () => {
    const person = await visitor();
    const { page } = person;
    await signIn(page, origin, await makeAccount(origin, 5.4));
    const welcome = page.getByRole('dialog');
    await welcome.waitFor();
    expect(await welcome.textContent()).toContain('870.00');
    await shot(page, 'welcome-desk');
    await page.keyboard.press('Escape');
    await expect.poll(() => shown(page, 'balance')).toBe(870);
    expect(await ledgerMicro(page, await ownId(page))).toBe(870_000_000);
    await shot(page, 'dashboard-new-desk');
    await person.leave();
  });

  test('who comes back by a link to a miner is welcomed there as one who returns, and is not credited again', async () => {
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

  /** Leaves for Discord’s page and comes back by `there`; gives what the modal shows. `folded`: what helps is one press away. */
  const failed = async (
    there: (page: import('playwright-core').Page) => Promise<void>,
    { folded = false } = {},
  ): Promise<string> => {
    const person = await visitor();
    const { page } = person;
    await page.goto(origin);
    await page.getByRole('button', { name: CONNECT }).first().click();
    await page.getByRole('button', { name: 'Continue to Discord' }).click();
    await page.waitForURL(/\/dev\/discord\/oauth2\/authorize/);
    await there(page);
    const modal = page.getByRole('dialog');
    await modal.getByRole('button', { name: 'Try again' }).waitFor();
    const text = (await modal.textContent()) ?? '';
    const steps = modal.getByRole('listitem');
    if (folded) {
      expect(await steps.count()).toBe(0);
      await modal.getByText('If it keeps failing').click();
    }
    expect(await steps.count()).toBe(8);
    await shot(page, `sign-in-failed-${Date.now()}`);
    await person.leave();
    return text;
  };
  const authorizeWith = async (page: import('playwright-core').Page, name: string, value: string) => {
    const address = new URL(page.url());
    address.searchParams.set(name, value);
    await page.goto(address.href);
  };

  inProof('who denies reads Discord’s own text', async () => {
    const text = await failed((page) => authorizeWith(page, 'deny', '1'), { folded: true });
    expect(text).toContain('Failed to connect to Discord: Discord authorization failed: ');
  });

  inProof('a sign-in whose state is gone shows it', async () => {
    const account = await makeAccount(origin, 1);
    const text = await failed(async (page) => {
      await page.context().clearCookies();
      await authorizeWith(page, 'account', account.id);
    });
    expect(text).toContain(
      'Failed to connect to Discord: Invalid OAuth state. This could be due to an expired session or security issue. Please try connecting again.',
    );
  });

  inProof('a code that Discord no longer takes shows it', async () => {
    const account = await makeAccount(origin, 1);
    await fault(origin, {
      path: '/dev/discord/api/oauth2/token',
      status: 400,
      body: { error: 'invalid_grant' },
      times: 1,
    });
    const text = await failed((page) => authorizeWith(page, 'account', account.id));
    expect(text).toContain('Failed to connect to Discord: Authorization code expired. Please try connecting again.');
  });

  inProof('Discord down is shown, and the next try goes through', async () => {
    const account = await makeAccount(origin, 1);
    const person = await visitor();
    const { page } = person;
    await fault(origin, { path: '/dev/discord/api/oauth2/token', status: 503, times: 5 });
    await page.goto(origin);
    await page.getByRole('button', { name: CONNECT }).first().click();
    await page.getByRole('button', { name: 'Continue to Discord' }).click();
    await page.waitForURL(/\/dev\/discord\/oauth2\/authorize/);
    await authorizeWith(page, 'account', account.id);
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    expect(await page.getByRole('dialog').textContent()).toContain('Please check your internet');
    await noFaults(origin);
    await page.getByRole('button', { name: 'Try again' }).click();
    await approve(page, account);
    await person.leave();
  });
});
