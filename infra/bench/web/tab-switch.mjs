import { median } from '../report/median.ts';
import { rounded } from './budgets.mjs';
import { giveSession, launch, PHONE, signedInMiner } from './visitor.mjs';

/** The modules' pages, each by its module and the heading that says that its content is there. */
const PAGES = {
  node: { module: 'mfe_mining', title: 'Mining' },
  tasks: { module: 'mfe_tasks', title: 'Task Center' },
  leaderboard: { module: 'mfe_leaderboard', title: 'Rankings' },
  referrals: { module: 'mfe_referrals', title: 'Referrals' },
};
/** On a phone this one is in the menu. */
const IN_MENU = 'referrals';
const CPU_SLOWDOWN = 4;
const ROUNDS = 5;
/** The code of the pages is fetched once the page is quiet, on a busy machine only after 10 s. Then a while for what else is under way. */
const FETCHED_MS_MAX = 60_000;
const SETTLED_MS = 2_000;

/**
 * From the tap on a tab that nobody pointed at to the frame with its page painted, on a phone at a CPU four times slower, as a ratio to a
 * bare render: the same page of the same module put into an empty place of the same document, without header, tabs or single-spa. The
 * worst tab's medians: `tab_switch_ratio` the first visit, `tab_return_ratio` the return to a kept page; `_ms` are printed beside.
 */
export async function measureTabSwitch({ origin }) {
  const browser = await launch();
  try {
    const person = await signedInMiner(origin);
    const worst = { switch: 0, return: 0, ms: 0 };
    for (const tab of Object.keys(PAGES)) {
      const rounds = [];
      for (let round = 0; round < ROUNDS; round += 1) rounds.push(await roundOf(browser, person, tab));
      const [bare, first, back] = ['bare', 'first', 'back'].map((name) => median(rounds.map((each) => each[name])));
      worst.switch = Math.max(worst.switch, first / bare);
      worst.return = Math.max(worst.return, back / bare);
      worst.ms = Math.max(worst.ms, first);
      console.log(`${tab}: bare ${rounded(bare)} ms, first visit ${rounded(first)} ms, return ${rounded(back)} ms`);
    }
    return [
      ['tab_switch_ratio', rounded(worst.switch, 2)],
      ['tab_return_ratio', rounded(worst.return, 2)],
      ['tab_switch_ms', rounded(worst.ms)],
    ];
  } finally {
    await browser.close();
  }
}

/** The bare render on a page of its own, so that neither finds what the other has asked for. */
async function roundOf(browser, person, tab) {
  const { module, title } = PAGES[tab];
  const bare = await onDashboard(browser, person, (page) => page.evaluate(renderBare, { tab, module, title }));
  const switched = await onDashboard(browser, person, async (page) => {
    const first = await tap(page, tab);
    await page.waitForLoadState('networkidle');
    await tap(page, 'dashboard');
    await page.waitForTimeout(500);
    return { first, back: await tap(page, tab) };
  });
  return { bare, ...switched };
}

/** A fresh page on the dashboard, everything quiet; then `measure` at the slow CPU. */
async function onDashboard(browser, person, measure) {
  const context = await browser.newContext({ viewport: PHONE, hasTouch: true, isMobile: true });
  await giveSession(context, person);
  const page = await context.newPage();
  await page.addInitScript(installTimer);
  await page.goto(person.origin);
  await page.getByTestId('node-toggle').first().waitFor();
  await page.waitForFunction(haveCome, Object.keys(PAGES).length, { timeout: FETCHED_MS_MAX, polling: 500 });
  await page.waitForTimeout(SETTLED_MS);
  const protocol = await context.newCDPSession(page);
  await protocol.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  const taken = await measure(page);
  await context.close();
  return taken;
}

/** Runs in the page: whether the code of so many pages is here. */
function haveCome(count) {
  return performance.getEntriesByType('resource').filter(({ name }) => name.includes('expose_page')).length >= count;
}

/** Taps a tab without a pointer before it. @returns ms to the frame with its page */
async function tap(page, tab) {
  if (tab === IN_MENU) {
    await page.getByTestId('menu').click();
    await page.getByTestId(`tab-${tab}`).first().waitFor();
    await page.waitForTimeout(500);
  }
  const title = PAGES[tab]?.title ?? 'Welcome';
  return page.evaluate(
    ({ tab, title }) => {
      const button = document.querySelector(`[data-testid="tab-${tab}"]`);
      return window.cordTimer(document.querySelector('main'), title, () => button.click());
    },
    { tab, title },
  );
}

/** Runs in the page: the module's own page, by the federation runtime that the shell has, in a place where nothing else stands. */
async function renderBare({ module, title }) {
  const runtime = globalThis.__FEDERATION__.__INSTANCES__.find(({ name }) => name === 'cord_shell');
  const shared = async (name) => (await runtime.loadShare(name))();
  const [{ createElement }, { createRoot }, { flushSync }] = await Promise.all(
    ['react', 'react-dom/client', 'react-dom'].map(shared),
  );
  const { Page } = await runtime.loadRemote(`${module}/page`);
  document.getElementById('root').style.display = 'none';
  const place = document.body.appendChild(document.createElement('main'));
  return window.cordTimer(place, title, () => {
    const root = createRoot(place.appendChild(document.createElement('div')));
    flushSync(() => root.render(createElement(Page)));
  });
}

/** Runs in each page before its own code: ms from `begin` to the task right after the frame that painted the heading within `place`. */
function installTimer() {
  window.cordTimer = (place, title, begin) =>
    new Promise((resolve, reject) => {
      const isThere = () =>
        [...place.querySelectorAll('h1')].some((each) => each.textContent.includes(title) && each.checkVisibility());
      const seen = new MutationObserver(() => {
        if (!isThere()) return;
        seen.disconnect();
        requestAnimationFrame(() =>
          scheduler.postTask(() => resolve(performance.now() - startMs), { priority: 'user-blocking' }),
        );
      });
      seen.observe(place, { subtree: true, childList: true, attributes: true });
      setTimeout(() => reject(new Error(`${title} did not come`)), 15_000);
      const startMs = performance.now();
      begin();
    });
}
