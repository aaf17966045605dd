import type { Page } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';
import { signIn as makeMiner } from '../../test/kit/people.ts';
import { few, shot, visitor, widths } from '../browser.js';
import { api, enter, ledgerMicro, makeAccount, ownId } from '../people.js';
import { button, landing, seen, toast } from '../screens.js';
import { styleOf } from '../styles.js';

const origin = inject('origin');
const STEPS_MAX = 80;

/** The focused element: its text, and whether its focus is visible. */
interface Focus {
  label: string;
  shows: boolean;
}
const READ_FOCUS = `(() => {
  const element = document.activeElement;
  if (element === null || element === document.body) return null;
  const style = getComputedStyle(element);
  const ring = style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) > 0;
  const label = element.getAttribute('aria-label') ?? element.textContent ?? '';
  return { label: label.trim(), shows: ring || style.boxShadow !== 'none' };
})()`;

/** For each card with explanations ("Why this number?"): how many of them Tab reaches, and the total. */
const READ_STOPS = `(() => {
  const cards = new Map();
  for (const button of document.querySelectorAll('button[data-one-stop]')) {
    const card = button.parentElement.closest('section, form, [role="dialog"], main');
    cards.set(card, [...(cards.get(card) ?? []), button]);
  }
  return [...cards.values()].map((buttons) => [buttons.filter(({ tabIndex }) => tabIndex === 0).length, buttons.length]);
})()`;

/** Whether the middle of the focused element is visible and uncovered. */
const READ_SEEN = `(() => {
  const element = document.activeElement;
  const { left, top, width, height } = element.getBoundingClientRect();
  const there = document.elementFromPoint(left + width / 2, top + height / 2);
  return there !== null && (element.contains(there) || there.contains(element));
})()`;

/** Presses Tab until the element of that name has the focus, which must be visible. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const wanted = typeof name === 'string' ? (text: string) => text === name : (text: string) => name.test(text);
  const passed: string[] = [];
  for (let step = 0; step < STEPS_MAX; step += 1) {
    await page.keyboard.press('Tab');
    const focus = await page.evaluate<Focus | null>(READ_FOCUS);
    if (focus === null) continue;
    passed.push(focus.label);
    if (!wanted(focus.label)) continue;
    expect({ at: focus.label, shows: focus.shows }).toEqual({ at: focus.label, shows: true });
    return;
  }
  throw new Error(`Tab does not lead to ${name}; it passed ${passed.join(' | ')}`);
}

/** Returns the text of the focused element; empty for the document, whose text contains every other. */
const focused = (page: Page) => () =>
  page.evaluate<string>("document.activeElement === document.body ? '' : (document.activeElement?.textContent ?? '')");

// Both widths also in short runs: the width decides which opener had the focus.
describe.each(widths('desk'))('a lazy-loaded dialog (%s)', (width) => {
  test.each(few(['keyboard', 'mouse'], 1))('returns the focus to the button that opened it by %s', async (by) => {
    const person = await visitor(width);
    const { page } = person;
    await page.goto(origin);
    await landing(page);
    const opener = page.getByRole('button', { name: 'Connect Discord & Start Mining' }).first();
    if (by === 'mouse') await opener.click();
    else {
      await tabTo(page, 'Connect Discord & Start Mining');
      await page.keyboard.press('Enter');
    }
    await page.getByTestId('auth-modal').waitFor();
    await page.keyboard.press('Escape');
    await page.getByTestId('auth-modal').waitFor({ state: 'detached' });
    await expect.poll(focused(page)).toBe('Connect Discord & Start Mining');
    await person.leave();
  });
});

test('at 400 % zoom nothing in a dialog covers its focused element', async () => {
  const person = await visitor('phone');
  const { page } = person;
  await page.setViewportSize({ width: 320, height: 256 });
  await enter(person, origin, { tab: 'settings' });
  await button(page, 'Delete account').press('Enter');
  await page.getByRole('dialog').waitFor();
  for (const stop of ['Cancel', 'Delete account', 'the field for the name']) {
    await expect.poll(() => page.evaluate<boolean>(READ_SEEN), { message: stop }).toBe(true);
    await page.keyboard.press('Tab');
  }
  await person.leave();
});

test('at 400 % zoom neither bars nor the own row cover the focused element of the rankings', async () => {
  for (const n of [1, 2, 3, 4, 5, 6, 7, 8]) await makeMiner(origin, { years: 9, username: `above.${n}` });
  const person = await visitor('phone');
  const { page } = person;
  await page.setViewportSize({ width: 320, height: 256 });
  const { userId } = await enter(person, origin, { tab: 'leaderboard', years: 0.5 });
  expect((await api(page, 'POST', `/users/${userId}/mining/start`)).status).toBe(200);
  await page.reload();
  await page.getByRole('row').filter({ hasText: 'You' }).getByText('Mining').first().waitFor();
  await page.getByRole('searchbox').focus();
  for (let stop = 1; stop <= 10; stop += 1) {
    await page.keyboard.press('Tab');
    await expect.poll(() => page.evaluate<boolean>(READ_SEEN), { message: `stop ${stop}` }).toBe(true);
  }
  await person.leave();
});

test('with forced colours the current tab, choices and progress are visible without fills', async () => {
  const person = await visitor();
  const { page } = person;
  await page.emulateMedia({ forcedColors: 'active' });
  const { userId } = await enter(person, origin, { tab: 'dashboard' });
  expect((await api(page, 'POST', `/users/${userId}/mining/start`)).status).toBe(200);
  await page.goto(`${origin}/?view=earnings`);
  await page.getByText('Chart', { exact: true }).waitFor();
  expect(await styleOf(page, '[data-testid="tab-dashboard"]', 'text-decoration-line')).toBe('underline');
  expect(await styleOf(page, '[data-testid="tab-tasks"]', 'text-decoration-line')).toBe('none');
  expect(await styleOf(page, 'label:has(:checked)', 'text-decoration-line')).toBe('underline');
  expect(await styleOf(page, 'label:has(:not(:checked))', 'text-decoration-line')).toBe('none');
  await page.goto(`${origin}/?tab=tasks`);
  await page.getByRole('progressbar').first().waitFor();
  const fill = await styleOf(page, '[role="progressbar"] > *', 'background-color');
  expect(fill).not.toBe(await styleOf(page, 'body', 'background-color'));
  await person.leave();
});

describe('the keyboard alone', () => {
  test('is enough for landing page, sign-in, node, check-in and sign-out', async () => {
    const person = await visitor();
    const { page } = person;
    const { username } = await makeAccount(origin, 5.4);
    await page.goto(origin);
    await landing(page);
    await tabTo(page, 'Connect Discord & Start Mining');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await tabTo(page, 'Continue to Discord');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/dev\/discord\/oauth2\/authorize/);
    await tabTo(page, new RegExp(`${username}\\s`));
    await page.keyboard.press('Enter');

    // The popup puts the focus on its next step.
    await page.getByTestId('welcome-popup').waitFor();
    await expect.poll(focused(page)).toBe('Start Mining');
    await page.keyboard.press('Enter');
    await toast(page, 'Mining Node Started!');
    await page.getByTestId('welcome-popup').waitFor({ state: 'detached' });
    const userId = await ownId(page);

    // A change of tab puts the focus on the page, so the next Tab reaches its first control.
    await page.reload();
    await page.getByTestId('tab-tasks').waitFor();
    await page.getByTestId('streak').first().waitFor();
    const names = await page.locator('body').ariaSnapshot();
    expect(names).toContain('Tasks (today is open)');
    expect(names).not.toMatch(/ ,/);
    const stops = await page.evaluate<[number, number][]>(READ_STOPS);
    expect(stops.length).toBeGreaterThan(3);
    expect(stops.map(([reached]) => reached)).toEqual(stops.map(() => 1));
    expect(Math.max(...stops.map(([, all]) => all))).toBeGreaterThan(2);
    await tabTo(page, 'Skip to content');
    await tabTo(page, 'Tasks (today is open)');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Task Center' }).waitFor();
    await expect.poll(() => page.evaluate<string>('document.activeElement?.id')).toBe('page');
    await tabTo(page, 'Check in for 55 CORD');
    await page.keyboard.press('Enter');
    await toast(page, 'Daily Check-in Complete!');
    // The toasts' region is not named like the bell's panel.
    await page.getByRole('region', { name: /^Messages/ }).waitFor({ state: 'attached' });
    expect(await page.getByRole('region', { name: /^Notifications/ }).count()).toBe(0);
    await seen(page, 'Claimed today');
    await shot(page, 'keyboard-checked-in');

    // The menu by arrow keys, the dialog by its button; Escape closes both first.
    await page.reload();
    await page.getByTestId('user-menu').waitFor();
    await tabTo(page, new RegExp(`^Menu of ${username}`));
    await page.keyboard.press('Enter');
    await page.getByTestId('sign-out').waitFor();
    await page.keyboard.press('Escape');
    await page.getByTestId('sign-out').waitFor({ state: 'detached' });
    await expect.poll(focused(page)).toMatch(new RegExp(`^Menu of ${username}`));
    await page.keyboard.press('Enter');
    await page.getByTestId('sign-out').waitFor();
    await expect.poll(focused(page)).toBe('Profile and settings');
    await page.keyboard.press('End');
    await expect.poll(focused(page)).toBe('Sign Out');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    const due = await ledgerMicro(page, userId);
    expect(due).toBeGreaterThan(925_000_000);
    await expect.poll(focused(page)).toBe('Sign Out');
    await page.keyboard.press('Enter');
    await landing(page);
    await person.leave();
  });
});
