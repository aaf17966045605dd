import { getSdk } from '@cord/sdk/host';
import { moduleLoader } from '../federation/module-loader';
import { keptTabsOf } from './kept-tabs';
import { createPageSwitch, type PageSwitch } from './page-switch';

let made: PageSwitch | null = null;

/** The page's one switch of module pages; single-spa takes each application once in the life of a page. */
export function pageSwitch(): PageSwitch {
  if (made === null) {
    const sdk = getSdk();
    sdk.tabs.current.listen(moduleLoader.lookForReleases);
    made = createPageSwitch({
      current: sdk.tabs.current,
      session: sdk.session.state,
      kept: keptTabsOf(sdk),
      load: (module, options) => moduleLoader.load(module, 'page', options),
      isHere: (module) => moduleLoader.isHere(module, 'page'),
      isOutdated: moduleLoader.isOutdated,
      // To the console and to whatever watches for errors, without breaking anything here.
      report: (error) => reportError(error),
    });
  }
  return made;
}
