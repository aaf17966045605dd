import { safeStorage } from '../app/safe-storage';
import { ownTask } from '../app/scheduling';
import { createModuleLoader } from './load-module';
import { createRegistry } from './registry';
import type { Federation } from './runtime';
import { SDK_VERSION } from './sdk-version';

const LOT_KEY = 'cord.canary-lot';

/** This browser's place in the draw for canary releases, 0 to 1; drawn once. */
function canaryLot(): number {
  const storage = safeStorage(() => window.localStorage);
  const kept = Number(storage.getItem(LOT_KEY) ?? Number.NaN);
  if (kept >= 0 && kept < 1) return kept;
  const lot = Math.random();
  storage.setItem(LOT_KEY, String(lot));
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
export const moduleLoader = createModuleLoader(
  createRegistry({ fetch: (input, init) => fetch(input, init), sdkVersion: SDK_VERSION, lot: canaryLot() }),
  () => {
    federation ??= readFederation();
    return federation;
  },
);
