import { deviceStorage } from '@cord/sdk';
import { canaryLots } from './canary-lots';
import { createRegistry } from './registry';
import { SDK_VERSION, UI_VERSION } from './sdk-version';

/** Id of the element in which infra/gateway embeds the registry. */
const IN_PAGE = 'cord-registry';

/** Returns the embedded registry; null when the gateway could not embed it, and then it is fetched. */
function writtenInPage(): unknown {
  try {
    return JSON.parse(document.getElementById(IN_PAGE)?.textContent ?? 'null');
  } catch {
    return null;
  }
}

/** The page's only registry. */
export const theRegistry = createRegistry({
  fetch: (input, init) => fetch(input, init),
  versions: { sdk: SDK_VERSION, ui: UI_VERSION },
  lotOf: canaryLots(deviceStorage),
  inPage: writtenInPage(),
});
