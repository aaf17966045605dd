import { filesOf, SHELL } from '../store/release-line.mjs';
import { listenTo, visitTabs, withPage } from './browser.mjs';
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
    const { modules } = await (await page.request.get(`${origin}/remotes.json`)).json();
    const unfit = Object.keys(modules).filter((name) => !fits(modules[name], carried));
    const { faults, shown } = await listenTo(page, {
      thrown: ({ message }) => !unfit.some((name) => message.startsWith(`${name}:`)),
      // What its own code or its files have to say: recorded answers name pictures and calls that are not there.
      written: (text, address) => `${text} ${address}`.includes('/assets/'),
      told: ({ module }) => !unfit.includes(module),
    });
    await visitTabs(page, origin, [...TABS, ...Object.values(modules).flatMap(({ tab }) => tab?.id ?? [])]);
    if (!shown.includes(`${SHELL} ${version}`)) faults.push('its page has not come up');
    for (const [name, entry] of Object.entries(modules).filter(([each]) => !unfit.includes(each)))
      if (![entry.version, entry.canary?.version].some((each) => shown.includes(`${name} ${each}`)))
        faults.push(`it has not shown ${name} ${entry.version}`);
    return faults;
  });
}
