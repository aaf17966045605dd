import type { Page, Route } from 'playwright-core';

/** The part of /remotes.json that tests change. */
export interface Registry {
  version: string;
  modules: Record<string, Record<string, unknown> | null>;
}

const IN_PAGE = /(<script type="application\/json" id="cord-registry"[^>]*>)([^<]*)(<\/script>)/;
const isPage = ({ pathname }: URL) => pathname === '/';
const isRegistry = ({ pathname }: URL) => pathname === '/remotes.json';

/** Makes a page use a changed registry, both inlined and fetched; `change` returns its content. */
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

/** Changes one module's entry, and the registry's version, as each switch does. */
export function withEntry(name: string, change: (entry: Record<string, unknown>) => Record<string, unknown> | null) {
  return ({ version, modules, ...registry }: Registry) => ({
    ...registry,
    version: `${version}-otherwise`,
    modules: { ...modules, [name]: change(modules[name] ?? {}) },
  });
}
