import { useTabs } from '@cord/sdk';
import { ModuleArea } from './module-area';
import { isModuleTab, type ModuleTab as ModuleTabId } from './module-tabs';
import { pageSwitch } from './the-page-switch';

/** The current tab where it is a module's page. It brings single-spa along, which the dashboard does not need. */
export function ModuleTab() {
  const { current } = useTabs();
  return isModuleTab(current) ? <ModuleArea key={current} tab={current} app={pageSwitch()[current]} /> : null;
}

/** Loads a tab's page and renders it out of sight, and lays it out in the place where it will stand. */
export async function prepareModuleTab(tab: ModuleTabId, place: HTMLElement | null): Promise<void> {
  await pageSwitch()[tab].prepare(place);
}

/** Registers the modules' pages ahead of the first that is shown. */
export function readyModuleTabs(): void {
  pageSwitch();
}
