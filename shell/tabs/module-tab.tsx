import { useTabs } from '@cord/sdk';
import { ModuleArea } from './module-area';
import { isModuleTab } from './module-tabs';
import { pageSwitch } from './the-page-switch';

/** The current tab where it is a module's page. It brings single-spa along, which the dashboard does not need. */
export function ModuleTab() {
  const { current } = useTabs();
  return isModuleTab(current) ? <ModuleArea key={current} tab={current} app={pageSwitch()[current]} /> : null;
}

/** Registers the modules' pages ahead of the first that is shown. */
export function readyModuleTabs(): void {
  pageSwitch();
}
