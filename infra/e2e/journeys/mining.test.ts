import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';
import { shot, type Visitor, visitor } from '../browser.js';
import { api, ledgerMicro, makeAccount, ownId, shown, signIn } from '../people.js';
import { toast } from '../screens.js';

const origin = inject('origin');
/** 5.4 years: x3.5, 1.75 CORD a minute in the first epoch. */
const YEARS = 5.4;
const RATE = 1.75;
/** Time to watch a node, ms. */
const WATCHED_MS = 6_000;
/** Maximum time between readings of screen and ledger, s. */
const SLACK_SECONDS = 2.5;

const toggle = (page: Page) => page.getByTestId('node-toggle').first();
const saved = async (page: Page, userId: string) => (await ledgerMicro(page, userId)) / 1e6;
/** Checks that the displayed balance matches the ledger's, which is read through a save. */
async function expectInStep(page: Page, userId: string): Promise<void> {
  const { body } = await api<{ id: string; status: string } | null>(page, 'GET', `/users/${userId}/mining/current`);
  if (body?.status === 'active') {
    expect((await api(page, 'POST', `/users/${userId}/mining/${body.id}/save`, {})).status).toBe(200);
  }
  // A busy machine reads the two far apart, so one close pair suffices.
  await expect
    .poll(async () => Math.abs((await saved(page, userId)) - (await shown(page, 'balance'))))
    .toBeLessThan((RATE / 60) * SLACK_SECONDS);
}

describe('the main journey', () => {
  test('starts, watches CORD accrue, reloads, uses a second tab, stops and signs out, with the ledger’s numbers', async () => {
    const person: Visitor = await visitor('desk', { motion: true });
    const { page } = person;
    await signIn(page, origin, await makeAccount(origin, YEARS));
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    const userId = await ownId(page);

    await page.getByTestId('tab-node').first().click();
    await toggle(page).filter({ hasText: 'Start Mining' }).click();
    await toast(page, 'Mining Node Started!', 'Earning 1.750000 CORD/min');
    expect(await shown(page, 'rate')).toBe(RATE);
    await shot(page, 'mining-running-desk');

    const startedMs = performance.now();
    const before = await shown(page, 'session-earned');
    await sleep(WATCHED_MS);
    const grown = (await shown(page, 'session-earned')) - before;
    const watched = (performance.now() - startedMs) / 1_000;
    expect(grown).toBeGreaterThan((RATE / 60) * (WATCHED_MS / 1_000 - SLACK_SECONDS));
    expect(grown).toBeLessThan((RATE / 60) * (watched + SLACK_SECONDS));
    await expectInStep(page, userId);

    await page.reload();
    await toggle(page).filter({ hasText: 'Stop Mining' }).waitFor();
    expect(new URL(page.url()).searchParams.get('tab')).toBe('node');
    await expectInStep(page, userId);

    const second = await person.context.newPage();
    await second.goto(`${origin}/?tab=node`);
    await toggle(second).filter({ hasText: 'Stop Mining' }).waitFor();
    await expect
      .poll(async () => Math.abs((await shown(page, 'session-earned')) - (await shown(second, 'session-earned'))))
      .toBeLessThan((RATE / 60) * SLACK_SECONDS);

    await toggle(second).click();
    await toast(second, 'Mining Node Stopped');
    await toggle(page).filter({ hasText: 'Start Mining' }).waitFor();
    const due = await saved(second, userId);
    await expect.poll(() => shown(second, 'balance')).toBeCloseTo(due, 6);
    await expect.poll(() => shown(page, 'balance')).toBeCloseTo(due, 6);
    await second.close();

    await page.getByTestId('user-menu').click();
    await page.getByRole('menuitem', { name: 'Sign Out' }).click();
    const kept = () => page.evaluate<string>('JSON.stringify({ ...localStorage, ...sessionStorage })');
    expect(await kept()).toContain(userId);
    await page.getByRole('dialog').getByRole('button', { name: 'Sign Out' }).click();
    await page.getByRole('button', { name: 'Connect Discord & Start Mining' }).first().waitFor();
    // Nothing on this device shows who was signed in, or the balance.
    expect(await kept()).not.toMatch(new RegExp(`${userId}|cord\\.(last-seen|rank-seen|wallet)`));
    expect((await api(page, 'GET', '/auth/me')).status).toBe(401);
    await person.leave();
  });
});
