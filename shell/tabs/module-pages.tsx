import { useStore } from '@cord/sdk';
import { ModulePage } from './module-page';
import { pageSwitch } from './the-page-switch';

/** The pages of the modules: that of the current tab, and those that are kept. It brings single-spa along, which the dashboard does not need. */
export function ModulePages() {
  const apps = useStore(pageSwitch().apps);
  return apps.map((app) => <ModulePage key={app.tab} app={app} />);
}

/** Registers the modules' pages ahead of the first that is shown. */
export function readyModulePages(): void {
  pageSwitch();
}
