import { join } from 'node:path';
import type { APIResponse, Page } from 'playwright-core';
import type { ModuleStore } from '../store/folder-store.js';
import type { Entry } from '../store/registry.js';
import { type Facts, filesOf, SHELL } from '../store/release-line.js';
import { type FaultFilter, inChromium, listenTo, visitTabs, withPage } from './browser.js';
import { fits } from './shell.js';

/** The tab with slots for parts of any module. */
const HOME = 'dashboard';
/** A slot with actions: what a click does, without anything on the screen. */
const OF_ACTIONS = 'welcome.start';
const TABS_OF_SHELL = [HOME, 'settings'];
/** The format that infra/gateway writes. */
const REGISTRY_IN_PAGE = /<script type="application\/json" id="cord-registry"[^>]*>[^<]*<\/script>/;
/** Markers that the gateway replaces in a built page (infra/gateway/static/page.ts). */
const AHEAD = /<!-- for:([\w-]+) ([\s\S]*?) -->/g;
const NONCE = /'nonce-([^']+)'/;

/**
 * Tests an uploaded version in Chromium before it goes live, with everything else that is live. A module runs in the shell, on every
 * tab that shows part of it, and all its exposed files are loaded. A shell runs with its own page and all modules, on every tab.
 * @param origin of the running system
 * @param name of the module, or SHELL
 * @param report called with what is skipped
 * @returns what went wrong
 */
export async function smokeProblems(
  store: ModuleStore,
  origin: string,
  name: string,
  facts: Facts,
  report: (line: string) => void,
): Promise<string[]> {
  const registry = (await (await fetch(`${origin}/remotes.json`)).json()) as { modules: Record<string, Entry> };
  const trial = name === SHELL ? shellTrial(registry.modules, facts) : moduleTrial(registry.modules, name, facts);
  for (const untried of trial.untried) report(`${untried} is switched off: not tested with this shell`);
  const html = name === SHELL ? ((await store.read(`${filesOf(SHELL, facts.version)}/index.html`)) ?? '') : null;
  let failed: string[] = [];
  const faults = await withPage(origin, async (page) => {
    await serveRegistry(page, { ...registry, modules: trial.modules }, async (response) =>
      html === null ? response.text() : servedPage(html, response, origin),
    );
    // A gateway serves published versions only, so this version's files come from the store.
    const ofVersion = filesAt(store, name, facts);
    await page.context().route(
      ({ pathname }) => ofVersion(pathname) !== null,
      (route) => route.fulfill({ path: ofVersion(new URL(route.request().url()).pathname) ?? '' }),
    );
    const { faults, shown } = await listenTo(page, trial.faults);
    const isShown = ({ of, versions }: Trial['expected'][number]) =>
      versions.some((version) => shown.includes(`${of} ${version}`));
    const wanted = (id: string) => trial.expected.filter(({ tab }) => tab === undefined || tab === id);
    try {
      failed = await visitTabs(page, origin, trial.tabs, (id) => wanted(id).every(isShown));
      faults.push(...(await trial.load(page)));
    } catch (error) {
      // A stalled page is a fault too; its earlier reports mostly show the cause.
      faults.push((error as Error).message.split('\n')[0] ?? '');
    }
    for (const { of, versions } of trial.expected.filter((one) => !isShown(one)))
      faults.push(`no tab showed ${of} ${versions[0]}`);
    return faults;
  });
  if (failed.length === 0) return faults;
  // Live modules may be broken or switched off; such faults are not this version's.
  const before = await withPage(origin, async (page) => {
    await serveRegistry(page, registry, (response) => response.text());
    return visitTabs(page, origin, trial.tabs, () => true);
  });
  return [...faults, ...new Set(failed.map(inChromium).filter((fault) => !before.includes(fault)))];
}

/** Makes pages use this registry, with `bodyOf` applied to the gateway's response. */
async function serveRegistry(
  page: Page,
  { modules, ...others }: { modules: Record<string, Entry> },
  bodyOf: (response: APIResponse) => Promise<string>,
): Promise<void> {
  const entries = Object.entries(modules).map(([name, entry]) => [name, forSignedIn(entry)] as const);
  const json = { ...others, modules: Object.fromEntries(entries) };
  await page.context().route('**/remotes.json', (route) => route.fulfill({ json }));
  await page.context().route(
    ({ pathname }) => pathname === '/',
    async (route) => {
      const response = await route.fetch();
      // Removes the live registry from the page, so that the page requests it.
      await route.fulfill({ response, body: (await bodyOf(response)).replace(REGISTRY_IN_PAGE, '') });
    },
  );
}

/** Returns the path of a version's file for a URL path; null if there is none. */
function filesAt(
  store: ModuleStore,
  name: string,
  { version, files = {} }: Facts,
): (pathname: string) => string | null {
  const folder = filesOf(name, version);
  const place = name === SHELL ? '/' : `/modules/${folder}/`;
  return (pathname) => {
    const file = pathname.startsWith(place) ? pathname.slice(place.length) : '';
    return Object.hasOwn(files, file) ? join(store.where, folder, file) : null;
  };
}

/** The test plan of a version. */
interface Trial {
  /** Registry of the page. */
  modules: Record<string, Entry>;
  /** What must be shown on this tab, on any (null), or on each (undefined). */
  expected: { of: string; versions: string[]; tab?: string | null }[];
  /** Tabs to visit. */
  tabs: string[];
  /** Modules that are switched off and need not be shown. */
  untried: string[];
  /** Selects the version's own faults. */
  faults: FaultFilter;
  load(page: Page): Promise<string[]>;
}

function moduleTrial(
  inUse: Record<string, Entry>,
  name: string,
  { exposes = [], size: _size, files: _files, ...facts }: Facts,
): Trial {
  const { version, parts = [], tab } = facts;
  const place = `/modules/${filesOf(name, version)}/`;
  const entry = `${place}mf-manifest.json`;
  const hosts = parts
    .flatMap((part) => part.place?.split('.')[0] ?? [])
    // The header is part of every tab.
    .map((host) => (host === 'header' ? HOME : host));
  const tabs = new Set([...(tab ? [tab.id] : []), ...hosts]);
  return {
    modules: { ...inUse, [name]: { ...facts, entry } as Entry },
    expected: [{ of: name, versions: [version] }],
    tabs: tabs.size > 0 ? [...tabs] : [HOME],
    untried: [],
    faults: {
      thrown: (error) => error.message.startsWith(`${name}:`) || (error.stack ?? '').includes(place),
      written: (text, address) => `${text} ${address}`.includes(place),
      reported: ({ module }) => module === name,
    },
    load: async (page) => {
      const faults: string[] = [];
      for (const exposed of exposes) faults.push(...(await loadFaults(page, name, entry, exposed, parts)));
      return faults;
    },
  };
}

/** A module that does not fit this shell, or is switched off, need not be shown. */
export function shellTrial(modules: Record<string, Entry>, { version, sdk = '', ui = '' }: Facts): Trial {
  const entries = Object.entries(modules);
  const shown = entries.filter(([, entry]) => !entry.off && fits(entry, { sdk, ui }));
  const others = entries.filter((one) => !shown.includes(one)).map(([name]) => name);
  return {
    modules,
    expected: [
      { of: SHELL, versions: [version] },
      ...shown.map(([of, { version: stable, canary, tab }]) => {
        return { of, versions: [stable, ...(canary ? [canary.version] : [])], tab: idOf(tab) ?? null };
      }),
    ],
    tabs: [...TABS_OF_SHELL, ...Object.values(modules).flatMap(({ tab }) => idOf(tab) ?? [])],
    untried: entries.filter(([, entry]) => entry.off).map(([name]) => name),
    faults: {
      thrown: ({ message }) => !others.some((name) => message.startsWith(`${name}:`)),
      // Only its own code and files count: recorded responses name pictures and calls that do not exist.
      written: (text, address) => `${text} ${address}`.includes('/assets/'),
      reported: ({ module }) => module === undefined || !others.includes(module),
    },
    load: async () => [],
  };
}

function idOf(tab: object | undefined): string | undefined {
  return (tab as { id?: string } | undefined)?.id;
}

/** Renders a built page as the gateway would serve it with this response. */
function servedPage(html: string, response: APIResponse, origin: string): string {
  const [, nonce = ''] = NONCE.exec(response.headers()['content-security-policy'] ?? '') ?? [];
  return html
    .replace(AHEAD, '')
    .replaceAll('__CSP_NONCE__', nonce)
    .replaceAll('__PUBLIC_ORIGIN__', new URL(origin).origin);
}

/** Turns a tab for admins into one for every signed-in user. */
function forSignedIn(entry: Entry): Entry {
  return entry.tab ? { ...entry, tab: { ...entry.tab, for: 'signed-in' } } : entry;
}

/** Globals of the federation runtime in a page. */
interface FederatedPage {
  location: { href: string };
  __FEDERATION__: {
    __INSTANCES__: [
      {
        options: { remotes: { name: string }[] };
        registerRemotes(remotes: { name: string; entry: string }[]): void;
        loadRemote(id: string): Promise<{ parts?: object; actions?: object } | null>;
      },
    ];
  };
}

/** Loads everything exposed, whether or not a tab uses it. */
async function loadFaults(
  page: Page,
  name: string,
  entry: string,
  exposed: string,
  parts: readonly { name: string; place?: string }[],
): Promise<string[]> {
  const outcome = await page.evaluate(
    async ([module, address, wanted]) => {
      const { __FEDERATION__: runtime, location } = globalThis as unknown as FederatedPage;
      const [federation] = runtime.__INSTANCES__;
      if (!federation.options.remotes.some((remote) => remote.name === module))
        federation.registerRemotes([{ name: module, entry: new URL(address, location.href).href }]);
      try {
        const found: { parts?: object; actions?: object } = (await federation.loadRemote(`${module}/${wanted}`)) ?? {};
        // Functions here have no names: tsx would wrap them in a helper that the page lacks.
        const { parts = {}, actions = {} } = found;
        return [
          ...Object.keys(found),
          ...Object.keys(parts).map((each) => `the part ${each}`),
          ...Object.keys(actions).map((each) => `the action ${each}`),
        ];
      } catch (error) {
        return String(error);
      }
    },
    [name, entry, exposed] as const,
  );
  if (typeof outcome === 'string') return [`./${exposed} does not load: ${outcome.split('\n')[0]}`];
  const promised = [
    'parts',
    ...parts.map((part) => `the ${part.place === OF_ACTIONS ? 'action' : 'part'} ${part.name}`),
  ];
  const lacking = (exposed === 'page' ? ['Page'] : promised).filter((each) => !outcome.includes(each));
  return lacking.map((each) => `./${exposed} does not export ${each}`);
}
