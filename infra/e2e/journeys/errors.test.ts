import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { launch, shot, type Visitor, visitor } from '../browser.js';
import { type Fault, fault, noFaults } from '../faults.js';
import { api, enter } from '../people.js';
import { button, seen, type Tab, toast } from '../screens.js';

const origin = inject('origin');
/** More than the browser and the query library try by themselves. */
const ALWAYS = 1_000;
let browser: Browser;
let person: Visitor;
let page: Page;
let userId: string;

beforeAll(async () => {
  browser = await launch();
  person = await visitor(browser);
  page = person.page;
  // What a social task links to is not ours.
  await person.context.route(/^https:\/\/(x\.com|t\.me|discord\.gg)\//, (route) =>
    route.fulfill({ body: 'elsewhere' }),
  );
  ({ userId } = await enter(person, origin));
});
afterEach(() => noFaults(origin));
afterAll(async () => {
  expect(person.problems).toEqual([]);
  await browser?.close();
});

interface Failure {
  /** What the user does, and the text of spec part 8. */
  name: string;
  tab: Tab;
  fault: Omit<Fault, 'times'>;
  /** Left out where opening the tab is enough. */
  act?: () => Promise<void>;
  says: string[];
}

const COMPLETE = '/api/users/:id/tasks/early-adopter/complete';
const claim = () => button(page.getByTestId('task-early-adopter'), /^Claim/).click();

/** Toasts: title and text (spec part 8). */
const TOASTS: Failure[] = [
  {
    name: 'a node that does not start',
    tab: 'node',
    fault: { path: '/api/users/:id/mining/start', status: 503 },
    act: () => button(page, 'Start Mining').click(),
    says: ['Failed to Start Node', 'Failed to start mining'],
  },
  {
    name: 'a node that the server refuses to start, in the server’s words',
    tab: 'node',
    fault: { path: '/api/users/:id/mining/start', status: 422, body: { error: 'Not now' } },
    act: () => button(page, 'Start Mining').click(),
    says: ['Failed to Start Node', 'Not now'],
  },
  {
    name: 'tasks that do not load',
    tab: 'tasks',
    fault: { path: '/api/users/:id/tasks', status: 500 },
    says: ['Loading Error', 'Failed to load tasks. Please refresh the page.'],
  },
  {
    name: 'a task that is not there any more',
    tab: 'tasks',
    fault: { path: COMPLETE, status: 404, body: { error: 'Task not found' } },
    act: claim,
    says: ['Task Error', 'Task not found'],
  },
  {
    name: 'a task that was completed elsewhere',
    tab: 'tasks',
    fault: { path: COMPLETE, status: 409, body: { error: 'This task has already been completed' } },
    act: claim,
    says: ['Already Completed', 'This task has already been completed'],
  },
  {
    name: 'a completion refused, in the server’s words',
    tab: 'tasks',
    fault: { path: COMPLETE, status: 422, body: { error: 'This task is not complete yet' } },
    act: claim,
    says: ['Completion Failed', 'This task is not complete yet'],
  },
  {
    name: 'a completion that broke',
    tab: 'tasks',
    fault: { path: COMPLETE, status: 500 },
    act: claim,
    says: ['Completion Failed', 'Failed to complete task'],
  },
  {
    name: 'a completion that was lost on the way',
    tab: 'tasks',
    fault: { path: COMPLETE, status: 0 },
    act: claim,
    says: ['Completion Failed', 'Network error. Check your connection and try again.'],
  },
  {
    name: 'a completion without permission',
    tab: 'tasks',
    fault: { path: COMPLETE, status: 403, body: { error: 'Forbidden' } },
    act: claim,
    says: ['Completion Failed', 'Permission error. Please refresh the page and try again.'],
  },
  {
    name: 'a completion that the database refused',
    tab: 'tasks',
    fault: { path: COMPLETE, status: 422, body: { error: 'Database function failed: complete_task' } },
    act: claim,
    says: ['Completion Failed', 'Database error occurred. Please try again.'],
  },
  {
    name: 'a check-in that fails',
    tab: 'tasks',
    fault: { path: '/api/daily-checkin/perform', status: 500 },
    act: () => button(page, 'Check in for 55 CORD').click(),
    says: ['Check-in Failed', 'Please try again'],
  },
  {
    name: 'a setting that is not saved',
    tab: 'settings',
    fault: { path: '/api/users/:id/settings', method: 'PUT', status: 500 },
    act: () => page.getByRole('switch', { name: 'Auto-start' }).click(),
    says: ['Not saved', 'Failed to update user settings'],
  },
  {
    name: 'an export that fails',
    tab: 'settings',
    fault: { path: '/api/users/:id/export', status: 500 },
    act: () => button(page, 'Export').click(),
    says: ['Export failed'],
  },
];

/** Words that stay on the page, with a way on. */
const AREAS: Failure[] = [
  {
    name: 'the check-in’s status',
    tab: 'tasks',
    fault: { path: '/api/daily-checkin/status/:id', status: 500 },
    says: ['The check-in could not be loaded', 'Failed to load check-in status'],
  },
  {
    name: 'the check-in’s history',
    tab: 'tasks',
    fault: { path: '/api/daily-checkin/history/:id', status: 500 },
    says: ['Failed to load check-in history'],
  },
  {
    name: 'the list of tasks',
    tab: 'tasks',
    fault: { path: '/api/users/:id/tasks', status: 500 },
    says: ['Tasks could not be loaded'],
  },
  {
    name: 'the rankings',
    tab: 'leaderboard',
    fault: { path: '/api/leaderboard', status: 500 },
    says: ['Rankings could not be loaded'],
  },
  {
    name: 'the referrals',
    tab: 'referrals',
    fault: { path: '/api/referrals/:id/stats', status: 500 },
    says: ['Referrals could not be loaded', 'Error loading referral data: Failed to fetch referral stats'],
  },
  {
    name: 'the referral panel',
    tab: 'dashboard',
    fault: { path: '/api/referrals/:id/stats', status: 500 },
    says: ['Error loading referral data: Failed to fetch referral stats'],
  },
  {
    name: 'the running session',
    tab: 'node',
    fault: { path: '/api/users/:id/mining/current', status: 500 },
    says: ['Failed to get current session'],
  },
  {
    name: 'the settings',
    tab: 'settings',
    fault: { path: '/api/users/:id/settings', method: 'GET', status: 500 },
    says: ['Your settings could not be loaded'],
  },
  {
    name: 'the sign-in sessions',
    tab: 'settings',
    fault: { path: '/api/auth/sessions', status: 500 },
    says: ['Your sessions could not be loaded'],
  },
];

describe('what fails on a click is said in a toast, and can be tried again', () => {
  test.each(TOASTS)('$name', async ({ name, tab, fault: wanted, act, says }) => {
    if (act) await page.goto(`${origin}/?tab=${tab}`);
    await fault(origin, { ...wanted, times: ALWAYS });
    if (act) await act();
    else await page.goto(`${origin}/?tab=${tab}`);
    await toast(page, ...says);
    await shot(page, `error-${name}`.replace(/\W+/g, '-'));
    expect((await api(page, 'GET', '/auth/me')).status).toBe(200);
  });
});

describe('what does not load says so in its own place, and Retry brings it', () => {
  test.each(AREAS)('$name', async ({ name, tab, fault: wanted, says }) => {
    await fault(origin, { ...wanted, times: ALWAYS });
    await page.goto(`${origin}/?tab=${tab}`);
    for (const text of says) await seen(page, text);
    await shot(page, `error-${name}`.replace(/\W+/g, '-'));
    // The rest of the page stands.
    await page.getByTestId('tab-dashboard').first().waitFor();
    await noFaults(origin);
    const retry = button(page.locator('main'), 'Retry');
    if ((await retry.count()) > 0) await retry.click();
    else await page.reload();
    await expect
      .poll(() =>
        page
          .getByText(says.at(-1) ?? '')
          .filter({ visible: true })
          .count(),
      )
      .toBe(0);
  });
});

describe('mining goes on', () => {
  test('a save that fails is told and made up for; nothing is lost', async () => {
    await page.goto(`${origin}/?tab=node`);
    await button(page, 'Start Mining').click();
    await toast(page, 'Mining Node Started!');
    const before = await page.getByTestId('session-earned').first().getAttribute('data-value');
    await fault(origin, { path: '/api/users/:id/mining/:sid/save', status: 500, times: ALWAYS });
    await button(page, 'Save now').click();
    await seen(page, /^The last save did not go through\. Trying again in /);
    await noFaults(origin);
    await seen(page, /^Saved .* ago|^Saved just now/);
    expect(Number(await page.getByTestId('session-earned').first().getAttribute('data-value'))).toBeGreaterThan(
      Number(before),
    );
  });

  test('a stop that fails leaves the node running, and the next one stops it', async () => {
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

test('a badge holder’s claim that fails is told in its banner, and can be made again', async () => {
  const { body } = await api<{ user: object }>(page, 'GET', '/auth/me');
  // Shown as a holder; the service knows better.
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
  await shot(page, 'error-cord-claim');
});

describe('the app itself', () => {
  test('a server that does not say who is signed in is told, and Retry opens the app', async () => {
    await fault(origin, { path: '/api/auth/me', status: 500, times: ALWAYS });
    await page.goto(origin);
    await seen(page, 'CORD could not be loaded');
    await noFaults(origin);
    await button(page, 'Retry').click();
    await page.getByTestId('tab-dashboard').first().waitFor();
  });

  test('a module that does not load breaks its own tab only, and Retry brings it', async () => {
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

  test('a sign-out that the server did not hear signs out here, and says so', async () => {
    await page.goto(origin);
    await fault(origin, { path: '/api/auth/logout', status: 500, times: ALWAYS });
    await page.getByTestId('user-menu').click();
    await page.getByTestId('sign-out').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign Out' }).click();
    await button(page, 'Connect Discord & Start Mining').waitFor();
  });
});
