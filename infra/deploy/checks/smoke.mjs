import { filesOf } from '../store/release-line.mjs';
import { listenTo, triedByAll, visitTabs, withPage } from './browser.mjs';

/** The tab that has places for parts, whatever a module brings. */
const HOME = 'dashboard';
/** As infra/gateway writes it. */
const REGISTRY_IN_PAGE = /<script type="application\/json" id="cord-registry"[^>]*>[^<]*<\/script>/;

/**
 * Tries a version that is uploaded and not in use yet, in Chromium, inside the shell in use: every tab that shows something of it is visited, and all that
 * it exposes is loaded.
 * @param {string} origin of the running system
 * @param {string} name
 * @param {import('../store/release-line.mjs').Facts} facts
 * @returns {Promise<string[]>} what went wrong
 */
export function smokeProblems(origin, name, { exposes, size: _size, files: _files, ...facts }) {
  const { version, parts = [] } = facts;
  const place = `/modules/${filesOf(name, version)}/`;
  const entry = triedByAll({ ...facts, entry: `${place}mf-manifest.json` });
  return withPage(async (page) => {
    await page.context().route('**/remotes.json', async (route) => {
      const registry = await (await route.fetch()).json();
      await route.fulfill({ json: { ...registry, modules: { ...registry.modules, [name]: entry } } });
    });
    // The page has a registry in itself, of what is in use: without it, it asks.
    await page.context().route(
      ({ pathname }) => pathname === '/',
      async (route) => {
        const answer = await route.fetch();
        await route.fulfill({ response: answer, body: (await answer.text()).replace(REGISTRY_IN_PAGE, '') });
      },
    );
    const { faults, shown } = await listenTo(page, {
      thrown: (error) => error.message.startsWith(`${name}:`) || (error.stack ?? '').includes(place),
      written: (text, address) => `${text} ${address}`.includes(place),
      told: ({ module }) => module === name,
    });
    const isShown = () => shown.includes(`${name} ${version}`);
    await visitTabs(page, origin, tabsOf(facts), isShown);
    if (!isShown()) faults.push('no tab of the shell has shown it');
    for (const exposed of exposes) faults.push(...(await loadFaults(page, name, entry.entry, exposed, parts)));
    return faults;
  });
}

/** The tabs that show something of a version: its own, and those that have places for its parts; the header is above every tab. */
function tabsOf({ tab, parts = [] }) {
  const hosts = parts
    .flatMap(({ place }) => place?.split('.')[0] ?? [])
    .map((host) => (host === 'header' ? HOME : host));
  const ids = new Set([...(tab ? [tab.id] : []), ...hosts]);
  return ids.size > 0 ? [...ids] : [HOME];
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
