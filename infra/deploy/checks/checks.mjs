import { liveVersions } from '../live-shell.mjs';
import { registryReader } from '../store/registry.mjs';
import { SHELL } from '../store/release-line.mjs';
import { buildProblems } from './build.mjs';
import { shellProblems } from './shell.mjs';

export { smokeProblems } from './smoke.mjs';

/** What speaks against a build: a module has to work with the shell in use, a shell with the modules in use. */
export async function problemsOfBuild(store, built, { running, force }) {
  const { modules } = await registryReader(store)();
  if (built.name !== SHELL) return buildProblems(built, await liveVersions(running), modules);
  return shellProblems(built, modules, { force });
}
