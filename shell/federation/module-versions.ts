import { createStore } from '@cord/sdk';

/** The version of each module that this page runs, for reports of errors and visits. */
export const moduleVersions = createStore<ReadonlyMap<string, string>>(new Map());

/** A version is on its way into this page. */
export function moduleRuns(module: string, version: string): void {
  if (moduleVersions.get().get(module) === version) return;
  moduleVersions.set(new Map(moduleVersions.get()).set(module, version));
}
