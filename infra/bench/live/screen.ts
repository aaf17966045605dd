import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright-core';
import { call, type Person } from '../../test/kit/people.ts';
import { DESK, launch, openContext, signedInMiner } from '../web/visitor.ts';

const MINUTE_MS = 60_000;
/** Time for a dashboard to load and its stream to open. */
const SETTLE_MS = 15_000;
const TABS = 3;

/**
 * Measures a user's browser with an open live stream: requests per minute of a dashboard with a running node, in one
 * tab and in three, and the time from the request of another device's change until the screen shows it.
 *
 * @param origin of a running system
 * @param form number of changes by another device; time to count requests, ms
 */
export async function measureScreen(origin: string, { changes = 100, restMs = MINUTE_MS } = {}) {
  const person = await signedInMiner(origin);
  const browser = await launch();
  try {
    const context = await openContext(browser, person, { viewport: DESK, serviceWorkers: 'block' });
    const requested: string[] = [];
    context.on('request', (request) => {
      requested.push(`${request.method()} ${new URL(request.url()).pathname}`);
    });

    const first = await openDashboard(context, origin);
    const oneTab = await requestsAMinute(requested, restMs);
    for (let tab = 2; tab <= TABS; tab += 1) await openDashboard(context, origin);
    const threeTabs = await requestsAMinute(requested, restMs);
    // The visible tab: a background tab paints about once a second.
    await first.bringToFront();
    const waits = await otherDevice(first, person, changes);
    return {
      requests_per_minute: Math.max(oneTab, threeTabs),
      requests_per_minute_one_tab: oneTab,
      requests_per_minute_three_tabs: threeTabs,
      other_device_p50_ms: waits[Math.floor(waits.length * 0.5)],
      other_device_p99_ms: waits[Math.ceil(waits.length * 0.99) - 1],
    };
  } finally {
    await browser.close();
  }
}

async function openDashboard(context: BrowserContext, origin: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(origin);
  await toggle(page, 'running');
  return page;
}

const toggle = (page: Page, state: string) =>
  page.locator(`[data-testid="node-toggle"][data-value="${state}"]`).first().waitFor();

async function requestsAMinute(requested: string[], restMs: number) {
  await sleep(SETTLE_MS);
  requested.length = 0;
  await sleep(restMs);
  console.log(`${requested.length} requests in ${restMs / 1_000} s:`, [...new Set(requested)].join(', '));
  return (requested.length * MINUTE_MS) / restMs;
}

/** Stops and starts the node from another device; returns the ms until the page shows it, sorted. */
async function otherDevice(page: Page, person: Person, changes: number) {
  const waits: number[] = [];
  for (let change = 0; change < changes; change += 1) {
    const stops = change % 2 === 0;
    const shown = seenAt(page, stops ? 'idle' : 'running');
    const sentMs = Date.now();
    await call(person, 'POST', `/users/${person.id}/${stops ? 'deactivate' : 'activate'}-node`);
    waits.push((await shown) - sentMs);
  }
  return waits.sort((a, b) => a - b);
}

/** Resolves with the time at which the page has painted the node's state; watches from the call on. */
function seenAt(page: Page, state: 'idle' | 'running'): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve) => {
    const look = () => {
      const value = document.querySelector('[data-testid="node-toggle"]')?.getAttribute('data-value');
      if (value === '${state}') resolve(Date.now());
      else requestAnimationFrame(look);
    };
    look();
  })`);
}
