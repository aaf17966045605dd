import { contractRecord, HISTORY } from '@cord/build/recorded.mjs';
import { chromium } from 'playwright-core';
import { CHROMIUM_LAUNCH, chromiumBinary } from '../../test/chromium.mjs';
import { filesOf } from '../store/release-line.mjs';

/** The tab that has places for parts, whatever a module brings. */
const HOME = 'dashboard';
const VIEWPORT = { width: 1440, height: 1000 };
/** As infra/gateway writes it. */
const REGISTRY_IN_PAGE = /<script type="application\/json" id="cord-registry"[^>]*>[^<]*<\/script>/;
/** How long a tab may take to come to rest, and a file to come, ms. */
const PATIENCE_MS = 15_000;

/**
 * Tries a version that is uploaded and not in use yet, in Chromium, inside the shell in use: every tab that shows something of it is visited, and all that it exposes is loaded.
 * Every call of the API is answered here with what the contract has recorded of it: no account, no write.
 * @param {string} origin of the running system
 * @param {string} name
 * @param {import('../store/release-line.mjs').Facts} facts
 * @returns {Promise<string[]>} what went wrong
 */
export async function smokeProblems(origin, name, { exposes, size: _size, files: _files, ...facts }) {
  const { version, parts = [] } = facts;
  const place = `/modules/${filesOf(name, version)}/`;
  const entry = { ...facts, entry: `${place}mf-manifest.json` };
  await chromiumBinary();
  const browser = await chromium.launch(CHROMIUM_LAUNCH);
  try {
    const context = await browser.newContext({ viewport: VIEWPORT, serviceWorkers: 'block' });
    await context.route('**/api/**', answerByContract(await recordedAnswers()));
    await context.route('**/api/events', (route) => route.abort());
    await context.route('**/remotes.json', async (route) => {
      const registry = await (await route.fetch()).json();
      await route.fulfill({ json: { ...registry, modules: { ...registry.modules, [name]: entry } } });
    });
    // The page has a registry in itself, of what is in use: without it, it asks.
    await context.route(
      ({ pathname }) => pathname === '/',
      async (route) => {
        const answer = await route.fetch();
        await route.fulfill({ response: answer, body: (await answer.text()).replace(REGISTRY_IN_PAGE, '') });
      },
    );
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    const { faults, shown } = await listenTo(page, name, place);
    await visitTabs(page, origin, tabsOf(facts));
    if (!shown.includes(version)) faults.push('no tab of the shell has shown it');
    for (const exposed of exposes) faults.push(...(await loadFaults(page, name, entry.entry, exposed, parts)));
    return [...new Set(faults)].map((fault) => `in Chromium: ${fault}`);
  } finally {
    await browser.close();
  }
}

/**
 * What a page says of this version from now on: what nobody caught, what was written to the console, what did not come, and what the shell tells
 * the operators. `shown` holds the versions that it says it has shown.
 */
async function listenTo(page, name, place) {
  const faults = [];
  const shown = [];
  page.on('pageerror', (error) => {
    if (error.message.startsWith(`${name}:`) || (error.stack ?? '').includes(place)) faults.push(String(error));
  });
  page.on('console', (message) => {
    const of = `${message.text()} ${message.location().url}`;
    if (message.type() === 'error' && of.includes(place)) faults.push(message.text().split('\n')[0]);
  });
  await page.exposeFunction('cordTold', (text) => {
    const { errors = [], visits = [] } = JSON.parse(text);
    faults.push(...errors.filter(({ module }) => module === name).map(({ message }) => message.split('\n')[0]));
    shown.push(...visits.filter(({ module }) => module === name).map(({ version }) => version));
  });
  await page.addInitScript(() => {
    Object.assign(navigator, { sendBeacon: (_address, message) => Boolean(message.text().then(globalThis.cordTold)) });
  });
  return { faults, shown };
}

/** The tabs that show something of a version: its own, and those that have places for its parts; the header is above every tab. */
function tabsOf({ tab, parts = [] }) {
  const hosts = parts
    .flatMap(({ place }) => place?.split('.')[0] ?? [])
    .map((host) => (host === 'header' ? HOME : host));
  const ids = new Set([...(tab ? [tab.id] : []), ...hosts]);
  return ids.size > 0 ? [...ids] : [HOME];
}

async function visitTabs(page, origin, ids) {
  for (const id of ids) {
    await page.goto(`${origin}/?tab=${id}`, { waitUntil: 'networkidle' });
    await page.locator('[data-testid^="tab-"]').first().waitFor();
    // What a page has to tell it tells when it is left.
    await page.evaluate(() => {
      dispatchEvent(new Event('pagehide'));
    });
  }
}

/** Loads what is exposed, whether or not a tab has asked for it. */
async function loadFaults(page, name, entry, exposed, parts) {
  const outcome = await page.evaluate(
    async ([module, address, wanted]) => {
      const [federation] = globalThis.__FEDERATION__.__INSTANCES__;
      if (!federation.options.remotes.some((remote) => remote.name === module))
        federation.registerRemotes([{ name: module, entry: new URL(address, location.href).href }]);
      try {
        const found = (await federation.loadRemote(`${module}/${wanted}`)) ?? {};
        return [...Object.keys(found), ...Object.keys(found.parts ?? {}).map((part) => `the part ${part}`)];
      } catch (error) {
        return String(error);
      }
    },
    [name, entry, exposed],
  );
  if (typeof outcome === 'string') return [`./${exposed} does not load: ${outcome.split('\n')[0]}`];
  const promised = ['parts', ...parts.map((part) => `the part ${part.name}`)];
  const lacking = (exposed === 'page' ? ['bootstrap', 'mount', 'unmount'] : promised).filter(
    (each) => !outcome.includes(each),
  );
  return lacking.map((each) => `./${exposed} does not export ${each}`);
}

/** Every answer of the newest recorded release, by method and pattern of the path. */
async function recordedAnswers() {
  const { history } = await contractRecord();
  return history(HISTORY)
    .at(-1)
    .goldens.flatMap(({ message, full }) => {
      const [, method, pattern] = /^([A-Z]+) (\/\S*) response$/.exec(message) ?? [];
      if (!method) return [];
      const path = new RegExp(`^/api${pattern.replace(/:\w+/g, '[^/]+')}$`);
      return { method, full, path, isExact: !pattern.includes(':') };
    });
}

function answerByContract(answers) {
  return async (route) => {
    const request = route.request();
    const { pathname } = new URL(request.url());
    const fitting = answers.filter(({ method, path: of }) => method === request.method() && of.test(pathname));
    const answer = fitting.find(({ isExact }) => isExact) ?? fitting[0];
    await (answer
      ? route.fulfill({ json: answer.full })
      : route.fulfill({ status: 404, json: { status: 404, title: 'none' } }));
  };
}
