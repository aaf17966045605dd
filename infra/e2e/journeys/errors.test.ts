import { afterEach, describe, expect, inject, test } from 'vitest';
import { visitor, widths } from '../browser.js';
import { fault, noFaults } from '../faults.js';
import { enter } from '../people.js';
import { button, seen, toast } from '../screens.js';

const origin = inject('origin');
/** More than the retries of the browser and the query library. */
const ALWAYS = 1_000;

afterEach(() => noFaults(origin));

describe.each(widths('desk'))('a failed save (%s)', (width) => {
  test('is shown and retried, and no earnings are lost', async () => {
    const person = await visitor(width);
    const { page } = person;
    await enter(person, origin);
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
    await person.leave();
  });
});
