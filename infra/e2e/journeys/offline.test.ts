import { describe, expect, inject, test } from 'vitest';
import { shot, visitor, widths } from '../browser.js';
import { enter, ledgerMicro, shown } from '../people.js';
import { button, goTo, seen } from '../screens.js';

const origin = inject('origin');

describe.each(widths('phone'))('without a network (%s)', (width) => {
  test('the page keeps and marks the last known numbers, pauses actions, and recovers by itself', async () => {
    const person = await visitor(width);
    const { page, context } = person;
    const { userId } = await enter(person, origin);
    const toggle = page.getByTestId('node-toggle').first();
    await toggle.filter({ hasText: 'Start Mining' }).waitFor();
    await button(page, 'Claim 5,000 CORD').waitFor();
    await expect.poll(() => shown(page, 'balance')).toBe(870);

    await context.setOffline(true);
    await seen(page, /^Offline since \d\d:\d\d\.$/);
    await seen(page, /Showing the last known numbers\. +Actions are paused\./);
    await expect.poll(() => page.locator('html').getAttribute('data-stale')).not.toBeNull();
    expect(await shown(page, 'balance')).toBe(870);
    await expect.poll(() => toggle.getAttribute('aria-disabled')).toBe('true');
    await expect.poll(() => button(page, 'Claim 5,000 CORD').getAttribute('aria-disabled')).toBe('true');
    await shot(page, `offline-${width}`);

    await context.setOffline(false);
    await expect.poll(() => page.locator('html').getAttribute('data-stale')).toBeNull();
    await button(page, 'Claim 5,000 CORD').click();
    await seen(page, 'Compensation Claimed');
    await expect.poll(() => shown(page, 'balance')).toBe((await ledgerMicro(page, userId)) / 1e6);
    await person.leave();
  });

  test('tabs first opened offline load by themselves once online', async () => {
    const person = await visitor(width);
    const { page, context } = person;
    await enter(person, origin);
    await context.setOffline(true);
    await seen(page, /^Offline since \d\d:\d\d\.$/);
    const panels = page.getByTestId('error-panel').filter({ visible: true });
    for (const [tab, name] of [
      ['leaderboard', 'Rankings'],
      ['tasks', 'Tasks'],
    ] as const) {
      await goTo(page, tab, width);
      await seen(panels.filter({ hasText: `${name} could not be loaded` }), 'Available when you are back online.');
    }
    await context.setOffline(false);
    await page.getByRole('heading', { name: 'Social media master' }).waitFor();
    await expect.poll(() => panels.count()).toBe(0);
    await person.close();
  });

  test('a page opened offline shows that, and opens the app once online', async () => {
    const person = await visitor(width);
    const { page, context } = person;
    await enter(person, origin);
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
    await expect.poll(() => shown(page, 'balance')).toBe(870);
    // Without a network the page shows the balance stored on this device.
    await expect.poll(() => page.evaluate(`localStorage.getItem('cord.last-seen')`)).toContain('"micro":"870');
    await context.setOffline(true);
    await page.reload();
    await seen(page, 'CORD cannot be reached');
    expect(await page.title()).toBe('Offline · CORD');
    await seen(page, /^Last known, .*: 870\.00\sCORD$/);
    await shot(page, `offline-page-${width}`);
    // It retries by itself once the browser is online.
    await context.setOffline(false);
    await page.getByTestId('tab-dashboard').first().waitFor();
    expect(person.problems).toEqual([]);
    // A replaced offline page in the cache is not shown.
    await page.evaluate(`(async () => {
      for (const name of await caches.keys()) {
        const page = new Response('<h1>me</h1>', { headers: { 'content-type': 'text/html' } });
        await (await caches.open(name)).put('/offline.html', page);
      }
    })()`);
    await context.setOffline(true);
    await expect(page.reload()).rejects.toThrow(/ERR_/);
    expect(await page.getByText('me', { exact: true }).count()).toBe(0);
    await person.close();
  });
});
