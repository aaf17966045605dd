import type { Page } from 'playwright-core';
import { type Measure, rounded } from './budgets.ts';
import { DESK, giveSession, launch, openContext, PHONE, signedInMiner } from './visitor.ts';

const WIDTHS = { desk: DESK, phone: PHONE };
const TABS = ['dashboard', 'node', 'tasks', 'leaderboard', 'referrals', 'settings'];
const LOOK_MS = 1_500;

/** The used fields of a `layout-shift` entry, which the DOM types lack. */
interface LayoutShift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
  sources: { node: (Node & { className?: string }) | null; previousRect: DOMRect; currentRect: DOMRect }[];
}

declare global {
  interface Window {
    /** The largest shift so far, and the elements moved since the last read. */
    cordShift: { shift: number; moved: string[] };
  }
}

/** Reads the shifts of a named step. */
type Read = (step: string) => Promise<void>;

/** The largest cumulative layout shift (web-vitals' session windows) of any page in a walk through all pages, at both widths. */
export const measureLayoutShift: Measure = async ({ origin }) => {
  const browser = await launch();
  let most = 0;
  try {
    for (const [width, viewport] of Object.entries(WIDTHS)) {
      const person = await signedInMiner(origin);
      const context = await openContext(browser, null, { viewport });
      await context.addInitScript(observe);
      const page = await context.newPage();
      const printed = new Set<string>();
      const read: Read = async (step) => {
        await page.waitForTimeout(LOOK_MS);
        const { shift, moved } = await page.evaluate(() => window.cordShift);
        for (const text of moved.filter((each) => !printed.has(each))) console.log(`${width} ${step}: ${text}`);
        for (const text of moved) printed.add(text);
        most = Math.max(most, shift);
      };
      await page.goto(origin);
      await read('landing');
      await page.getByRole('button', { name: 'Connect Discord & Start Mining' }).first().click();
      await read('landing with the modal');
      await giveSession(context, person);
      for (const tab of TABS) {
        await page.goto(`${origin}/?tab=${tab}`);
        await read(`${tab}, opened`);
      }
      await page.goto(origin);
      await walk(page, width, read);
      await context.close();
    }
  } finally {
    await browser.close();
  }
  return [['layout_shift_max', rounded(most, 4)]];
};

/** Visits each tab, then stops and starts the node. */
async function walk(page: Page, width: string, read: Read) {
  for (const tab of [...TABS.slice(1), 'dashboard']) {
    if (width === 'phone' && ['referrals', 'settings'].includes(tab)) await page.getByTestId('menu').click();
    await page.getByTestId(`tab-${tab}`).first().click();
    await read(`${tab}, by its tab`);
  }
  for (const change of ['stopped', 'started']) {
    await page.getByTestId('node-toggle').first().click();
    await read(`the node ${change}`);
  }
}

/** Runs in each page before its own code: sums shifts like web-vitals, in windows of at most 5 s with gaps under 1 s. */
function observe() {
  const kept: Window['cordShift'] = { shift: 0, moved: [] };
  window.cordShift = kept;
  let current = 0;
  let firstMs = 0;
  let lastMs = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, startTime, sources } of list.getEntries() as LayoutShift[]) {
      if (hadRecentInput) continue;
      const same = current > 0 && startTime - lastMs < 1_000 && startTime - firstMs < 5_000;
      if (!same) firstMs = startTime;
      current = same ? current + value : value;
      lastMs = startTime;
      kept.shift = Math.max(kept.shift, current);
      if (value < 0.005) continue;
      const names = sources.map(({ node, previousRect, currentRect }) => {
        const by = `${currentRect.x - previousRect.x},${currentRect.y - previousRect.y}`;
        return `${node?.className || node?.nodeName} by ${by}`;
      });
      kept.moved.push(`${value.toFixed(4)} at ${Math.round(startTime)} ms: ${names.join('; ')}`);
    }
  }).observe({ type: 'layout-shift', buffered: true });
}
