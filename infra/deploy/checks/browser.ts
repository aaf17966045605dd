import { setTimeout as sleep } from 'node:timers/promises';
import { contractRecord } from '@cord/build/recorded.ts';
import { chromium, type Page, type Route } from 'playwright-core';
import { chromiumBinary, sandboxedLaunch } from '../../test/chromium.ts';

const VIEWPORT = { width: 1440, height: 1000 };
/** A recorded answer of the contract. */
interface RecordedAnswer {
  method: string;
  path: RegExp;
  isExact: boolean;
  full: unknown;
}

/** What the shell sends to the operators (POST /api/client-errors). */
interface PageReport {
  errors?: { message: string; module?: string }[];
  visits?: { module: string; version: string }[];
}

/** How long a tab may take to come to rest, and a file to come, ms. */
const PATIENCE_MS = 15_000;
/** The shell reports a file that does not come after 500 ms, unless the page is left before (shell/sdk/report.ts). */
const LOOK_EVERY_MS = 700;
/** What stands in a page for what has yet to come (storybook/ui/feedback/skeleton.tsx). */
const SKELETON = '[role="status"][aria-busy="true"]';
/** In the place of what failed (storybook/ui/feedback/tab-error-panel.tsx). */
const FAILED = '[data-testid="error-panel"] h2';

/** A fault, with where it was found. */
export const inChromium = (fault: string): string => `in Chromium: ${fault}`;

/**
 * Opens a page of somebody who is signed in, in Chromium, whose every call of the API is answered with what the contract has recorded of it: no account, no write.
 * @param run what goes wrong in it
 * @returns each once
 */
export async function withPage(origin: string, run: (page: Page) => Promise<string[]>): Promise<string[]> {
  await chromiumBinary();
  const browser = await chromium.launch(sandboxedLaunch());
  try {
    const context = await browser.newContext({ viewport: VIEWPORT, serviceWorkers: 'block' });
    // Auth's sign that there is a session: a page without it shows the landing page, and requests nothing.
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

/** Which of what a page reports counts. */
export interface FaultFilter {
  /** What nobody caught. */
  thrown(error: Error): boolean;
  /** What was written to the console, with the address of its origin. */
  written(text: string, address: string): boolean;
  /** What the shell reports to the operators. */
  reported(fault: { module?: string }): boolean;
}

/**
 * What a page reports from now on.
 * @returns `shown`: name and version of each visit that the shell reports
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
  // A string: it runs in the page.
  await page.addInitScript(`
    const sending = [];
    globalThis.cordAllReported = () => Promise.all(sending);
    navigator.sendBeacon = (_address, message) => sending.push(message.text().then(globalThis.cordReport)) > 0;
  `);
  return { faults, shown };
}

/**
 * Opens these tabs, one page after the other, each until what it is to show has come with all of its data, or for PATIENCE_MS.
 * @param isShown by what has been reported so far
 * @returns what they show as failed
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
      // A look at a page that is still loading comes again: what fails may fail by the data.
      const isLoading = (await page.locator(SKELETON).count()) > 0;
      await sleep(LOOK_EVERY_MS);
      const isPatient = Date.now() < latest;
      // A page sends its reports when it is left, and reports again when it is back.
      if (!isLoading || !isPatient)
        await page.evaluate(
          "for (const name of ['pagehide', 'pageshow']) dispatchEvent(new Event(name)); globalThis.cordAllReported?.()",
        );
      isWaiting = isPatient && (isLoading || !isShown(id));
    } while (isWaiting);
    const titles = await page.locator(FAILED).allInnerTexts();
    failed.push(...titles.map((title) => `the tab ${id} shows: ${title}`));
  }
  return failed;
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? '';
}

/** An example of every answer, by method and pattern of the path. */
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
