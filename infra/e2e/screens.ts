import type { Locator, Page } from 'playwright-core';
import { until } from '../test/kit/until.ts';
import { WAIT_MS_MAX, type Width } from './browser.js';

/** The tabs, named as in their test ids (infra/e2e/README.md#test-ids). */
export type Tab = 'dashboard' | 'node' | 'tasks' | 'leaderboard' | 'referrals' | 'settings' | 'room';

/** Tabs that are in the menu on a phone. */
const IN_MENU: readonly Tab[] = ['referrals', 'settings'];

/** Goes to a tab as a user does at this width. */
export async function goTo(page: Page, tab: Tab, width: Width = 'desk'): Promise<void> {
  if (width === 'phone' && IN_MENU.includes(tab)) await page.getByTestId('menu').click();
  await page.getByTestId(`tab-${tab}`).first().click();
}

/**
 * Waits for a toast with all of these texts, shown now or since the last press (toasts.ts).
 * @throws after WAIT_MS_MAX, with the toasts that were shown
 */
export async function toast(page: Page, ...texts: string[]): Promise<void> {
  const shown = () => page.evaluate<string[]>('shownToasts()');
  const isShown = async () => (await shown()).some((toast) => texts.every((text) => toast.includes(text)));
  await until(`a toast shows ${texts.join(', ')}`, isShown, WAIT_MS_MAX).catch(async ({ message }: Error) => {
    throw new Error(`${message}: ${JSON.stringify(await shown())}`);
  });
}

/** Waits until the text is visible on the page. */
export function seen(page: Page | Locator, text: string | RegExp): Promise<void> {
  return page.getByText(text).filter({ visible: true }).first().waitFor();
}

export const button = (page: Page | Locator, name: string | RegExp): Locator =>
  page.getByRole('button', { name }).first();

/** Clicks a button of the operators' room and enters the reason that its panel requires. */
export async function act(opener: Locator, reason: string): Promise<void> {
  await opener.click();
  const panel = opener.page().getByTestId('confirm');
  const field = panel.getByLabel('Reason, recorded in Audit');
  await field.fill(reason);
  await field.press('Enter');
  await panel.waitFor({ state: 'detached' });
}

/** Opens the sign-out dialog and confirms it. */
export async function signOut(page: Page, width: Width = 'desk'): Promise<void> {
  await page.getByTestId(width === 'phone' ? 'menu' : 'user-menu').click();
  // Toasts cover the menu for some seconds (storybook/ui/README.md#layout), so use the keyboard.
  await page.getByTestId('sign-out').press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Sign Out' }).click();
  await landing(page);
}

/** Waits for the landing page. */
export function landing(page: Page): Promise<void> {
  return button(page, 'Connect Discord & Start Mining').waitFor();
}

/** Sets the page's visibility, as if another tab or app covered it or not. */
export async function setVisible(page: Page, visible: boolean): Promise<void> {
  await page.evaluate(`{
    const state = '${visible ? 'visible' : 'hidden'}';
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state });
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => state === 'hidden' });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    window.dispatchEvent(new Event(state === 'visible' ? 'focus' : 'blur'));
  }`);
}
