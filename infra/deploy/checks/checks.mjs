import { liveVersions } from '../live-shell.mjs';
import { registryReader } from '../store/registry.mjs';
import { SHELL } from '../store/release-line.mjs';
import { buildProblems } from './build.mjs';
import { shellProblems } from './shell.mjs';
import { smokeProblems } from './smoke.mjs';
import { shellSmokeProblems } from './smoke-shell.mjs';

/** What speaks against a build: a module has to work with the shell in use, a shell with the modules in use. */
export async function problemsOfBuild(store, built, { running, force }) {
  if (built.name !== SHELL) return buildProblems(built, await liveVersions(running));
  return shellProblems(built, (await registryReader(store)()).modules, { force });
}

/** What goes wrong with an uploaded version in Chromium. */
export function problemsInBrowser(store, origin, name, facts) {
  return name === SHELL ? shellSmokeProblems(store, origin, facts) : smokeProblems(origin, name, facts);
}
