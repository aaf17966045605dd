import type { Page } from 'playwright-core';
import { afterEach, describe, expect, inject, test } from 'vitest';
import { shot, visitor, widths } from '../browser.js';
import { fault, noFaults, unreachable } from '../faults.js';
import { api, enter, ledgerMicro, makeAccount, ownCode, shown } from '../people.js';
import { button, seen } from '../screens.js';

const origin = inject('origin');
const PROCESS = '/api/referrals/process';

afterEach(() => noFaults(origin));

const field = (page: Page) => page.getByLabel('Referral code', { exact: true });
const submit = (page: Page) => button(page, 'Submit code');
async function enterCode(page: Page, code: string): Promise<void> {
  await field(page).fill(code);
  await submit(page).click();
}

describe.each(widths('desk'))('a referral code by hand (%s)', (width) => {
  test('each refusal is shown with its own text, and the right code pays both', async () => {
    const inviter = await visitor(width);
    const friend = await enter(inviter, origin, { account: await makeAccount(origin, 3.2) });
    const theirs = await ownCode(inviter.page, friend.userId);
    const person = await visitor(width);
    const { page } = person;
    const { userId } = await enter(person, origin);
    const mine = await ownCode(page, userId);

    // Blank: the button shows why it does nothing.
    await submit(page).waitFor();
    expect(await submit(page).getAttribute('aria-disabled')).toBe('true');
    expect(await submit(page).getAttribute('title')).toBe('Enter a code first.');
    await field(page).fill('   ');
    expect(await submit(page).getAttribute('aria-disabled')).toBe('true');

    await enterCode(page, 'AB12');
    await seen(page, 'Invalid user ID or referral code');
    await shot(page, `referral-invalid-${width}`);
    await enterCode(page, mine.toLowerCase());
    await seen(page, 'You cannot refer yourself. Please use a different referral code.');
    await enterCode(page, 'ZZZZZZ');
    await seen(page, 'This referral code does not exist');
    await fault(origin, { path: PROCESS, status: 500, times: 1 });
    await enterCode(page, theirs);
    await seen(page, 'Failed to process referral. Please try again.');
    await enterCode(page, 'ZZZZZZ');
    await seen(page, 'This referral code does not exist');
    await unreachable(origin, PROCESS);
    await enterCode(page, theirs);
    await seen(page, 'Failed to process referral. Please try again.');
    await noFaults(origin);

    // Small letters and spaces are put right. The welcome was 870: 87 on top.
    await enterCode(page, ` ${theirs.toLowerCase()} `);
    await seen(
      page,
      'Success! You received 87.00 CORD. Your referrer receives 86 CORD when your node has run for 10 minutes.',
    );
    await seen(page, 'Invited by');
    await seen(page, friend.username);
    await expect.poll(() => shown(page, 'balance')).toBe(957);
    expect(await ledgerMicro(page, userId)).toBe(957_000_000);
    await shot(page, `referral-accepted-${width}`);

    // Once for life: there is no field any more, and the server would not take another.
    await page.reload();
    await seen(page, 'Invited by');
    expect(await field(page).count()).toBe(0);
    const again = await api<{ error: string }>(page, 'POST', '/referrals/process', { userId, referralCode: theirs });
    expect([again.status, again.body.error]).toEqual([409, 'You have already used a referral code']);

    // And no circle: the inviter cannot be invited by the friend.
    await inviter.page.reload();
    await enterCode(inviter.page, mine);
    await seen(inviter.page, 'This friend was referred by you, directly or through others');
    expect([...person.problems, ...inviter.problems]).toEqual([]);
    await Promise.all([person.close(), inviter.close()]);
  });
});

test('a friend’s code of the wrong form that came by a link is not kept', async () => {
  const person = await visitor();
  await person.page.goto(`${origin}/?ref=no-code!`);
  await button(person.page, 'Connect Discord & Start Mining').waitFor();
  expect(new URL(person.page.url()).search).toBe('');
  const kept = await person.page.evaluate<string>('JSON.stringify({ ...localStorage, ...sessionStorage })');
  expect(kept).not.toContain('no-code');
  await person.close();
});

test('an own code that came by a link is passed over, and nothing breaks', async () => {
  const person = await visitor();
  const account = await makeAccount(origin, 1.5);
  const { userId } = await enter(person, origin, { account });
  const mine = await ownCode(person.page, userId);
  await person.context.clearCookies();
  await enter(person, origin, { account, referralCode: mine });
  await submit(person.page).waitFor();
  await person.leave();
});
