import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '../report/median.ts';
import { rounded } from './budgets.mjs';
import { bundleFloor } from './floor/bundle.mjs';
import { capture } from './floor/capture.mjs';
import { giveSession, launch, PHONE, signedInMiner } from './visitor.mjs';

const CPU_SLOWDOWN = 4;
const FLOOR = 'bench-floor';
/** How often is looked whether the page stands, for how long at the most, and what it is given after it, ms. */
const LOOK_MS = 250;
const STANDS_MS_MAX = 30_000;
const QUIET_MS = 1_000;
/** What each page shows last. */
const PAGES = {
  landing: { signedIn: false, last: '#root h1' },
  dashboard: { signedIn: true, last: '[data-testid="node-toggle"]' },
};

/**
 * Main-thread time of a first visit, on a phone at a CPU four times slower, as a ratio to a floor page of the same run: React and the federation
 * runtime from one file, which make the same markup under the same style sheets. From the navigation until the content stands and a second
 * more, in CPU time of the thread and not of the clock; what is fetched ahead in idle time comes later, unless the machine is busy.
 * Medians of `runs` visits that take turns.
 */
export async function measureMainThread({ origin, runs }) {
  const browser = await launch();
  try {
    const code = await bundleFloor();
    const person = await signedInMiner(origin);
    const results = [];
    for (const [name, { signedIn, last }] of Object.entries(PAGES)) {
      const who = signedIn ? person : null;
      const rounds = { whole: [], floor: [] };
      for (let run = 0; run < runs; run += 1) {
        const whole = await visit(browser, origin, who, { last });
        const html = floorPage(whole.captured, code);
        rounds.whole.push(whole.ms);
        rounds.floor.push((await visit(browser, origin, who, { last, html })).ms);
      }
      const [whole, floor] = [middle(rounds.whole), middle(rounds.floor)];
      console.log(`${name}: ${spoken(whole)}; floor: ${spoken(floor)}`);
      results.push([`main_thread_${name}_ratio`, rounded(whole.task / floor.task, 2)]);
    }
    return results;
  } finally {
    await browser.close();
  }
}

/** One visit by a browser that was never here. With `html` it is the floor page's, else what it ended with is captured. */
async function visit(browser, origin, person, { last, html }) {
  const context = await browser.newContext({ viewport: PHONE, hasTouch: true, isMobile: true });
  if (person) await giveSession(context, person);
  const page = await context.newPage();
  // Both kinds of visit have their requests looked at, so that this weighs the same on either.
  await page.route(`**/${FLOOR}`, (route) => route.fulfill({ contentType: 'text/html; charset=utf-8', body: html }));
  const protocol = await context.newCDPSession(page);
  await protocol.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  await protocol.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.goto(html ? `${origin}/${FLOOR}` : `${origin}/`, { waitUntil: 'load' });
  await standing(page, last);
  const { metrics } = await protocol.send('Performance.getMetrics');
  const captured = html ? null : await capture(page);
  await context.close();
  return { ms: timesOf(Object.fromEntries(metrics.map(({ name, value }) => [name, value * 1_000]))), captured };
}

/** Until what is shown last is there, nothing is a skeleton any more, and a second has passed. Looked for seldom: it is work of the page's own thread. */
async function standing(page, last) {
  const isThere = () =>
    page.evaluate(
      (last) => document.querySelector(last) !== null && !document.querySelector('#root [aria-busy="true"]'),
      last,
    );
  for (const endMs = performance.now() + STANDS_MS_MAX; !(await isThere()); await sleep(LOOK_MS)) {
    if (performance.now() > endMs) throw new Error(`${last} did not come`);
  }
  await sleep(QUIET_MS);
}

function timesOf({ TaskDuration, ScriptDuration, LayoutDuration, RecalcStyleDuration }) {
  return { task: TaskDuration, script: ScriptDuration, layout: LayoutDuration, style: RecalcStyleDuration };
}

/** The visit in the middle by its whole time. */
function middle(visits) {
  const task = median(visits.map((each) => each.task));
  return visits.find((each) => each.task === task);
}

function floorPage({ styles, inlined, theme, markup }, code) {
  const links = styles.map((href) => `<link rel="stylesheet" href="${href}">`).join('');
  // Neither may end its element early.
  const data = JSON.stringify(markup).replaceAll('<', '\\u003c');
  return `<!doctype html><html lang="en" data-theme="${theme}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover"><title>CORD</title>
${links}<style>${inlined.join('')}</style></head><body><div id="root"></div>
<script id="markup" type="application/json">${data}</script><script>${code.replaceAll('</script', '<\\/script')}</script></body></html>`;
}

function spoken({ task, script, layout, style }) {
  const ms = (value) => `${rounded(value, 0)} ms`;
  return `${ms(task)} (script ${ms(script)}, layout ${ms(layout)}, style ${ms(style)})`;
}
