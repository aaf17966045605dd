import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { shot, type Visitor, visitor, widths } from '../browser.js';
import { fault, noFaults } from '../faults.js';
import { makeAccount } from '../people.js';
import { button, seen } from '../screens.js';

const origin = inject('origin');
const TOKEN = '/dev/discord/api/oauth2/token';
const PREFIX = 'Failed to connect to Discord: ';

describe.each(widths('desk'))('a sign-in that fails (%s)', (width) => {
  let person: Visitor;

  beforeAll(async () => {
    person = await visitor(width);
  });
  afterEach(() => noFaults(origin));
  afterAll(async () => {
    expect(person.problems).toEqual([]);
  });

  // Every answer of Discord by its text: services/auth/http/discord.test.ts, shell/auth-modal/texts.test.ts.
  test('a code that has expired is shown in the modal, with the eight steps and a way on', async () => {
    const { page } = person;
    const account = await makeAccount(origin, 1);
    await fault(origin, { path: TOKEN, status: 400, body: { error: 'invalid_grant' }, times: 20 });
    // The same way as by the buttons, which sign-in.test.ts presses.
    await page.goto(`${origin}/api/auth/discord`);
    await page.waitForURL(/\/dev\/discord\/oauth2\/authorize/);
    const authorize = new URL(page.url());
    authorize.searchParams.set('account', account.id);
    await page.goto(authorize.href);
    const modal = page.getByRole('dialog');
    await seen(modal, `${PREFIX}Authorization code expired. Please try connecting again.`);
    expect(await modal.getByRole('listitem').count()).toBe(8);
    await button(modal, 'Try again').waitFor();
    expect(new URL(page.url()).search).toBe('');
    await shot(page, `sign-in-code-expired-${width}`);
  });

  test('a sign-in that cannot even begin is shown before the page is left', async () => {
    const { page } = person;
    await page.goto(origin);
    await button(page, 'Connect Discord & Start Mining').click();
    await fault(origin, { path: '/api/auth/.well-known/jwks.json', status: 503, times: 20 });
    await button(page, 'Continue to Discord').click();
    await seen(page.getByRole('dialog'), `${PREFIX}Failed to initiate Discord login.`);
    await noFaults(origin);
    await fault(origin, { path: '/api/auth/.well-known/jwks.json', status: 0, times: 20 });
    await button(page, 'Try again').click();
    await seen(
      page.getByRole('dialog'),
      `${PREFIX}Network connection failed. Please check your internet and try again.`,
    );
  });
});
