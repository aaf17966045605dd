import { createStore } from '@cord/sdk';

/** Version of each module in this page, for reports of errors and visits. */
export const moduleVersions = createStore<ReadonlyMap<string, string>>(new Map());

/** Records the version of a module that is being loaded. */
export function moduleRuns(module: string, version: string): void {
  if (moduleVersions.get().get(module) === version) return;
  moduleVersions.set(new Map(moduleVersions.get()).set(module, version));
}
