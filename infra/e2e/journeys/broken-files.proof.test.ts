import { describe, expect, inject, test } from 'vitest';
import { shot, visitor, widths } from '../browser.js';
import { fault, noFaults } from '../faults.js';
import { api, enter } from '../people.js';
import { button, seen } from '../screens.js';

interface Reported {
  errors: { message: string; module: string | null; versions: { module: string | null }; part: string | null }[];
}

const origin = inject('origin');

describe.each(widths('desk'))('a file that does not come (%s)', (width) => {
  test('of a module: its own area shows it, the operators see it, and Retry brings it', async () => {
    const person = await visitor(width);
    const { page } = person;
    const { userId } = await enter(person, origin);
    await page.route(/\/modules\/mfe_leaderboard\/.*\.js$/, (route) => route.fulfill({ status: 404 }));
    await page.getByTestId('tab-leaderboard').first().click();
    await seen(page, 'Rankings could not be loaded');
    await page.getByTestId('tab-dashboard').first().waitFor();
    await shot(page, `broken-module-${width}`);

    await page.unroute(/\/modules\/mfe_leaderboard\/.*\.js$/);
    await button(page.locator('main'), 'Retry').click();
    await page.getByRole('heading', { name: 'Rankings' }).waitFor();

    await fetch(`${origin}/dev/users/${userId}/admin`, { method: 'POST' });
    const faultOf = async () => {
      const { body } = await api(page, 'GET', '/admin/client-errors');
      // Other journeys have had other faults of it.
      return (body as Partial<Reported>).errors?.find(({ message }) =>
        /^ModuleLoadError: mfe_leaderboard: Load/.test(message),
      );
    };
    await expect.poll(faultOf).toBeTruthy();
    const fault = await faultOf();
    expect(fault?.versions.module).toMatch(/^2\.0\.0-[0-9a-f]+$/);
    expect(JSON.stringify(fault)).not.toContain(userId);
    // The module's failure is thrown for those who watch the page; nothing else is.
    expect(person.problems.filter((problem) => !problem.includes('mfe_leaderboard'))).toEqual([]);
    await person.close();
  });

  test('of a module, because the page is left while it is on its way: that is no fault', async () => {
    const person = await visitor(width, { worker: false });
    const { page } = person;
    const { userId } = await enter(person, origin);
    await fetch(`${origin}/dev/users/${userId}/admin`, { method: 'POST' });
    const reported = async (what: RegExp) => {
      const { body } = await api(page, 'GET', '/admin/client-errors');
      const errors = (body as Partial<{ errors: { message: string; count: number }[] }>).errors;
      if (!errors) return undefined;
      const counts: Record<string, number> = {};
      for (const { message, count } of errors) if (what.test(message)) counts[message] = (counts[message] ?? 0) + count;
      return counts;
    };
    await expect.poll(() => reported(/mfe_/)).toBeDefined();
    const before = (await reported(/mfe_/)) ?? {};
    // Each manifest is on its way for as long as it takes to leave.
    await fault(origin, { path: '/modules/*', delayMs: 4_000, times: 1_000 });
    for (const leave of [
      () => page.goto(`${origin}/?tab=settings`, { waitUntil: 'commit' }),
      () => page.reload({ waitUntil: 'commit' }),
      () => page.evaluate(`location.assign('/?tab=settings')`).then(() => page.waitForURL(/settings/)),
    ]) {
      const begun = page.waitForRequest(/mf-manifest\.json$/);
      await page.goto(origin, { waitUntil: 'commit' });
      await begun;
      await page.getByTestId('balance').first().waitFor();
      await leave();
    }
    await noFaults(origin);
    // What this page throws comes after all that the former ones have sent.
    await page.goto(`${origin}/?tab=settings`);
    await page.getByTestId('settings-saved').waitFor();
    await page.evaluate(`void setTimeout(() => { throw new Error('after they were left (${width})'); })`);
    await expect.poll(() => reported(/after they were left/)).not.toEqual({});
    // The list is bounded: an old line may go meanwhile, but none comes and none grows.
    const now = Object.entries((await reported(/mfe_/)) ?? {});
    expect(now.filter(([message, count]) => count > (before[message] ?? 0))).toEqual([]);
    await person.close();
  });

  test('of a module, changed since its build: no byte of it runs, and its area shows that it could not be loaded', async () => {
    const person = await visitor(width);
    const { page } = person;
    await enter(person, origin);
    let changed = 0;
    await page.route(/\/modules\/mfe_leaderboard\/.*\/assets\/.*\.js$/, async (route) => {
      const response = await route.fetch();
      changed += 1;
      await route.fulfill({ response, body: `document.title = 'changed';${await response.text()}` });
    });
    await page.getByTestId('tab-leaderboard').first().click();
    await seen(page, 'Rankings could not be loaded');
    expect(changed).toBeGreaterThan(0);
    expect(await page.title()).not.toContain('changed');
    await person.close();
  });

  test('of the app itself: a text and Reload at once, from the page alone', async () => {
    const person = await visitor(width);
    const { page } = person;
    await page.route(/\/assets\/main\..*\.js$/, (route) => route.fulfill({ status: 404 }));
    await page.goto(`${origin}/?tab=tasks`);
    await page.getByRole('heading', { name: 'CORD could not be loaded' }).waitFor();
    expect(await page.getByText('Loading CORD').isVisible()).toBe(false);
    await shot(page, `start-failed-${width}`);
    await page.unroute(/\/assets\/main\..*\.js$/);
    await page.getByRole('link', { name: 'Reload' }).click();
    await seen(page, 'Your years on Discord, wound into CORD.');
    expect(new URL(page.url()).search).toBe('?tab=tasks');
    await person.leave();
  });

  test('an older browser shows which ones are new enough', async () => {
    const person = await visitor(width);
    const { page } = person;
    await page.addInitScript(() => {
      (AbortSignal as { any?: unknown }).any = undefined;
    });
    await page.goto(origin);
    await page.getByRole('heading', { name: 'This browser is too old for CORD' }).waitFor();
    expect(await page.getByRole('row').allTextContents()).toContain('Firefox124');
    expect(await page.getByText('Loading CORD').isVisible()).toBe(false);
    await shot(page, `too-old-${width}`);
    await person.close();
  });
});
