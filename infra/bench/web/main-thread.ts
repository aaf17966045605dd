import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import type { Person } from '../../test/kit/people.ts';
import { median } from '../shared/median.ts';
import { type Measure, rounded } from './budgets.ts';
import { bundleFloor } from './floor/bundle.ts';
import { type Captured, capture } from './floor/capture.ts';
import { launch, openContext, PHONE, signedInMiner } from './visitor.ts';

const CPU_SLOWDOWN = 4;
const FLOOR = 'bench-floor';
/** Poll interval for a complete page, its timeout, and the extra time after it, ms. */
const POLL_MS = 250;
const COMPLETE_MS_MAX = 30_000;
const QUIET_MS = 1_000;
/** The element that each page shows last. */
const PAGES = {
  landing: { signedIn: false, last: '#root h1' },
  dashboard: { signedIn: true, last: '[data-testid="node-toggle"]' },
};

/** CPU time of the main thread, ms. */
interface Times {
  task: number;
  script: number;
  layout: number;
  style: number;
}

/**
 * Main-thread time of a first visit on a phone with a four times slower CPU, as a ratio to a floor page in the same
 * run: React and the federation runtime in one file, which render the same markup with the same style sheets. Measured
 * in thread CPU time from the navigation until a second after the content is complete; prefetches in idle time come
 * later, unless the machine is busy. Medians of `runs` alternating visits.
 */
export const measureMainThread: Measure = async ({ origin, runs }) => {
  const browser = await launch();
  try {
    const code = await bundleFloor();
    const person = await signedInMiner(origin);
    const results: [string, number][] = [];
    for (const [name, { signedIn, last }] of Object.entries(PAGES)) {
      const who = signedIn ? person : null;
      const rounds: { whole: Times[]; floor: Times[] } = { whole: [], floor: [] };
      for (let run = 0; run < runs; run += 1) {
        const whole = await visit(browser, origin, who, { last, look: capture });
        const html = floorPage(whole.seen, code);
        rounds.whole.push(whole.ms);
        rounds.floor.push((await visit(browser, origin, who, { last, html, look: async () => null })).ms);
      }
      const [whole, floor] = [middle(rounds.whole), middle(rounds.floor)];
      console.log(`${name}: ${shown(whole)}; floor: ${shown(floor)}`);
      results.push([`main_thread_${name}_ratio`, rounded(whole.task / floor.task, 2)]);
    }
    return results;
  } finally {
    await browser.close();
  }
};

/** A visit until `last` is shown; `look` reads the result. With `html` it visits the floor page. */
interface Visit<Seen> {
  last: string;
  html?: string;
  look: (page: Page) => Promise<Seen>;
}

/** One visit by a new browser context. */
async function visit<Seen>(
  browser: Browser,
  origin: string,
  person: Person | null,
  { last, html = '', look }: Visit<Seen>,
): Promise<{ ms: Times; seen: Seen }> {
  const context = await openContext(browser, person, { viewport: PHONE, hasTouch: true, isMobile: true });
  const page = await context.newPage();
  // Both kinds of visit intercept requests, so the overhead is the same.
  await page.route(`**/${FLOOR}`, (route) => route.fulfill({ contentType: 'text/html; charset=utf-8', body: html }));
  const protocol = await context.newCDPSession(page);
  await protocol.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  await protocol.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.goto(html ? `${origin}/${FLOOR}` : `${origin}/`, { waitUntil: 'load' });
  await standing(page, last);
  const { metrics } = await protocol.send('Performance.getMetrics');
  const seen = await look(page);
  await context.close();
  const msOf = (wanted: string) => (metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN) * 1_000;
  const ms = {
    task: msOf('TaskDuration'),
    script: msOf('ScriptDuration'),
    layout: msOf('LayoutDuration'),
    style: msOf('RecalcStyleDuration'),
  };
  return { ms, seen };
}

/** Waits until the page is complete, without skeletons, and a second more. Polling costs main-thread time. */
async function standing(page: Page, last: string) {
  const isThere = () =>
    page.evaluate(
      (last) => document.querySelector(last) !== null && !document.querySelector('#root [aria-busy="true"]'),
      last,
    );
  for (const endMs = performance.now() + COMPLETE_MS_MAX; !(await isThere()); await sleep(POLL_MS)) {
    if (performance.now() > endMs) throw new Error(`${last} did not appear`);
  }
  await sleep(QUIET_MS);
}

/** Returns the visit with the median total time. */
function middle(visits: Times[]): Times {
  const task = median(visits.map((each) => each.task));
  const found = visits.find((each) => each.task === task);
  if (!found) throw new Error('--runs must be a number of at least 1');
  return found;
}

function floorPage({ styles, inlined, theme, markup }: Captured, code: string) {
  const links = styles.map((href) => `<link rel="stylesheet" href="${href}">`).join('');
  // Neither may close its element early.
  const data = JSON.stringify(markup).replaceAll('<', '\\u003c');
  return `<!doctype html><html lang="en" data-theme="${theme}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover"><title>CORD</title>
${links}<style>${inlined.join('')}</style></head><body><div id="root"></div>
<script id="markup" type="application/json">${data}</script><script>${code.replaceAll('</script', '<\\/script')}</script></body></html>`;
}

function shown({ task, script, layout, style }: Times) {
  const ms = (value: number) => `${rounded(value, 0)} ms`;
  return `${ms(task)} (script ${ms(script)}, layout ${ms(layout)}, style ${ms(style)})`;
}
