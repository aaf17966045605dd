import { median } from '../report/median.mjs';
import { rounded } from './budgets.mjs';
import { DESK, giveSession, launch, signedInMiner } from './visitor.mjs';

/** Each tab by the heading that says that its content is there. */
const TITLES = {
  node: 'Mining',
  tasks: 'Task Center',
  leaderboard: 'Rankings',
  referrals: 'Referrals',
  settings: 'Settings',
};
const CPU_SLOWDOWN = 4;
const ROUNDS = 5;
const SETTLED_MS = 1_500;

/**
 * From the click on a tab that was pointed at before to the frame with its content painted, ms, at a CPU four times slower. The
 * worst tab's median: `tab_switch_ms` to the page itself, `tab_switch_presented_ms` to its pixels on the screen,
 * `tab_switch_filled_ms` to the last number that it asks a service for.
 */
export async function measureTabSwitch({ origin }) {
  const browser = await launch();
  try {
    const person = await signedInMiner(origin);
    const worst = { pageMs: 0, presentedMs: 0, filledMs: 0 };
    for (const tab of Object.keys(TITLES)) {
      const rounds = [];
      for (let round = 0; round < ROUNDS; round += 1) rounds.push(await switchOnce(browser, person, tab));
      const [page, presented, filled] = Object.keys(worst).map((name) => {
        const ms = rounded(median(rounds.map((each) => each[name])));
        worst[name] = Math.max(worst[name], ms);
        return ms;
      });
      console.log(`${tab}: page ${page} ms, on the screen ${presented} ms, filled ${filled} ms`);
    }
    return [
      ['tab_switch_ms', worst.pageMs],
      ['tab_switch_presented_ms', worst.presentedMs],
      ['tab_switch_filled_ms', worst.filledMs],
    ];
  } finally {
    await browser.close();
  }
}

/** A fresh page on the dashboard, the tab pointed at, everything quiet; then the click. */
async function switchOnce(browser, person, tab) {
  const context = await browser.newContext({ viewport: DESK });
  await giveSession(context, person);
  const page = await context.newPage();
  await page.goto(person.origin, { waitUntil: 'networkidle' });
  await page.getByTestId(`tab-${tab}`).hover();
  await page.waitForLoadState('networkidle');
  await page.waitForTimeout(SETTLED_MS);
  const protocol = await context.newCDPSession(page);
  await protocol.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  const taken = await page.evaluate(clickAndWatch, { tab, title: TITLES[tab] });
  await context.close();
  return taken;
}

/**
 * Runs in the page. A time is taken right after the frame that painted what is waited for: in the next task, ahead of those that
 * wait already. When the heading's pixels were handed to the screen, Element Timing tells; without a graphics card that is the
 * compositor's work on the same two cores, so it is told beside the budget.
 */
function clickAndWatch({ tab, title }) {
  const main = document.querySelector('main');
  const heading = () =>
    [...main.querySelectorAll('h1')].find((each) => each.textContent.includes(title) && each.checkVisibility());
  return new Promise((resolve, reject) => {
    const startMs = performance.now();
    const taken = {};
    const take = (name, atMs) => {
      taken[name] = atMs - startMs;
      if (Object.keys(taken).length === 3) resolve(taken);
    };
    new PerformanceObserver((list) => {
      for (const { identifier, renderTime } of list.getEntries()) {
        if (identifier === title) take('presentedMs', renderTime);
      }
    }).observe({ type: 'element' });
    const timed = (element) => element.setAttribute('elementtiming', title);
    for (const each of document.querySelectorAll('h1')) if (each.textContent.includes(title)) timed(each);

    const isFilled = () => heading() !== undefined && main.querySelector('[aria-busy="true"]') === null;
    const waiting = { pageMs: () => heading() !== undefined, filledMs: isFilled };
    const look = () => {
      for (const [name, there] of Object.entries(waiting)) {
        if (!there()) continue;
        delete waiting[name];
        if (!heading().hasAttribute('elementtiming')) timed(heading());
        requestAnimationFrame(() =>
          scheduler.postTask(() => take(name, performance.now()), { priority: 'user-blocking' }),
        );
      }
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
    setTimeout(() => reject(new Error(`${tab} did not show its content`)), 15_000);
    document.querySelector(`[data-testid="tab-${tab}"]`).click();
  });
}
