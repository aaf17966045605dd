import { liveVersions, type Running } from '../live-shell.js';
import type { ModuleStore } from '../store/folder-store.js';
import { registryReader } from '../store/registry.js';
import { SHELL } from '../store/release-line.js';
import type { Built } from '../store/releases.js';
import { buildProblems } from './build.js';
import { shellProblems } from './shell.js';

export { smokeProblems } from './smoke.js';

/** Returns the reasons to refuse a build: a module must work with the live shell, a shell with the live modules. */
export async function problemsOfBuild(
  store: ModuleStore,
  built: Built,
  { running, force }: { running: Running | undefined; force?: boolean | undefined },
): Promise<string[]> {
  const { modules } = await registryReader(store)();
  if (built.name !== SHELL) return buildProblems(built, await liveVersions(running), modules);
  return shellProblems(built, modules, { force });
}
