import type { Locator, Page } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';
import { type Visitor, visitor } from '../browser.js';
import { enter, makeAccount, ownCode, signIn } from '../people.js';
import { button, landing, seen } from '../screens.js';

const origin = inject('origin');

/** Describes the focused element; `body` when nothing has the focus. */
const READ_FOCUS = `(() => {
  const element = document.activeElement;
  if (element === null || element === document.body) return 'body';
  return element.getAttribute('aria-label') || element.id || element.textContent.trim().slice(0, 60) || element.tagName;
})()`;

/** Time for the effects of a press to settle, ms; then the focus is final. */
const SETTLED_MS = 1_000;

/** Presses a control by keyboard, waits for the effect, and fails when the focus is lost a second later. */
async function pressed(page: Page, control: Locator, done: () => Promise<unknown>): Promise<string> {
  await control.focus();
  await page.keyboard.press('Enter');
  await done();
  await page.waitForTimeout(SETTLED_MS);
  return page.evaluate<string>(READ_FOCUS);
}

interface Step {
  name: string;
  query: string;
  control(page: Page): Locator;
  done(page: Page): Promise<unknown>;
}

const toggle = (page: Page, text: string) => page.getByTestId('node-toggle').filter({ hasText: text }).first();

/** The button of the node, whose name changes with a press. */
const startStop = (query: string, name: string, other: string): Step => ({
  ...{ name: `${name} at /${query}`, query },
  control: (page) => toggle(page, name),
  done: (page) => toggle(page, other).waitFor(),
});

/** Every control of the user's screens that changes the page, in an order in which one account can press them all. */
const STEPS: readonly Step[] = [
  {
    name: 'the compensation',
    query: '',
    control: (page) => button(page, 'Claim 5,000 CORD'),
    done: (page) => seen(page, 'Compensation Claimed'),
  },
  {
    name: 'its Dismiss',
    query: '',
    control: (page) =>
      button(page.getByText('Compensation Claimed').locator('xpath=ancestor::*[.//button][1]'), 'Dismiss'),
    done: (page) => page.getByText('Compensation Claimed').waitFor({ state: 'detached' }),
  },
  ...['', '?tab=node'].flatMap((query) => [
    startStop(query, 'Start Mining', 'Stop Mining'),
    startStop(query, 'Stop Mining', 'Start Mining'),
  ]),
  {
    name: 'the check-in',
    query: '?tab=tasks',
    control: (page) => button(page, 'Check in for 55 CORD'),
    done: (page) => seen(page, 'Claimed today'),
  },
  {
    name: 'a task',
    query: '?tab=tasks',
    control: (page) => button(page.getByTestId('task-early-adopter'), /^Claim/),
    done: (page) =>
      page
        .getByTestId('task-early-adopter')
        .getByRole('button', { name: /^Claim/ })
        .waitFor({ state: 'detached' }),
  },
  {
    name: 'the way to the earnings',
    query: '',
    control: (page) => page.getByTestId('open-earnings'),
    done: (page) => page.waitForURL(/view=earnings/),
  },
  {
    name: 'Send without a text',
    query: '?tab=settings',
    control: (page) => button(page, 'Send'),
    done: (page) => seen(page, 'At least 3 characters.'),
  },
];

async function signedIn(years = 5.4): Promise<Visitor> {
  const person = await visitor();
  await enter(person, origin, { years });
  return person;
}

describe('the keyboard focus', () => {
  test('is kept after every control that changes the page', async () => {
    const person = await signedIn();
    const { page } = person;
    const lost: string[] = [];
    for (const { name, query, control, done } of STEPS) {
      await page.goto(`${origin}/${query}`);
      const place = await pressed(page, control(page), () => done(page));
      if (place === 'body') lost.push(name);
    }
    expect(lost).toEqual([]);
    await person.leave();
  });

  test('is kept after a friend’s code was accepted', async () => {
    const friend = await signedIn();
    const { page: theirs } = friend;
    const { user } = (await (await theirs.context().request.get(`${origin}/api/auth/me`)).json()) as {
      user: { id: string };
    };
    const code = await ownCode(theirs, user.id);
    const person = await signedIn(2);
    const { page } = person;
    await page.goto(origin);
    const input = page.getByLabel('Referral code', { exact: true });
    await input.fill(code);
    const submit = button(page, 'Submit code');
    expect(await pressed(page, submit, () => seen(page, /Success! You received/))).not.toBe('body');
    await Promise.all([friend.close(), person.close()]);
  });

  test('is kept when the welcome closes, and when the dialog of a cancelled sign-in closes', async () => {
    const person = await visitor();
    const { page } = person;
    await page.goto(`${origin}/?auth_error=denied`);
    await page.getByTestId('auth-modal').waitFor();
    await page.keyboard.press('Escape');
    await page.getByTestId('auth-modal').waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate<string>(READ_FOCUS)).toBe('Connect Discord & Start Mining');
    await signIn(page, origin, await makeAccount(origin, 5.4));
    const welcome = page.getByTestId('welcome-popup');
    await welcome.waitFor();
    const place = await pressed(page, button(welcome, 'Start Mining'), () => welcome.waitFor({ state: 'detached' }));
    expect(place).not.toBe('body');
    await person.close();
  });

  test('returns to the miner after a visit to the miner’s page', async () => {
    const person = await signedIn();
    const { page } = person;
    await page.goto(`${origin}/?tab=leaderboard`);
    const miner = page.locator('main#page a[href*="miner="]').first();
    await miner.waitFor();
    const name = await miner.textContent();
    const there = await pressed(page, miner, () => page.waitForURL(/miner=/));
    expect(there).not.toBe('body');
    await page.goBack();
    await expect.poll(() => page.evaluate<string>(READ_FOCUS)).toBe(name?.trim());
    await person.close();
  });

  test('moves to the message when an account is deleted', async () => {
    const person = await visitor();
    const { page } = person;
    const { username } = await enter(person, origin, { tab: 'settings' });
    await button(page, 'Delete account').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').fill(username);
    const confirm = dialog.getByRole('button', { name: 'Delete account' });
    const place = await pressed(page, confirm, () => landing(page));
    expect(place).toContain('Your account has been deleted.');
    expect(new URL(page.url()).search).toBe('');
    await person.close();
  });
});
