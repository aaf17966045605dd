import { afterEach, describe, expect, inject, test } from 'vitest';
import { shot, visitor, widths } from '../browser.js';
import { fault, noFaults } from '../faults.js';
import { enter, ledgerMicro, shown } from '../people.js';
import { button, seen } from '../screens.js';

const origin = inject('origin');
const CLAIM = '/api/compensation/claim';

afterEach(() => noFaults(origin));

describe.each(widths('phone'))('the compensation (%s)', (width) => {
  test('credits 5,000 CORD once, however often the button is pressed', async () => {
    const person = await visitor(width);
    const { page } = person;
    const { userId } = await enter(person, origin);
    const claim = button(page, 'Claim 5,000 CORD');
    await seen(page, 'Compensation: 5,000 CORD');
    await seen(page, 'A one-time credit. Each account can claim it once.');
    await shot(page, `compensation-offered-${width}`);

    // While the claim is pending, the button shows that and ignores a second click.
    await fault(origin, { path: CLAIM, delayMs: 600, times: 1 });
    await claim.dblclick();
    await button(page, 'Processing...').click({ force: true });
    await seen(page, 'Compensation Claimed');
    await seen(page, '5,000.00 CORD added to your balance.');
    await expect.poll(() => shown(page, 'balance')).toBe(5_870);
    await shot(page, `compensation-claimed-${width}`);
    await page.reload();
    await seen(page, 'Compensation Claimed');
    expect(await claim.count()).toBe(0);
    expect(await ledgerMicro(page, userId)).toBe(5_870_000_000);
    await person.leave();
  });
});
