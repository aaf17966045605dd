import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { few, shot, type Visitor, visitor, widths } from '../browser.js';
import { type Fault, fault, noFaults } from '../faults.js';
import { makeAccount } from '../people.js';
import { button, seen } from '../screens.js';

const origin = inject('origin');
const TOKEN = '/dev/discord/api/oauth2/token';
const PREFIX = 'Failed to connect to Discord: ';

/** What Discord answers, and what the modal makes of it. */
const FAILURES: { name: string; fault: Omit<Fault, 'times'>; shows: string }[] = [
  {
    name: 'a code that has expired',
    fault: { path: TOKEN, status: 400, body: { error: 'invalid_grant' } },
    shows: 'Authorization code expired. Please try connecting again.',
  },
  {
    name: 'not authorised',
    fault: { path: TOKEN, status: 401, body: { message: '401: Unauthorized', code: 0 } },
    shows: 'Authentication failed. Please check your Discord permissions.',
  },
  {
    name: 'forbidden',
    fault: { path: TOKEN, status: 403, body: { message: '403: Forbidden', code: 0 } },
    shows: 'Access denied. Please ensure you have the necessary permissions.',
  },
  {
    name: 'another redirect address than the registered one',
    fault: { path: TOKEN, status: 400, body: { error: 'redirect_uri_mismatch' } },
    shows: 'Configuration error. Please contact support.',
  },
  {
    name: 'a client that is unknown to Discord',
    fault: { path: TOKEN, status: 401, body: { error: 'invalid_client' } },
    shows: 'Discord application configuration error. Please contact support.',
  },
  {
    name: 'a grant that Discord does not take',
    fault: { path: TOKEN, status: 400, body: { error: 'unsupported_grant_type' } },
    shows: 'OAuth configuration error. Please try again.',
  },
  {
    name: 'an answer that breaks off',
    fault: { path: TOKEN, status: 0 },
    shows: 'Network error. Please check your internet connection and try again.',
  },
  {
    name: 'an account without id and name',
    fault: { path: '/dev/discord/api/users/@me', status: 200, body: { id: '', username: '' } },
    shows: 'Invalid user data',
  },
];

describe.each(widths('desk'))('a sign-in that fails (%s)', (width) => {
  let person: Visitor;

  beforeAll(async () => {
    person = await visitor(width);
  });
  afterEach(() => noFaults(origin));
  afterAll(async () => {
    expect(person.problems).toEqual([]);
  });

  test.each(few(FAILURES, 1))(
    '$name is shown in the modal, with the eight steps and a way on',
    async ({ fault: wanted, shows }) => {
      const { page } = person;
      const account = await makeAccount(origin, 1);
      await fault(origin, { ...wanted, times: 20 });
      // The same way as by the buttons, which sign-in.test.ts presses.
      await page.goto(`${origin}/api/auth/discord`);
      await page.waitForURL(/\/dev\/discord\/oauth2\/authorize/);
      const authorize = new URL(page.url());
      authorize.searchParams.set('account', account.id);
      await page.goto(authorize.href);
      const modal = page.getByRole('dialog');
      await seen(modal, `${PREFIX}${shows}`);
      expect(await modal.getByRole('listitem').count()).toBe(8);
      await button(modal, 'Try again').waitFor();
      expect(new URL(page.url()).search).toBe('');
      await shot(page, `sign-in-${shows}-${width}`.replace(/\W+/g, '-'));
    },
  );

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
