import { textsLoaded } from '../app/language';
import { ownTask } from '../app/scheduling';
import { createModuleLoader } from './load-module';
import { moduleRuns } from './module-versions';
import type { Federation } from './runtime';
import { theRegistry } from './the-registry';

let federation: Promise<Federation> | null = null;

/** Loads the shared packages and the runtime, each in its own task. */
async function readFederation(): Promise<Federation> {
  await import(/* webpackMode: "eager" */ './shared');
  await ownTask();
  const { createFederation } = await import(/* webpackMode: "eager" */ './runtime');
  const runtime = createFederation();
  return {
    ...runtime,
    async load(module, exposed) {
      const found = await runtime.load(module, exposed);
      // The module's texts request their translation on import.
      await textsLoaded();
      return found;
    },
  };
}

/** The page's only module loader. */
export const moduleLoader = createModuleLoader({
  registry: theRegistry,
  federation: () => {
    federation ??= readFederation();
    return federation;
  },
  onVersion: moduleRuns,
});
