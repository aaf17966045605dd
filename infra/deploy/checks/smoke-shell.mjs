import { filesOf, SHELL } from '../store/release-line.mjs';
import { listenTo, triedByAll, visitTabs, withPage } from './browser.mjs';
import { fits } from './shell.mjs';

const TABS = ['dashboard', 'settings'];
/** What the gateway does with a page as it was built (infra/gateway/static/page.ts). */
const AHEAD = /<!-- for:([\w-]+) ([\s\S]*?) -->/g;
const NONCE = /'nonce-([^']+)'/;

/**
 * Tries a shell that is uploaded and not in use yet, in Chromium, with the modules in use: its page in place of the one in use, every tab. Its files under
 * /assets are served since they are there.
 * @param {import('../store/folder-store.mjs').ModuleStore} store
 * @param {string} origin of the running system
 * @param {import('../store/release-line.mjs').Facts} facts
 * @returns {Promise<string[]>} what went wrong
 */
export async function shellSmokeProblems(store, origin, { version, ...carried }) {
  const html = await store.read(`${filesOf(SHELL, version)}/index.html`);
  return withPage(async (page) => {
    await page.context().route(
      ({ pathname }) => pathname === '/',
      async (route) => {
        const response = await route.fetch();
        const [, nonce = ''] = NONCE.exec(response.headers()['content-security-policy'] ?? '') ?? [];
        const body = html
          .replace(AHEAD, '')
          .replaceAll('__CSP_NONCE__', nonce)
          .replaceAll('__PUBLIC_ORIGIN__', new URL(origin).origin);
        await route.fulfill({ response, body });
      },
    );
    const registry = await (await page.request.get(`${origin}/remotes.json`)).json();
    const { modules } = registry;
    const tried = Object.entries(modules).map(([name, entry]) => [name, triedByAll(entry)]);
    await page
      .context()
      .route('**/remotes.json', (route) =>
        route.fulfill({ json: { ...registry, modules: Object.fromEntries(tried) } }),
      );
    const unfit = Object.keys(modules).filter((name) => !fits(modules[name], carried));
    const { faults, shown } = await listenTo(page, {
      thrown: ({ message }) => !unfit.some((name) => message.startsWith(`${name}:`)),
      // What its own code or its files have to say: recorded answers name pictures and calls that are not there.
      written: (text, address) => `${text} ${address}`.includes('/assets/'),
      told: ({ module }) => !unfit.includes(module),
    });
    const fitting = Object.entries(modules).filter(([name]) => !unfit.includes(name));
    const isUp = () => shown.includes(`${SHELL} ${version}`);
    const hasShown = ([name, { version: stable, canary }]) =>
      [stable, canary?.version].some((each) => shown.includes(`${name} ${each}`));
    const ids = [...TABS, ...Object.values(modules).flatMap(({ tab }) => tab?.id ?? [])];
    await visitTabs(
      page,
      origin,
      ids,
      (id) => isUp() && fitting.filter(([, { tab }]) => tab?.id === id).every(hasShown),
    );
    if (!isUp()) faults.push('its page has not come up');
    for (const entry of fitting.filter((each) => !hasShown(each)))
      faults.push(`it has not shown ${entry[0]} ${entry[1].version}`);
    return faults;
  });
}
