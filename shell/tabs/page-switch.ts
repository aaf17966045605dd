import type { Store, TabId } from '@cord/sdk';
import { getAppNames, registerApplication, start, triggerAppChange, unregisterApplication } from 'single-spa';
import { createModuleApp, type ModuleApp } from './module-app';
import { MODULE_OF_TAB, MODULE_TABS, type ModuleTab } from './module-tabs';

interface PageSwitchDeps {
  current: Store<TabId>;
  load(module: string, options: { fresh: boolean }): Promise<Record<string, unknown>>;
  report(error: Error): void;
}

/** The modules' pages, switched by the current tab. */
export interface PageSwitch {
  app(tab: ModuleTab): ModuleApp;
  /** Leaves every page: at sign-out. */
  close(): Promise<void>;
}

/**
 * Hands the modules' pages to single-spa. What is active depends on the current tab alone, not on the address, so a
 * change of tab is told by `triggerAppChange`.
 */
export function createPageSwitch({ current, load, report }: PageSwitchDeps): PageSwitch {
  const apps = Object.fromEntries(
    MODULE_TABS.map((tab) => {
      const module = MODULE_OF_TAB[tab];
      return [tab, createModuleApp({ module, load: (options) => load(module, options), report })];
    }),
  ) as Record<ModuleTab, ModuleApp>;

  let open = true;
  for (const tab of MODULE_TABS) {
    registerApplication({
      name: MODULE_OF_TAB[tab],
      app: async () => apps[tab].lifecycles,
      activeWhen: () => open && current.get() === tab,
    });
  }
  const change = () => void triggerAppChange().catch(report);
  const stopListening = current.subscribe(change);
  start({ urlRerouteOnly: true });
  change();

  return {
    app: (tab) => apps[tab],
    async close() {
      open = false;
      stopListening();
      const ours: string[] = Object.values(MODULE_OF_TAB);
      await Promise.all(
        getAppNames()
          .filter((name) => ours.includes(name))
          .map((name) => unregisterApplication(name)),
      );
    },
  };
}
