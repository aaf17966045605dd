import { createStore, type Store } from '@cord/sdk';
import type { SessionState, TabId } from '@cord/sdk/host';
import { registerApplication, start, triggerAppChange, unloadApplication } from 'single-spa';
import type { KeptTabs } from './kept-tabs';
import { createModuleApp, type ModuleApp } from './module-app';

interface PageSwitchDeps {
  current: Store<TabId>;
  session: Store<SessionState>;
  /** Pages to keep. */
  kept: KeptTabs;
  /** Tabs of modules with their owner; the list follows the registry. */
  tabs: Store<readonly { readonly id: TabId; readonly module: string }[]>;
  load(module: string, options: { fresh: boolean }): Promise<Record<string, unknown>>;
  /** Whether the code of the module's page is loaded. */
  isHere(module: string): boolean;
  /** Whether an operator has switched the module off; `tabs` is set again whenever that may have changed. */
  isOff(module: string): boolean;
  /** Reads the registry. */
  refreshRegistry(): void;
  /** Build of the module's next load. */
  releaseOf(module: string): string | null;
  report(error: unknown): void;
}

export interface PageSwitch {
  /** Pages of the modules' tabs. */
  apps: Store<readonly ModuleApp[]>;
}

interface Registered {
  name: string;
  tab: TabId;
  module: string;
  app: ModuleApp;
}

/**
 * Registers the modules' pages with single-spa, once per page, including those published later. The active page
 * depends on tab and session, not on the address, so changes call `triggerAppChange`, whose result is ignored. Pages
 * that are no longer kept, or whose build was replaced, are unloaded.
 */
export function createPageSwitch(deps: PageSwitchDeps): PageSwitch {
  const { current, session, kept, tabs, load, isHere, isOff, refreshRegistry, releaseOf, report } = deps;
  const registered = new Map<string, Registered>();

  const nameOf = (tab: TabId) => {
    const module = tabs.get().find(({ id }) => id === tab)?.module;
    return module === undefined ? null : `${module}/${tab}`;
  };

  function register({ id: tab, module }: { id: TabId; module: string }): void {
    const name = `${module}/${tab}`;
    if (registered.has(name)) return;
    const app = createModuleApp({
      tab,
      module,
      load: (options) => load(module, options),
      isHere: () => isHere(module),
      isOff: () => isOff(module),
      refreshRegistry,
      release: () => releaseOf(module),
      isKept: () => kept.tabs.get().includes(tab),
      report,
    });
    registered.set(name, { name, tab, module, app });
    registerApplication({
      name,
      app: async () => app.lifecycles,
      activeWhen: () => session.get().status === 'signed-in' && current.get() === tab && nameOf(tab) === name,
    });
  }

  function unloadDropped(): void {
    for (const { name, tab, app } of registered.values()) {
      if (app.state.get().status !== 'kept' || tab === current.get()) continue;
      if (app.isOutdated() || !kept.tabs.get().includes(tab)) void unloadApplication(name).catch(report);
    }
  }

  const apps = createStore<readonly ModuleApp[]>([]);
  const publish = () => apps.set(tabs.get().flatMap(({ id }) => registered.get(nameOf(id) ?? '')?.app ?? []));
  const change = () => void triggerAppChange().catch(report);
  for (const tab of tabs.get()) register(tab);
  publish();
  tabs.listen(() => {
    for (const tab of tabs.get()) register(tab);
    publish();
    for (const { app } of registered.values()) app.applySwitch();
    change();
  });
  current.listen(change);
  current.listen(unloadDropped);
  session.listen(change);
  kept.tabs.listen(unloadDropped);
  start({ urlRerouteOnly: true });
  change();
  return { apps };
}
