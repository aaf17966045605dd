import { mkdir } from 'node:fs/promises';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { CHROMIUM_LAUNCH } from '../test/chromium.js';
import { keepToasts } from './toasts.js';

/** Whether the long forms run (`npm run proof -- widths`). */
const IN_PROOF = process.env.PROOF === '1';

/** Widths at which every journey can run: a desk and a phone. */
export const VIEWPORTS = { desk: { width: 1440, height: 1000 }, phone: { width: 390, height: 844 } } as const;
export type Width = keyof typeof VIEWPORTS;

/**
 * The widths at which a journey runs: the one at which it shows most, and in a proof (`npm run proof -- widths`) both.
 */
export function widths(one: Width): Width[] {
  return IN_PROOF ? ['desk', 'phone'] : [one];
}

/** Of cases that are alike the first ones, and in a proof all of them. */
export function few<T>(cases: readonly T[], count: number): readonly T[] {
  return IN_PROOF ? cases : cases.slice(0, count);
}

/** Runs a journey in a proof only (`npm run proof -- widths`): what it promises is shown by others, or where no browser is needed. */
export function inProof(name: string, journey: () => Promise<void>, timeoutMs?: number): void {
  if (IN_PROOF) test(name, journey, timeoutMs);
}

/** The connection of a file to Chromium, which is one for all files. */
let connected: Promise<Browser> | undefined;

/** Headless Chromium. */
export function browser(): Promise<Browser> {
  connected ??= chromium.connect(inject('browser'));
  return connected;
}

/** A Chromium in whose settings a person has set this font size, px; 16 is its own. */
export function browserOfFontSize(px: number): Promise<Browser> {
  return chromium.launch({
    ...CHROMIUM_LAUNCH,
    args: [...CHROMIUM_LAUNCH.args, `--blink-settings=defaultFontSize=${px}`],
  });
}

/** Ends the connection of a file, with all contexts that it has left open. */
export async function leaveBrowser(): Promise<void> {
  const open = connected;
  connected = undefined;
  await (await open)?.close();
}

/** A person's browser: own cookies and storage; `leave` fails the test on page errors and blocked scripts. */
export interface Visitor {
  context: BrowserContext;
  page: Page;
  /** Uncaught errors and CSP refusals seen so far. */
  problems: string[];
  close(): Promise<void>;
  /** Closes where nothing went wrong. */
  leave(): Promise<void>;
}

interface Habits {
  motion?: boolean;
  worker?: boolean;
  locale?: string;
  chrome?: Browser;
}

/** A busy machine is no failure: playwright's own 30 s were too short once for a first page of a system that had just started. */
export const WAIT_MS_MAX = 60_000;

/**
 * @param motion whether things move: most people of these journeys set their system to less of it, which spares their
 *   screens two thirds of the work
 * @param worker whether the offline worker may be there: its requests, a test does not see
 * @param chrome the browser of who has set it up in another way
 */
export async function visitor(
  width: Width = 'desk',
  { motion = false, worker = true, locale = 'en-GB', chrome }: Habits = {},
): Promise<Visitor> {
  const context = await (chrome ?? (await browser())).newContext({
    viewport: VIEWPORTS[width],
    locale,
    timezoneId: 'UTC',
    reducedMotion: motion ? 'no-preference' : 'reduce',
    serviceWorkers: worker ? 'allow' : 'block',
  });
  context.setDefaultTimeout(WAIT_MS_MAX);
  await keepToasts(context);
  const problems: string[] = [];
  const page = await context.newPage();
  watch(page, problems);
  context.on('page', (other) => watch(other, problems));
  const leave = async () => {
    expect(problems).toEqual([]);
    await context.close();
  };
  const person: Visitor = { context, page, problems, leave, close: () => context.close() };
  visitors.add(person);
  context.once('close', () => visitors.delete(person));
  return person;
}

const visitors = new Set<Visitor>();

/** What stands on everybody's pages, and what went wrong there. */
export async function pagesNow(): Promise<string> {
  const people = [...visitors].map(async ({ context, problems }) => {
    const pages = context.pages().map(async (page) => {
      const text = await page.locator('body').ariaSnapshot({ timeout: 5_000 }).catch(String);
      return `${page.url()}\n${text}`;
    });
    return [...(await Promise.all(pages)), ...problems];
  });
  return (await Promise.all(people)).flat().join('\n');
}

function watch(page: Page, problems: string[]): void {
  page.on('pageerror', (error) => problems.push(`${error.name}: ${error.message}`));
  page.on('console', (message) => {
    if (/Content Security Policy|TrustedHTML|TrustedScript/.test(message.text())) problems.push(message.text());
  });
}

/** The social pages are other people's: only that they are opened is ours to test. */
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
