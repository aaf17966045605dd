import { deviceStorage } from '@cord/sdk';
import { ownTask } from '../app/scheduling';
import { createModuleLoader } from './load-module';
import { moduleVersions } from './module-versions';
import { createRegistry } from './registry';
import type { Federation } from './runtime';
import { SDK_VERSION, UI_VERSION } from './sdk-version';

const LOT_KEY = 'cord.canary-lot';

/** This browser's place in the draw for canary releases, 0 to 1; drawn once. */
function canaryLot(): number {
  const kept = Number(deviceStorage.getItem(LOT_KEY) ?? Number.NaN);
  if (kept >= 0 && kept < 1) return kept;
  const lot = Math.random();
  deviceStorage.setItem(LOT_KEY, String(lot));
  return lot;
}

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
    lot: canaryLot(),
  }),
  federation: () => {
    federation ??= readFederation();
    return federation;
  },
  onVersion: (module, version) => moduleVersions.set(module, version),
});
