import type { Browser, Page } from 'playwright-core';
import type { ComponentType, ReactNode } from 'react';
import type { Newcomer } from '../../test/kit/people.ts';
import { median } from '../shared/median.ts';
import { type Measure, rounded } from './budgets.ts';
import { launch, openContext, PHONE, signedInMiner } from './visitor.ts';

/** The modules' pages, each with its module and the heading that shows its content is there. */
const PAGES = {
  node: { module: 'mfe_mining', title: 'Mining' },
  tasks: { module: 'mfe_tasks', title: 'Task Center' },
  leaderboard: { module: 'mfe_leaderboard', title: 'Rankings' },
  referrals: { module: 'mfe_referrals', title: 'Referrals' },
};
type Tab = keyof typeof PAGES;
/** This tab is in the menu on a phone. */
const IN_MENU = 'referrals';
const CPU_SLOWDOWN = 4;
const ROUNDS = 5;
/** The pages' code is prefetched once the page is quiet, on a busy machine only after 10 s. Then extra time for other work. */
const FETCHED_MS_MAX = 60_000;
const SETTLED_MS = 2_000;

declare global {
  interface Window {
    /** Ms from `begin` to the frame with the heading. */
    cordTimer(place: Element, title: string, begin: () => void): Promise<number>;
  }
}

/**
 * Time from a tap on a tab, without a prior pointer, to the frame with its page painted, on a phone with a four times slower CPU. Given
 * as a ratio to a bare render: the same module page in an empty element of the same document, without header, tabs or single-spa. Medians
 * of the worst tab: `tab_switch_ratio` for the first visit, `tab_return_ratio` for the return to a kept page; `_ms` are also printed.
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

/** Time to the painted page, ms. */
interface Round {
  bare: number;
  first: number;
  back: number;
}

/** The bare render uses a separate page, so that neither profits from the other's loaded code. */
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

/** Opens a new page on the dashboard and waits until it is quiet; then runs `measure` at the slow CPU. */
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
  await page.waitForFunction(areLoaded, Object.keys(PAGES).length, { timeout: FETCHED_MS_MAX, polling: 500 });
  await page.waitForTimeout(SETTLED_MS);
  const protocol = await context.newCDPSession(page);
  await protocol.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  const taken = await measure(page);
  await context.close();
  return taken;
}

/** Runs in the page: whether the code of `count` pages is loaded. */
function areLoaded(count: number) {
  return performance.getEntriesByType('resource').filter(({ name }) => name.includes('expose_page')).length >= count;
}

/** Taps a tab without a prior pointer event. @returns ms to the frame with its page */
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

/** The part of the shell's `@cord/sdk` that a standalone page needs. */
interface SharedSdk {
  SdkProvider: ComponentType<{ sdk: unknown; children: ReactNode }>;
  useSdk(): unknown;
}

/** Runs in the page: renders the module's page by the shell's federation runtime, in an empty place. */
async function renderBare({ module, title }: { module: string; title: string }): Promise<number> {
  const runtime = globalThis.__FEDERATION__.__INSTANCES__.find(({ name }) => name === 'cord_shell');
  const root = document.getElementById('root');
  if (!runtime || !root) throw new Error('no shell found');
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

/** Runs in each page before its own code: ms from `begin` to the task after the frame that painted the heading within `place`. */
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
      setTimeout(() => reject(new Error(`${title} did not appear`)), 15_000);
      const startMs = performance.now();
      begin();
    });
}
