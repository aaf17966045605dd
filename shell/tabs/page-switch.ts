import type { Store } from '@cord/sdk';
import type { SessionState, TabId } from '@cord/sdk/host';
import { registerApplication, start, triggerAppChange, unloadApplication } from 'single-spa';
import type { KeptTabs } from './kept-tabs';
import { createModuleApp, type ModuleApp } from './module-app';
import { MODULE_OF_TAB, MODULE_TABS, type ModuleTab } from './module-tabs';

interface PageSwitchDeps {
  current: Store<TabId>;
  session: Store<SessionState>;
  /** Which pages stay as they were left. */
  kept: KeptTabs;
  load(module: string, options: { fresh: boolean }): Promise<Record<string, unknown>>;
  /** Whether the code of the module's page has come already. */
  isHere(module: string): boolean;
  /** Whether another version of the module is published than the one that runs. */
  isOutdated(module: string): boolean;
  report(error: unknown): void;
}

/** The modules' pages by tab. */
export type PageSwitch = Readonly<Record<ModuleTab, ModuleApp>>;

/**
 * Hands the modules' pages to single-spa, once for the life of the page. What is active depends on the current tab and the
 * session, not on the address, so a change is told by `triggerAppChange`; its answer says nothing and is not waited for. What is no longer
 * kept is unloaded.
 */
export function createPageSwitch({
  current,
  session,
  kept,
  load,
  isHere,
  isOutdated,
  report,
}: PageSwitchDeps): PageSwitch {
  const apps = Object.fromEntries(
    MODULE_TABS.map((tab) => {
      const module = MODULE_OF_TAB[tab];
      const app = createModuleApp({
        tab,
        module,
        load: (options) => load(module, options),
        isHere: () => isHere(module),
        isOutdated: () => isOutdated(module),
        isKept: () => kept.tabs.get().includes(tab),
        onReturn: () => kept.restoreScroll(tab),
        report,
      });
      return [tab, app];
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
  current.listen(change);
  session.listen(change);
  kept.tabs.listen(() => {
    for (const tab of MODULE_TABS) {
      const isGone = apps[tab].state.get().status === 'kept' && tab !== current.get() && !kept.tabs.get().includes(tab);
      if (isGone) void unloadApplication(MODULE_OF_TAB[tab]).catch(report);
    }
  });
  start({ urlRerouteOnly: true });
  change();
  return apps;
}
