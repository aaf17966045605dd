import type { CDPSession, Page } from 'playwright-core';
import { advance, systemNow } from '../../test/kit/clock.ts';
import { type Measure, rounded } from './budgets.ts';
import { DESK, launch, openContext, signedInMiner } from './visitor.ts';

const MINUTE_S = 60;
const WARM_UP_S = 5 * MINUTE_S;
const HOUR_S = 60 * MINUTE_S;
/** Step of the page's and the system's clocks: the save interval. */
const STEP_S = 10;
/** Real time for the calls of a step, ms. */
const ANSWERS_MS = 60;
const MB = 1_048_576;

/**
 * Growth of the JavaScript heap, after a forced collection, over an hour with the Mining page open and the node running. The hour is
 * simulated completely: 3,600 ticks of the page's clock, with every save and refetch really sent, and the system's clock moved along.
 */
export const measureHeap: Measure = async ({ origin }) => {
  const browser = await launch();
  try {
    const context = await openContext(browser, await signedInMiner(origin), { viewport: DESK });
    const page = await context.newPage();
    let saves = 0;
    page.on('response', (response) => {
      if (response.request().method() === 'POST' && response.url().endsWith('/save') && response.ok()) saves += 1;
    });
    await page.clock.install({ time: await systemNow(origin) });
    await page.goto(`${origin}/?tab=node`);
    await page.getByTestId('node-toggle').first().filter({ hasText: 'Stop Mining' }).waitFor();
    const protocol = await context.newCDPSession(page);
    await live(page, origin, WARM_UP_S);
    const before = await heapBytes(protocol);
    saves = 0;
    const earnedBefore = await earned(page);
    await live(page, origin, HOUR_S);
    const after = await heapBytes(protocol);
    const earnedMore = (await earned(page)) - earnedBefore;
    console.log(`${(before / MB).toFixed(2)} MB after ${WARM_UP_S} s, ${(after / MB).toFixed(2)} MB an hour later`);
    console.log(`in that hour: ${saves} saves, ${earnedMore.toFixed(2)} CORD earned`);
    if (saves < HOUR_S / STEP_S / 2) throw new Error(`only ${saves} saves: the page did not run for the whole hour`);
    return [
      ['heap_growth_mb', rounded((after - before) / MB, 2)],
      ['heap_saves', saves],
    ];
  } finally {
    await browser.close();
  }
};

async function live(page: Page, origin: string, seconds: number) {
  for (let passed = 0; passed < seconds; passed += STEP_S) {
    await advance(origin, `${STEP_S}s`);
    await page.clock.runFor(STEP_S * 1_000);
    await new Promise((resolve) => setTimeout(resolve, ANSWERS_MS));
  }
}

async function earned(page: Page) {
  return Number(await page.getByTestId('session-earned').first().getAttribute('data-value'));
}

async function heapBytes(protocol: CDPSession) {
  await protocol.send('HeapProfiler.collectGarbage');
  await protocol.send('HeapProfiler.collectGarbage');
  return (await protocol.send('Runtime.getHeapUsage')).usedSize;
}
