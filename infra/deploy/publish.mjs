import { existsSync } from 'node:fs';
import path from 'node:path';
import { installDependencies } from '../dev/starter/install.mjs';
import { startCanary } from './store/canary.mjs';
import { prune } from './store/prune.mjs';
import { Refused } from './store/refused.mjs';
import { readPointer } from './store/release-line.mjs';
import { refuseFrozen, switchTo, uploadVersion } from './store/releases.mjs';

/**
 * Builds a module of this checkout, checks it, uploads it and switches to it.
 * @param {import('./store/folder-store.mjs').ModuleStore} store
 * @param {string} given its name, or its folder
 * @param {import('./store/release-line.mjs').Word} word
 * @param {object} options
 * @param {any} options.running run.json of the system that it is for, where one runs
 * @param {number} [options.share] of the browsers: as a canary only
 * @param {(line: string) => void} options.say
 * @throws Refused where there is no such module, or it may not be published
 */
export async function publish(store, given, word, { running, share, say }) {
  await installDependencies({ development: true });
  const { ROOT } = await import('@cord/build/workspaces.mjs');
  const { builtModules, distOf, nameOf } = await import('@cord/build/built.mjs');
  const { buildWeb } = await import('@cord/build/web-build.mjs');
  const { sourceProblems } = await import('./checks/sources.mjs');
  const { buildProblems } = await import('./checks/build.mjs');
  const { liveVersions } = await import('./live-shell.mjs');
  const { smokeProblems } = await import('./checks/smoke.mjs');
  const dir = folderOf(given, ROOT);
  if (!existsSync(path.join(ROOT, dir, 'rspack.config.mjs'))) throw new Refused(`there is no module ${dir}`);
  refuseFrozen(nameOf(dir), await readPointer(store, nameOf(dir)));
  const [live, ofSources] = await Promise.all([
    liveVersions(running),
    sourceProblems(path.join(ROOT, dir)),
    buildWeb({ only: [dir] }),
  ]);
  const built = builtModules().find(({ folder }) => folder === distOf(dir));
  refuseFor(built.name, [...ofSources, ...(await buildProblems(built, live))]);
  const facts = await uploadVersion(store, built);
  if (running) refuseFor(built.name, await smokeProblems(running.origin, built.name, facts));
  else say('not tried in a browser: no system runs on this data folder');
  const line =
    share === undefined
      ? await switchTo(store, built.name, facts, word)
      : await startCanary(store, built.name, facts, share, word);
  await prune(store);
  if (line?.canary)
    return say(`${built.name} gives ${built.version} to a share of ${share}; the others have ${line.version}`);
  if (!line) return say(`${built.name} is at ${built.version} already`);
  say(`${built.name} is at ${line.version}${line.from ? `; it was at ${line.from}` : ''}`);
}

function refuseFor(name, problems) {
  if (problems.length > 0) throw new Refused(`${name} is not published:\n  ${problems.join('\n  ')}`);
}

/** A name such as tasks, or a folder of this checkout. */
function folderOf(given, root) {
  if (/^(mfe[-_])?[a-z][a-z0-9]*$/.test(given)) return `mfe-${given.replace(/^mfe[-_]/, '')}`;
  const dir = path.relative(root, path.resolve(given));
  if (!/^mfe-[a-z][a-z0-9]*$/.test(dir)) throw new Refused(`${given} is no module of this checkout`);
  return dir;
}
