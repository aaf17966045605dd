import { textsLoaded } from '../app/language';
import { ownTask } from '../app/scheduling';
import { createModuleLoader } from './load-module';
import { moduleRuns } from './module-versions';
import type { Federation } from './runtime';
import { theRegistry } from './the-registry';

let federation: Promise<Federation> | null = null;

/** What modules share and the runtime, each read in a task of its own. */
async function readFederation(): Promise<Federation> {
  await import(/* webpackMode: "eager" */ './shared');
  await ownTask();
  const { createFederation } = await import(/* webpackMode: "eager" */ './runtime');
  const runtime = createFederation();
  return {
    ...runtime,
    async load(module, exposed) {
      const found = await runtime.load(module, exposed);
      // Its texts request their translation as they are read.
      await textsLoaded();
      return found;
    },
  };
}

/** The page's one module loader. */
export const moduleLoader = createModuleLoader({
  registry: theRegistry,
  federation: () => {
    federation ??= readFederation();
    return federation;
  },
  onVersion: moduleRuns,
});
