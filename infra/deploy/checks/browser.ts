import { setTimeout as sleep } from 'node:timers/promises';
import { contractRecord } from '@cord/build/recorded.ts';
import { chromium, type Page, type Route } from 'playwright-core';
import { chromiumBinary, sandboxedLaunch } from '../../test/chromium.ts';

const VIEWPORT = { width: 1440, height: 1000 };
/** A recorded response of the contract. */
interface RecordedAnswer {
  method: string;
  path: RegExp;
  isExact: boolean;
  full: unknown;
}

/** A report of the shell to the operators (POST /api/client-errors). */
interface PageReport {
  errors?: { message: string; module?: string }[];
  visits?: { module: string; version: string }[];
}

/** Maximum time for a tab to settle and for a file to load, ms. */
const PATIENCE_MS = 15_000;
/** Poll interval: the shell reports a failed file after 500 ms, or when the page is left (shell/sdk/report.ts). */
const POLL_MS = 700;
/** Placeholder of content that is loading (storybook/ui/feedback/skeleton.tsx). */
const SKELETON = '[role="status"][aria-busy="true"]';
/** Placeholder of failed content (storybook/ui/feedback/tab-error-panel.tsx). */
const FAILED = '[data-testid="error-panel"] h2';

/** Adds to a fault where it was found. */
export const inChromium = (fault: string): string => `in Chromium: ${fault}`;

/**
 * Opens a signed-in page in Chromium. Every API call gets the response recorded in the contract, so there is no account and no write.
 * @param run returns what goes wrong in the page
 * @returns each fault once
 */
export async function withPage(origin: string, run: (page: Page) => Promise<string[]>): Promise<string[]> {
  await chromiumBinary();
  const browser = await chromium.launch(sandboxedLaunch());
  try {
    const context = await browser.newContext({ viewport: VIEWPORT, serviceWorkers: 'block' });
    // Auth's marker of a session: without it the page shows the landing page and sends no requests.
    await context.addCookies([{ name: 'cord-signed-in', value: '1', url: origin }]);
    await context.route('**/api/**', answerByContract(await recordedAnswers()));
    await context.route('**/api/events', (route) => route.abort());
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    return [...new Set(await run(page))].map(inChromium);
  } finally {
    await browser.close();
  }
}

/** Selects the faults of a page that count. */
export interface FaultFilter {
  /** Uncaught errors. */
  thrown(error: Error): boolean;
  /** Console messages, with the URL of their source. */
  written(text: string, address: string): boolean;
  /** Reports of the shell to the operators. */
  reported(fault: { module?: string }): boolean;
}

/**
 * Collects what a page reports from now on.
 * @returns `shown`: name and version of each visit reported by the shell
 */
export async function listenTo(
  page: Page,
  { thrown, written, reported }: FaultFilter,
): Promise<{ faults: string[]; shown: string[] }> {
  const faults: string[] = [];
  const shown: string[] = [];
  page.on('pageerror', (error) => {
    if (thrown(error)) faults.push(String(error));
  });
  page.on('console', (message) => {
    if (message.type() === 'error' && written(message.text(), message.location().url))
      faults.push(firstLine(message.text()));
  });
  await page.exposeFunction('cordReport', (text: string) => {
    const { errors = [], visits = [] } = JSON.parse(text) as PageReport;
    faults.push(...errors.filter(reported).map(({ message }) => firstLine(message)));
    shown.push(...visits.map(({ module, version }) => `${module} ${version}`));
  });
  // A string, since it runs in the page.
  await page.addInitScript(`
    const sending = [];
    globalThis.cordAllReported = () => Promise.all(sending);
    navigator.sendBeacon = (_address, message) => sending.push(message.text().then(globalThis.cordReport)) > 0;
  `);
  return { faults, shown };
}

/**
 * Opens these tabs one after the other, each until its content has loaded with all data, or for PATIENCE_MS.
 * @param isShown by the reports so far
 * @returns the failures that they show
 */
export async function visitTabs(
  page: Page,
  origin: string,
  ids: readonly string[],
  isShown: (id: string) => boolean,
): Promise<string[]> {
  const failed: string[] = [];
  for (const id of ids) {
    await page.goto(`${origin}/?tab=${id}`, { waitUntil: 'networkidle' });
    await page.locator('[data-testid^="tab-"]').first().waitFor();
    const latest = Date.now() + PATIENCE_MS;
    let isWaiting: boolean;
    do {
      // A page that is still loading is polled again: its data may make it fail.
      const isLoading = (await page.locator(SKELETON).count()) > 0;
      await sleep(POLL_MS);
      const mayRetry = Date.now() < latest;
      // A page sends its reports when it is left, and again when it is back.
      if (!isLoading || !mayRetry)
        await page.evaluate(
          "for (const name of ['pagehide', 'pageshow']) dispatchEvent(new Event(name)); globalThis.cordAllReported?.()",
        );
      isWaiting = mayRetry && (isLoading || !isShown(id));
    } while (isWaiting);
    const titles = await page.locator(FAILED).allInnerTexts();
    failed.push(...titles.map((title) => `the tab ${id} shows: ${title}`));
  }
  return failed;
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? '';
}

/** Returns an example of every response, by method and path pattern. */
async function recordedAnswers(): Promise<RecordedAnswer[]> {
  const { examples } = await contractRecord();
  return examples().flatMap(({ message, full }: { message: string; full: unknown }) => {
    const [, method, pattern = ''] = /^([A-Z]+) (\/\S*) response$/.exec(message) ?? [];
    if (!method) return [];
    const path = new RegExp(`^/api${pattern.replace(/:\w+/g, '[^/]+')}$`);
    return { method, full, path, isExact: !pattern.includes(':') };
  });
}

function answerByContract(answers: readonly RecordedAnswer[]): (route: Route) => Promise<void> {
  return async (route) => {
    const request = route.request();
    const { pathname } = new URL(request.url());
    const fitting = answers.filter(({ method, path: of }) => method === request.method() && of.test(pathname));
    const answer = fitting.find(({ isExact }) => isExact) ?? fitting[0];
    await (answer
      ? route.fulfill({ json: answer.full })
      : route.fulfill({ status: 404, json: { status: 404, title: 'none' } }));
  };
}
