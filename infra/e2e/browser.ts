import { mkdir } from 'node:fs/promises';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { test } from 'vitest';
import { CHROMIUM_LAUNCH } from '../test/chromium.mjs';

/** Widths at which every journey can be told: a desk and a phone. */
export const VIEWPORTS = { desk: { width: 1440, height: 1000 }, phone: { width: 390, height: 844 } } as const;
export type Width = keyof typeof VIEWPORTS;

/**
 * The widths at which a journey is told: the one at which it says most, and in a proof (`npm run proof -- widths`) both.
 */
export function widths(one: Width): Width[] {
  return process.env.PROOF === '1' ? ['desk', 'phone'] : [one];
}

/** Tells a journey in a proof only (`npm run proof -- widths`): what it promises is shown by others, or where no browser is needed. */
export function inProof(name: string, journey: () => Promise<void>): void {
  if (process.env.PROOF === '1') test(name, journey);
}

/** Headless Chromium. */
export function launch(): Promise<Browser> {
  return chromium.launch(CHROMIUM_LAUNCH);
}

/** A person's browser: own cookies and storage; fails the test on page errors and blocked scripts by `problems`. */
export interface Visitor {
  context: BrowserContext;
  page: Page;
  /** Uncaught errors and CSP refusals seen so far. */
  problems: string[];
  close(): Promise<void>;
}

/** Where the day is another than that of UTC for half of it, to either side; days of the server stay its own. */
export const ZONES = ['Pacific/Auckland', 'America/Los_Angeles'] as const;

/** @param timeZone where the person's device is */
export async function visitor(browser: Browser, width: Width = 'desk', timeZone = 'UTC'): Promise<Visitor> {
  const context = await browser.newContext({
    viewport: VIEWPORTS[width],
    locale: 'en-GB',
    timezoneId: timeZone,
  });
  const problems: string[] = [];
  const page = await context.newPage();
  watch(page, problems);
  context.on('page', (other) => watch(other, problems));
  return { context, page, problems, close: () => context.close() };
}

function watch(page: Page, problems: string[]): void {
  page.on('pageerror', (error) => problems.push(`${error.name}: ${error.message}`));
  page.on('console', (message) => {
    if (/Content Security Policy|TrustedHTML|TrustedScript/.test(message.text())) problems.push(message.text());
  });
}

/** The social pages are other people's: only that they are opened is ours to say. */
export function withoutSocialPages(context: BrowserContext): Promise<unknown> {
  return context.route(/^https:\/\/(x\.com|t\.me|discord\.gg)\//, (route) => route.fulfill({ body: 'elsewhere' }));
}

/** Saves a picture to look at; only when SHOTS names a folder. */
export async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env.SHOTS;
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}
