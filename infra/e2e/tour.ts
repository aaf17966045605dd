import type { Entry } from '@cord/deploy/store/registry';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { goTo, type Tab } from './screens.js';

/** The visible part of a module's facts. */
interface RoomContent {
  tab?: { id: Tab; words: { en: string }; for: string };
  parts: readonly { words: { en: string }; room: string; place?: string }[];
}

type Place = (page: Page) => Locator;
const main = (page: Page) => page.locator('main#page');
const panels = (page: Page) => main(page).getByTestId('error-panel');

/** An element on the page of a module that shows loaded data; present in every release so far. */
const ON_ITS_TAB: Record<string, Place> = {
  mfe_mining: (page) => main(page).getByTestId('node-toggle'),
  mfe_tasks: (page) => main(page).getByTestId('task-early-adopter'),
  mfe_leaderboard: (page) => main(page).getByPlaceholder('Search by username'),
  mfe_referrals: (page) => main(page).getByText('Friends joined'),
};
/** Elements of a module's parts on the dashboard and in the header above it. */
const ON_DASHBOARD: Record<string, Place[]> = {
  mfe_mining: [(page) => main(page).getByTestId('node-toggle')],
  mfe_tasks: [(page) => main(page).getByTestId('streak')],
  mfe_leaderboard: [],
  mfe_referrals: [(page) => main(page).getByText('Have a friend’s code?')],
  mfe_wallet: [
    (page) => main(page).getByRole('heading', { name: 'Badge of Honor', exact: true }),
    (page) => page.getByTestId('wallet'),
  ],
};

/** Slots for cards that every release's dashboard has; a part in another slot shows only where the shell knows it. */
const PLACES = ['dashboard.main', 'dashboard.cards'];

/** A page under observation, with its requested builds and faults. */
export interface Watched {
  page: Page;
  origin: string;
  /** Such as `mfe_tasks 1.0.0-0123abcd`. */
  requested: Set<string>;
  /** Uncaught errors, and errors in the console. */
  faults: string[];
}

/** The browser's own message about a request for the user while nobody is signed in. */
const NOBODY = /status of 401 .*\/api\/auth\/me$/;

/** @param page of a user without the service worker, whose requests would be invisible */
export function watched(page: Page, origin: string): Watched {
  const requested = new Set<string>();
  const faults: string[] = [];
  page.on('request', (request) => {
    const [, name, version] = /\/modules\/(\w+)\/([^/]+)\//.exec(request.url()) ?? [];
    if (name) requested.add(`${name} ${version}`);
  });
  page.on('pageerror', ({ message }) => faults.push(message));
  page.on('console', (message) => {
    const line = `${message.text()} ${message.location().url}`;
    if (message.type() === 'error' && !NOBODY.test(line)) faults.push(line);
  });
  return { page, origin, requested, faults };
}

/** The published modules, and how the shell shows that one does not fit. */
export interface Published {
  modules: Record<string, Entry>;
  fits(name: string): boolean;
  shows: string;
}

/** Visits each module's tab and the dashboard: fitting modules work live, the others show a notice. */
export async function tour(seen: Watched, published: Published, names = Object.keys(published.modules)): Promise<void> {
  for (const name of names) await visitTab(seen, published, name);
  await visitDashboard(seen, published);
}

async function visitTab({ page, origin, requested }: Watched, { modules, fits, shows }: Published, name: string) {
  const entry = modules[name]!;
  const { tab } = entry as unknown as RoomContent;
  // The user is not an admin.
  if (!tab || tab.for === 'admins') return;
  await leave(page);
  requested.clear();
  await page.goto(`${origin}/?tab=${tab.id}`);
  await page.getByTestId('balance').first().waitFor();
  if (fits(name)) {
    await ON_ITS_TAB[name]!(page).first().waitFor();
    expect(await panels(page).count()).toBe(0);
    expect([...requested].filter((build) => build.startsWith(`${name} `))).toEqual([`${name} ${entry.version}`]);
    return;
  }
  await panels(page)
    .filter({ hasText: `${tab.words.en} could not be loaded` })
    .filter({ hasText: shows })
    .waitFor();
  expect([...requested].filter((build) => build.startsWith(`${name} `))).toEqual([]);
  await goTo(page, 'settings');
  await main(page).getByRole('heading', { name: 'Settings', exact: true }).waitFor();
}

/** Leaves the page: while loading, it would continue to request builds of its own registry. */
const leave = (page: Page) => page.goto('about:blank');

async function visitDashboard({ page, origin, requested }: Watched, { modules, fits }: Published) {
  await leave(page);
  requested.clear();
  await page.goto(origin);
  await page.getByTestId('balance').first().waitFor();
  const lost: string[] = [];
  for (const [name, entry] of Object.entries(modules)) {
    if (fits(name)) {
      for (const place of ON_DASHBOARD[name] ?? []) await place(page).first().waitFor();
      continue;
    }
    const { parts } = entry as unknown as RoomContent;
    const onDashboard = parts.filter(({ place = '' }) => place.startsWith('dashboard.'));
    for (const { words, room, place = '' } of onDashboard) {
      const title = `${words.en} could not be loaded`;
      lost.push(title);
      if (/card$/.test(room) && PLACES.includes(place)) await panels(page).filter({ hasText: title }).waitFor();
    }
  }
  // An earlier release may know some of today's other slots; each panel belongs to an unfit part, once.
  const shown = await panels(page).getByRole('heading').allTextContents();
  expect(shown.filter((title, at) => !lost.includes(title) || shown.indexOf(title) !== at)).toEqual([]);
  const others = [...requested].filter((build) => !builds(modules, fits).includes(build));
  expect(others).toEqual([]);
}

/** Builds that a page may request. */
function builds(modules: Published['modules'], fits: Published['fits']): string[] {
  return Object.entries(modules).flatMap(([name, { version }]) => (fits(name) ? [`${name} ${version}`] : []));
}
