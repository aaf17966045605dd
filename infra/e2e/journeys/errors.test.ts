import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { few, inProof, shot, type Visitor, visitor, widths, withoutSocialPages } from '../browser.js';
import { AREAS, TOASTS } from '../failures.js';
import { fault, noFaults } from '../faults.js';
import { api, enter } from '../people.js';
import { button, seen, signOut, toast } from '../screens.js';

const origin = inject('origin');
/** More than the browser and the query library try by themselves. */
const ALWAYS = 1_000;
describe.each(widths('desk'))('when something fails (%s)', (width) => {
  let person: Visitor;
  let page: Page;
  let userId: string;

  beforeAll(async () => {
    person = await visitor(width);
    page = person.page;
    await withoutSocialPages(person.context);
    ({ userId } = await enter(person, origin));
  });
  afterEach(() => noFaults(origin));
  afterAll(async () => {
    expect(person.problems).toEqual([]);
  });

  describe('what fails on a click is shown in a toast, and can be tried again', () => {
    test.each(few(TOASTS, 2))('$name', async ({ name, tab, fault: wanted, act, shows }) => {
      await page.goto(`${origin}/?tab=${tab}`);
      await fault(origin, { ...wanted, times: ALWAYS });
      await act?.(page);
      await toast(page, ...shows);
      await shot(page, `error-${name}-${width}`.replace(/\W+/g, '-'));
      expect((await api(page, 'GET', '/auth/me')).status).toBe(200);
    });
  });

  describe('what does not load shows it in its own place, and Retry brings it', () => {
    test.each(few(AREAS, 1))('$name', async ({ name, tab, fault: wanted, shows }) => {
      await fault(origin, { ...wanted, times: ALWAYS });
      await page.goto(`${origin}/?tab=${tab}`);
      for (const text of shows) await seen(page, text);
      await shot(page, `error-${name}-${width}`.replace(/\W+/g, '-'));
      // The rest of the page stands.
      await page.getByTestId('tab-dashboard').first().waitFor();
      await noFaults(origin);
      const retry = button(page.locator('main'), 'Retry');
      if ((await retry.count()) > 0) await retry.click();
      else await page.reload();
      await expect
        .poll(() =>
          page
            .getByText(shows.at(-1) ?? '')
            .filter({ visible: true })
            .count(),
        )
        .toBe(0);
    });
  });

  describe('mining goes on', () => {
    test('a save that fails is shown and made up for; nothing is lost', async () => {
      await page.goto(`${origin}/?tab=node`);
      await button(page, 'Start Mining').click();
      await toast(page, 'Mining Node Started!');
      const before = await page.getByTestId('session-earned').first().getAttribute('data-value');
      await fault(origin, { path: '/api/users/:id/mining/:sid/save', status: 500, times: ALWAYS });
      await button(page, 'Save now').click();
      await seen(page, /^The last save failed\. Trying again in /);
      await noFaults(origin);
      await seen(page, /^Saved .* ago|^Saved just now/);
      expect(Number(await page.getByTestId('session-earned').first().getAttribute('data-value'))).toBeGreaterThan(
        Number(before),
      );
    });

    inProof('a stop that fails leaves the node running, and the next one stops it', async () => {
      await page.goto(`${origin}/?tab=node`);
      const toggle = page.getByTestId('node-toggle').first();
      await toggle.filter({ hasText: 'Stop Mining' }).waitFor();
      await fault(origin, { path: '/api/mining/:sid/end', status: 500, times: ALWAYS });
      await toggle.click();
      await toast(page, 'Error Stopping Node', 'Please try again');
      const { body } = await api<{ status: string }>(page, 'GET', `/users/${userId}/mining/current`);
      expect(body.status).toBe('active');
      await noFaults(origin);
      await toggle.filter({ hasText: 'Stop Mining' }).click();
      await toast(page, 'Mining Node Stopped', 'Session earned: ');
    });
  });

  inProof('a badge holder’s claim that fails is shown in its banner, and can be made again', async () => {
    const { body } = await api<{ user: object }>(page, 'GET', '/auth/me');
    // Shown as a holder; the service has it right.
    const user = { ...body.user, hasbadgeofhonor: true };
    await fault(origin, { path: '/api/auth/me', method: 'GET', status: 200, body: { user }, times: ALWAYS });
    await fault(origin, { path: `/api/users/${userId}`, method: 'GET', status: 200, body: user, times: ALWAYS });
    await page.goto(origin);
    const banner = page.getByTestId('claim-banner');
    const claimIt = banner.getByRole('button', { name: 'Claim 10,000 CORD' });
    await claimIt.click();
    const refused = await api<{ error: string }>(page, 'POST', '/cord-claims/claim', { userId });
    expect(refused.status).toBe(422);
    await seen(banner, refused.body.error);
    await fault(origin, { path: '/api/cord-claims/claim', status: 500, times: 1 });
    await claimIt.click();
    await seen(banner, 'Failed to claim CORDs');
    await fault(origin, { path: '/api/cord-claims/claim', status: 0, times: ALWAYS });
    await claimIt.click();
    await seen(banner, 'Network error. Please try again.');
    await shot(page, `error-cord-claim-${width}`);
  });

  inProof('a server that does not answer who is signed in is shown, and Retry opens the app', async () => {
    await fault(origin, { path: '/api/auth/me', status: 500, times: ALWAYS });
    await page.goto(origin);
    await seen(page, 'CORD could not be loaded');
    await noFaults(origin);
    await button(page, 'Retry').click();
    await page.getByTestId('tab-dashboard').first().waitFor();
  });

  inProof('a module that does not load breaks its own tab only, and Retry brings it', async () => {
    await fault(origin, { path: '/modules/mfe_tasks/*', status: 404, times: ALWAYS });
    await page.goto(`${origin}/?tab=tasks`);
    await seen(page, 'Tasks could not be loaded');
    await page.getByTestId('tab-node').first().click();
    await page.getByTestId('node-toggle').first().waitFor();
    await page.getByTestId('tab-tasks').first().click();
    await seen(page, 'Tasks could not be loaded');
    await noFaults(origin);
    // From the second failure on it offers what is left to try.
    await button(page.locator('main'), /^Retry$|^Reload$/).click();
    await page.getByRole('heading', { name: 'Task Center' }).waitFor();
    // It was reported, twice and as what it is.
    expect(person.problems.splice(0).map((text) => text.split(':', 2).join(':'))).toEqual([
      'ModuleLoadError: mfe_tasks',
      'ModuleLoadError: mfe_tasks',
    ]);
  });

  inProof('a sign-out that did not reach the server signs out here, and shows it', async () => {
    await page.goto(origin);
    await fault(origin, { path: '/api/auth/logout', status: 500, times: ALWAYS });
    await signOut(page, width);
    await button(page, 'Connect Discord & Start Mining').waitFor();
    await seen(page, 'Signed out on this page only');
    await seen(page, /^The server did not confirm it: /);
  });
});
