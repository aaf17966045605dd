import { createStore, type Store } from '@cord/sdk';
import { getSdk } from '@cord/sdk/host';
import type { TabEntry } from '../federation/entries';
import { moduleLoader } from '../federation/module-loader';
import { theRegistry } from '../federation/the-registry';
import { keptTabsOf } from './kept-tabs';
import { createPageSwitch, type PageSwitch } from './page-switch';

let made: PageSwitch | null = null;

/** Returns the page's only switch of module pages; single-spa registers each application once per page. */
export function pageSwitch(): PageSwitch {
  if (made === null) {
    const sdk = getSdk();
    made = createPageSwitch({
      current: sdk.tabs.current,
      session: sdk.session.state,
      kept: keptTabsOf(sdk),
      tabs: publishedTabs(),
      load: (module, options) => moduleLoader.load(module, 'page', options),
      isHere: (module) => moduleLoader.isHere(module, 'page'),
      isOff: theRegistry.isOff,
      refreshRegistry: moduleLoader.checkForReleasesNow,
      releaseOf: moduleLoader.releaseOf,
      // Reported to the console and to error monitoring, without breaking anything here.
      report: (error) => reportError(error),
    });
  }
  return made;
}

function publishedTabs(): Store<readonly TabEntry[]> {
  const now = () => {
    const state = theRegistry.state.get();
    return state.status === 'known' ? state.published.tabs : [];
  };
  const tabs = createStore(now());
  theRegistry.state.listen(() => tabs.set(now()));
  return tabs;
}
