import { setTimeout as sleep } from 'node:timers/promises';
import { contractRecord } from '@cord/build/recorded.mjs';
import { chromium } from 'playwright-core';
import { chromiumBinary, sandboxedLaunch } from '../../test/chromium.mjs';

const VIEWPORT = { width: 1440, height: 1000 };
/** How long a tab may take to come to rest, and a file to come, ms. */
const PATIENCE_MS = 15_000;
const LOOK_EVERY_MS = 100;

/**
 * Opens a page in Chromium whose every call of the API is answered with what the contract has recorded of it: no account, no write.
 * @param {(page: import('playwright-core').Page) => Promise<string[]>} run what goes wrong in it
 * @returns {Promise<string[]>} each once
 */
export async function withPage(run) {
  await chromiumBinary();
  const browser = await chromium.launch(sandboxedLaunch());
  try {
    const context = await browser.newContext({ viewport: VIEWPORT, serviceWorkers: 'block' });
    await context.route('**/api/**', answerByContract(await recordedAnswers()));
    await context.route('**/api/events', (route) => route.abort());
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    return [...new Set(await run(page))].map((fault) => `in Chromium: ${fault}`);
  } finally {
    await browser.close();
  }
}

/**
 * What a page says from now on, as far as it is of interest: what nobody caught (`thrown`), what was written to the console with the address of its origin
 * (`written`), and what the shell tells the operators (`told`).
 * @param {{thrown: (error: Error) => boolean, written: (text: string, address: string) => boolean, told: (fault: {module?: string}) => boolean}} isOurs
 * @returns {Promise<{faults: string[], shown: string[]}>} `shown`: of each visit that it tells, name and version
 */
export async function listenTo(page, { thrown, written, told }) {
  const faults = [];
  const shown = [];
  page.on('pageerror', (error) => {
    if (thrown(error)) faults.push(String(error));
  });
  page.on('console', (message) => {
    if (message.type() === 'error' && written(message.text(), message.location().url))
      faults.push(message.text().split('\n')[0]);
  });
  await page.exposeFunction('cordTold', (text) => {
    const { errors = [], visits = [] } = JSON.parse(text);
    faults.push(...errors.filter(told).map(({ message }) => message.split('\n')[0]));
    shown.push(...visits.map(({ module, version }) => `${module} ${version}`));
  });
  await page.addInitScript(() => {
    const telling = [];
    Object.assign(globalThis, { cordAllTold: () => Promise.all(telling) });
    Object.assign(navigator, {
      sendBeacon: (_address, message) => telling.push(message.text().then(globalThis.cordTold)) > 0,
    });
  });
  return { faults, shown };
}

/**
 * Opens these tabs, one page after the other, each until what it is to show has come, or for PATIENCE_MS.
 * @param {(id: string) => boolean} isShown by what has been told so far
 */
export async function visitTabs(page, origin, ids, isShown) {
  for (const id of ids) {
    await page.goto(`${origin}/?tab=${id}`, { waitUntil: 'networkidle' });
    await page.locator('[data-testid^="tab-"]').first().waitFor();
    // What a page has to tell it tells when it is left.
    const latest = Date.now() + PATIENCE_MS;
    do {
      await page.evaluate(async () => {
        dispatchEvent(new Event('pagehide'));
        await globalThis.cordAllTold();
      });
    } while (!isShown(id) && Date.now() < latest && (await sleep(LOOK_EVERY_MS, true)));
  }
}

/** An example of every answer, by method and pattern of the path. */
async function recordedAnswers() {
  const { examples } = await contractRecord();
  return examples().flatMap(({ message, full }) => {
    const [, method, pattern] = /^([A-Z]+) (\/\S*) response$/.exec(message) ?? [];
    if (!method) return [];
    const path = new RegExp(`^/api${pattern.replace(/:\w+/g, '[^/]+')}$`);
    return { method, full, path, isExact: !pattern.includes(':') };
  });
}

function answerByContract(answers) {
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
