import { describe, expect, inject, test } from 'vitest';
import { advance, systemNow } from '../../test/kit/clock.ts';
import { shot, visitor, widths } from '../browser.js';
import { api, approve, enter, ledgerMicro, makeAccount, ownCode, ownId, shown } from '../people.js';
import { button, goTo, seen, toast } from '../screens.js';

const origin = inject('origin');

interface Stats {
  referralHistory: { bonusStatus: string }[];
}

describe.each(widths('phone'))('a newcomer with a friend’s link (%s)', (width) => {
  test('sees every credit in full, and the friend gets 86 CORD after 10 minutes of mining', async () => {
    const friend = await visitor(width);
    const inviter = await enter(friend, origin, { years: 2.5 });
    const code = await ownCode(friend.page, inviter.userId);
    const newcomer = await visitor(width);
    const { page } = newcomer;

    // Nobody is signed in, and the page makes no call that is refused for it.
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
    });
    // The code disappears from the address at once and is kept for the sign-in.
    await page.goto(`${origin}/?ref=${code.toLowerCase()}`);
    await seen(page, /^Counted from live data at/);
    expect(refused).toEqual([]);
    await button(page, 'Connect Discord & Start Mining').click();
    expect(new URL(page.url()).search).toBe('');
    await button(page, 'Continue to Discord').click();
    await approve(page, await makeAccount(origin, 5.4));

    // Welcome: 870 of their own, and 10 % more for the code.
    const welcome = page.getByTestId('welcome-popup');
    await seen(welcome, `Invited by ${inviter.username}, +10%`);
    await expect.poll(() => welcome.textContent()).toContain('Added to your balance957.00');
    expect(await welcome.textContent()).toContain('Welcome credit870.00');
    await shot(page, `newcomer-welcome-${width}`);

    const startedMs = await systemNow(origin);
    await button(welcome, 'Start Mining').click();
    await toast(page, 'Mining Node Started!', 'Earning 1.750000 CORD/min');
    await welcome.waitFor({ state: 'detached' });
    await page.getByTestId('node-toggle').first().filter({ hasText: 'Stop Mining' }).waitFor();

    // The first reward for an act.
    await goTo(page, 'tasks', width);
    await button(page, 'Check in for 55 CORD').click();
    await toast(page, 'Daily Check-in Complete!', 'Earned 50 CORD + 5 CORD bonus! Streak: 1 day.');
    await seen(page, 'Claimed today');
    expect(await shown(page, 'streak')).toBe(1);
    await shot(page, `newcomer-first-reward-${width}`);

    // The friend's page shows the newcomer, and pays once the node has run for ten minutes.
    await friend.page.goto(`${origin}/?tab=referrals`);
    await seen(friend.page, '0 of 10 min');
    await advance(origin, '11m');
    const bonus = async () =>
      (await api<Stats>(friend.page, 'GET', `/referrals/${inviter.userId}/stats`)).body.referralHistory[0]?.bonusStatus;
    await expect.poll(bonus).toBe('credited');
    await friend.page.reload();
    await seen(friend.page, '86 CORD paid');
    await shot(friend.page, `inviter-paid-${width}`);

    // The newcomer's ledger adds up: welcome, code, check-in, and the mining since.
    const userId = await ownId(page);
    const mined = (await ledgerMicro(page, userId)) / 1e6 - 957 - 55;
    const ranMinutes = ((await systemNow(origin)) - startedMs) / 60_000;
    expect(ranMinutes).toBeGreaterThan(11);
    expect(mined).toBeGreaterThan(1.75 * 11);
    expect(mined).toBeLessThanOrEqual(1.75 * ranMinutes);
    expect([...newcomer.problems, ...friend.problems]).toEqual([]);
    await Promise.all([newcomer.close(), friend.close()]);
  });
});
