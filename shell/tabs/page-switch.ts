import type { SessionState, Store, TabId } from '@cord/sdk';
import { registerApplication, start, triggerAppChange } from 'single-spa';
import { createModuleApp, type ModuleApp } from './module-app';
import { MODULE_OF_TAB, MODULE_TABS, type ModuleTab } from './module-tabs';

interface PageSwitchDeps {
  current: Store<TabId>;
  session: Store<SessionState>;
  load(module: string, options: { fresh: boolean }): Promise<Record<string, unknown>>;
  report(error: unknown): void;
}

/** The modules' pages by tab. */
export type PageSwitch = Readonly<Record<ModuleTab, ModuleApp>>;

/**
 * Hands the modules' pages to single-spa, once for the life of the page. What is active depends on the current tab and the
 * session, not on the address, so a change is told by `triggerAppChange`; its answer says nothing and is not waited for.
 */
export function createPageSwitch({ current, session, load, report }: PageSwitchDeps): PageSwitch {
  const apps = Object.fromEntries(
    MODULE_TABS.map((tab) => {
      const module = MODULE_OF_TAB[tab];
      return [tab, createModuleApp({ module, load: (options) => load(module, options), report })];
    }),
  ) as Record<ModuleTab, ModuleApp>;

  for (const tab of MODULE_TABS) {
    registerApplication({
      name: MODULE_OF_TAB[tab],
      app: async () => apps[tab].lifecycles,
      activeWhen: () => session.get().status === 'signed-in' && current.get() === tab,
    });
  }
  const change = () => void triggerAppChange().catch(report);
  current.subscribe(change);
  session.subscribe(change);
  session.subscribe(() => {
    if (session.get().status !== 'signed-in') for (const tab of MODULE_TABS) apps[tab].discard();
  });
  start({ urlRerouteOnly: true });
  change();
  return apps;
}
