import { mkdir } from 'node:fs/promises';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { CHROMIUM_LAUNCH } from '../test/chromium.js';
import { keepToasts } from './toasts.js';

/** Whether the test runs as a proof (`npm run proof -- widths`). */
const IN_PROOF = process.env.PROOF === '1';

/** Widths for journeys: a desk and a phone. */
export const VIEWPORTS = { desk: { width: 1440, height: 1000 }, phone: { width: 390, height: 844 } } as const;
export type Width = keyof typeof VIEWPORTS;

/** Returns the widths of a journey: the given one, in a proof (`npm run proof -- widths`) both. */
export function widths(one: Width): Width[] {
  return IN_PROOF ? ['desk', 'phone'] : [one];
}

/** Returns the first `count` of similar cases, in a proof all of them. */
export function few<T>(cases: readonly T[], count: number): readonly T[] {
  return IN_PROOF ? cases : cases.slice(0, count);
}

/** Runs a journey in a proof only (`npm run proof -- widths`): other tests cover its promise too. */
export function inProof(name: string, journey: () => Promise<void>, timeoutMs?: number): void {
  if (IN_PROOF) test(name, journey, timeoutMs);
}

/** This file's connection to the one Chromium of all files. */
let connected: Promise<Browser> | undefined;

/** Returns headless Chromium. */
export function browser(): Promise<Browser> {
  connected ??= chromium.connect(inject('browser'));
  return connected;
}

/** Launches a Chromium with this default font size, px; its own is 16. */
export function browserOfFontSize(px: number): Promise<Browser> {
  return chromium.launch({
    ...CHROMIUM_LAUNCH,
    args: [...CHROMIUM_LAUNCH.args, `--blink-settings=defaultFontSize=${px}`],
  });
}

/** Closes a file's connection, with all its open contexts. */
export async function leaveBrowser(): Promise<void> {
  const open = connected;
  connected = undefined;
  await (await open)?.close();
}

/** A user's browser with its own cookies and storage; `leave` fails the test on page errors and blocked scripts. */
export interface Visitor {
  context: BrowserContext;
  page: Page;
  /** Uncaught errors and CSP violations so far. */
  problems: string[];
  close(): Promise<void>;
  /** Closes it, and fails when anything went wrong. */
  leave(): Promise<void>;
}

interface VisitorOptions {
  motion?: boolean;
  worker?: boolean;
  locale?: string;
  chrome?: Browser;
}

/** Timeout of waits, ms, long enough for a busy machine: playwright's 30 s failed once on the first page of a new system. */
export const WAIT_MS_MAX = 60_000;

/**
 * @param motion whether animations run; without them screens need a third of the work, so most journeys reduce motion
 * @param worker whether the service worker may run: a test does not see its requests
 * @param chrome a browser with other settings
 */
export async function visitor(
  width: Width = 'desk',
  { motion = false, worker = true, locale = 'en-GB', chrome }: VisitorOptions = {},
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

/** Returns the content and problems of all open pages. */
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

/** Replaces external social pages: a test only checks that they are opened. */
export function withoutSocialPages(context: BrowserContext): Promise<unknown> {
  return context.route(/^https:\/\/(x\.com|t\.me|discord\.gg)\//, (route) => route.fulfill({ body: 'elsewhere' }));
}

/** Saves a screenshot, only when SHOTS names a folder. */
export async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env.SHOTS;
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}
