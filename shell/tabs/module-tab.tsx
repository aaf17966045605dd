import { useTabs } from '@cord/sdk';
import { ModuleArea } from './module-area';
import { useTabName } from './tab-list';
import { pageSwitch } from './the-page-switch';

/** The current tab where it is a module's page. It brings single-spa along, which the dashboard does not need. */
export function ModuleTab() {
  const { current } = useTabs();
  const name = useTabName(current);
  const app = pageSwitch().appOf(current);
  return app && <ModuleArea key={current} name={name} app={app} />;
}

/** Registers the modules' pages ahead of the first that is shown. */
export function readyModuleTabs(): void {
  pageSwitch();
}
