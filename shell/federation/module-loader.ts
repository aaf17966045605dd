import { deviceStorage } from '@cord/sdk';
import { ownTask } from '../app/scheduling';
import { canaryLots } from './canary-lots';
import { createModuleLoader } from './load-module';
import { moduleRuns } from './module-versions';
import { createRegistry } from './registry';
import type { Federation } from './runtime';
import { SDK_VERSION, UI_VERSION } from './sdk-version';

let federation: Promise<Federation> | null = null;

/** What modules share and the runtime, each read in a task of its own. */
async function readFederation(): Promise<Federation> {
  await import(/* webpackMode: "eager" */ './shared');
  await ownTask();
  const { createFederation } = await import(/* webpackMode: "eager" */ './runtime');
  return createFederation();
}

/** The page's one module loader. */
export const moduleLoader = createModuleLoader({
  registry: createRegistry({
    fetch: (input, init) => fetch(input, init),
    versions: { sdk: SDK_VERSION, ui: UI_VERSION },
    lotOf: canaryLots(deviceStorage),
  }),
  federation: () => {
    federation ??= readFederation();
    return federation;
  },
  onVersion: moduleRuns,
});
