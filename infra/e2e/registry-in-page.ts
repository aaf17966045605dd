import type { Page, Route } from 'playwright-core';

/** What /remotes.json holds, as far as a test changes it. */
export interface Registry {
  version: string;
  modules: Record<string, Record<string, unknown> | null>;
}

const IN_PAGE = /(<script type="application\/json" id="cord-registry"[^>]*>)([^<]*)(<\/script>)/;
const isPage = ({ pathname }: URL) => pathname === '/';
const isRegistry = ({ pathname }: URL) => pathname === '/remotes.json';

/** Has a page read another registry than the gateway's, in itself and by a call; `change` gives what stands there. */
export async function changeRegistry(page: Page, change: (registry: Registry) => unknown): Promise<void> {
  await page.unroute(isPage);
  await page.unroute(isRegistry);
  const textOf = (registry: Registry) => {
    const changed = change(registry);
    return typeof changed === 'string' ? changed : JSON.stringify(changed);
  };
  await page.route(isPage, async (route: Route) => {
    const answer = await route.fetch();
    const html = (await answer.text()).replace(IN_PAGE, (_, open: string, data: string, close: string) =>
      [open, textOf(JSON.parse(data) as Registry).replaceAll('<', '\\u003c'), close].join(''),
    );
    await route.fulfill({ response: answer, body: html });
  });
  await page.route(isRegistry, async (route: Route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: textOf((await answer.json()) as Registry) });
  });
}

/** Has one module's entry be another one; another version of the registry, as each switch makes it. */
export function withEntry(name: string, change: (entry: Record<string, unknown>) => Record<string, unknown> | null) {
  return ({ version, modules, ...registry }: Registry) => ({
    ...registry,
    version: `${version}-otherwise`,
    modules: { ...modules, [name]: change(modules[name] ?? {}) },
  });
}
