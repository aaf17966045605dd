import type { Browser, Page } from 'playwright-core';
import type { ComponentType, ReactNode } from 'react';
import type { Newcomer } from '../../test/kit/people.ts';
import { median } from '../shared/median.ts';
import { type Measure, rounded } from './budgets.ts';
import { launch, openContext, PHONE, signedInMiner } from './visitor.ts';

/** The modules' pages, each by its module and the heading by which its content is seen to be there. */
const PAGES = {
  node: { module: 'mfe_mining', title: 'Mining' },
  tasks: { module: 'mfe_tasks', title: 'Task Center' },
  leaderboard: { module: 'mfe_leaderboard', title: 'Rankings' },
  referrals: { module: 'mfe_referrals', title: 'Referrals' },
};
type Tab = keyof typeof PAGES;
/** On a phone this one is in the menu. */
const IN_MENU = 'referrals';
const CPU_SLOWDOWN = 4;
const ROUNDS = 5;
/** The code of the pages is fetched once the page is quiet, on a busy machine only after 10 s. Then a while for what else is under way. */
const FETCHED_MS_MAX = 60_000;
const SETTLED_MS = 2_000;

declare global {
  interface Window {
    /** Ms from `begin` to the frame with the heading. */
    cordTimer(place: Element, title: string, begin: () => void): Promise<number>;
  }
}

/**
 * From the tap on a tab that nobody pointed at to the frame with its page painted, on a phone at a CPU four times slower, as a ratio to a
 * bare render: the same page of the same module put into an empty place of the same document, without header, tabs or single-spa. The
 * worst tab's medians: `tab_switch_ratio` the first visit, `tab_return_ratio` the return to a kept page; `_ms` are printed beside.
 */
export const measureTabSwitch: Measure = async ({ origin }) => {
  const browser = await launch();
  try {
    const person = await signedInMiner(origin);
    const worst = { switch: 0, return: 0, ms: 0 };
    for (const tab of Object.keys(PAGES) as Tab[]) {
      const rounds: Round[] = [];
      for (let round = 0; round < ROUNDS; round += 1) rounds.push(await roundOf(browser, person, tab));
      const of = (name: keyof Round) => median(rounds.map((each) => each[name]));
      const [bare, first, back] = [of('bare'), of('first'), of('back')];
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
};

/** Ms to the painted page. */
interface Round {
  bare: number;
  first: number;
  back: number;
}

/** The bare render on a page of its own, so that neither finds what the other has loaded. */
async function roundOf(browser: Browser, person: Newcomer, tab: Tab): Promise<Round> {
  const { module, title } = PAGES[tab];
  const bare = await onDashboard(browser, person, (page) => page.evaluate(renderBare, { module, title }));
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
async function onDashboard<Taken>(
  browser: Browser,
  person: Newcomer,
  measure: (page: Page) => Promise<Taken>,
): Promise<Taken> {
  const context = await openContext(browser, person, { viewport: PHONE, hasTouch: true, isMobile: true });
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
function haveCome(count: number) {
  return performance.getEntriesByType('resource').filter(({ name }) => name.includes('expose_page')).length >= count;
}

/** Taps a tab without a pointer before it. @returns ms to the frame with its page */
async function tap(page: Page, tab: Tab | 'dashboard'): Promise<number> {
  if (tab === IN_MENU) {
    await page.getByTestId('menu').click();
    await page.getByTestId(`tab-${tab}`).first().waitFor();
    await page.waitForTimeout(500);
  }
  const title = tab === 'dashboard' ? 'Welcome' : PAGES[tab].title;
  return page.evaluate(
    ({ tab, title }) => {
      const button = document.querySelector<HTMLElement>(`[data-testid="tab-${tab}"]`);
      const main = document.querySelector('main');
      if (!button || !main) throw new Error(`the page has no tab ${tab}`);
      return window.cordTimer(main, title, () => button.click());
    },
    { tab, title },
  );
}

/** What a page takes of the shell's `@cord/sdk` to stand alone. */
interface SharedSdk {
  SdkProvider: ComponentType<{ sdk: unknown; children: ReactNode }>;
  useSdk(): unknown;
}

/** Runs in the page: the module's own page, by the federation runtime that the shell has, in a place where nothing else stands. */
async function renderBare({ module, title }: { module: string; title: string }): Promise<number> {
  const runtime = globalThis.__FEDERATION__.__INSTANCES__.find(({ name }) => name === 'cord_shell');
  const root = document.getElementById('root');
  if (!runtime || !root) throw new Error('no shell is here');
  const shared = async <Shared>(name: string) => ((await runtime.loadShare(name)) as () => Shared)();
  const [{ createElement }, { SdkProvider, useSdk }, { createRoot }, { flushSync }, page] = await Promise.all([
    shared<typeof import('react')>('react'),
    shared<SharedSdk>('@cord/sdk'),
    shared<typeof import('react-dom/client')>('react-dom/client'),
    shared<typeof import('react-dom')>('react-dom'),
    runtime.loadRemote<{ Page: ComponentType }>(`${module}/page`),
  ]);
  if (!page) throw new Error(`${module} has no page`);
  const { Page } = page;
  // biome-ignore lint/correctness/noComponentHookFactories: what runs in the page has nothing of this file but itself
  const WithSdk = () => createElement(SdkProvider, { sdk: useSdk(), children: createElement(Page) });
  root.style.display = 'none';
  const place = document.body.appendChild(document.createElement('main'));
  return window.cordTimer(place, title, () => {
    const bare = createRoot(place.appendChild(document.createElement('div')));
    flushSync(() => bare.render(createElement(WithSdk)));
  });
}

/** Runs in each page before its own code: ms from `begin` to the task right after the frame that painted the heading within `place`. */
function installTimer() {
  window.cordTimer = (place, title, begin) =>
    new Promise((resolve, reject) => {
      const isThere = () =>
        [...place.querySelectorAll('h1')].some((each) => each.textContent?.includes(title) && each.checkVisibility());
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
