import { getSdk } from '@cord/sdk';
import { moduleLoader } from '../federation/module-loader';
import { createPageSwitch, type PageSwitch } from './page-switch';

let made: PageSwitch | null = null;

/** The page's one switch of module pages; single-spa takes each application once in the life of a page. */
export function pageSwitch(): PageSwitch {
  if (made === null) {
    const { tabs, session } = getSdk();
    made = createPageSwitch({
      current: tabs.current,
      session: session.state,
      load: (module, options) => moduleLoader.load(module, 'page', options),
      // To the console and to whatever watches for errors, without breaking anything here.
      report: (error) => reportError(error),
    });
  }
  return made;
}
