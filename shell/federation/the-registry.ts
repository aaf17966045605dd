import { deviceStorage } from '@cord/sdk';
import { canaryLots } from './canary-lots';
import { createRegistry } from './registry';
import { SDK_VERSION, UI_VERSION } from './sdk-version';

/** Under which infra/gateway puts what is published into the page. */
const IN_PAGE = 'cord-registry';

/** What the gateway wrote into the page; nothing where it could not, and then it is requested. */
function writtenInPage(): unknown {
  try {
    return JSON.parse(document.getElementById(IN_PAGE)?.textContent ?? 'null');
  } catch {
    return null;
  }
}

/** The page's one registry. */
export const theRegistry = createRegistry({
  fetch: (input, init) => fetch(input, init),
  versions: { sdk: SDK_VERSION, ui: UI_VERSION },
  lotOf: canaryLots(deviceStorage),
  inPage: writtenInPage(),
});
