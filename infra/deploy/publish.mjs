import { existsSync } from 'node:fs';
import path from 'node:path';
import { installDependencies } from '../dev/starter/install.mjs';
import { prune } from './store/prune.mjs';
import { Refused } from './store/refused.mjs';
import { switchTo, uploadVersion } from './store/releases.mjs';

/**
 * Builds a module of this checkout, uploads it and switches to it.
 * @param {import('./store/folder-store.mjs').ModuleStore} store
 * @param {string} given its name, or its folder
 * @param {import('./store/release-line.mjs').Word} word
 * @param {(line: string) => void} say
 * @throws Refused where there is no such module, or it may not be published
 */
export async function publish(store, given, word, say) {
  await installDependencies({ development: true });
  const { ROOT } = await import('@cord/build/workspaces.mjs');
  const { builtModules, distOf } = await import('@cord/build/built.mjs');
  const { buildWeb } = await import('@cord/build/web-build.mjs');
  const dir = folderOf(given, ROOT);
  if (!existsSync(path.join(ROOT, dir, 'rspack.config.mjs'))) throw new Refused(`there is no module ${dir}`);
  await buildWeb({ only: [dir] });
  const built = builtModules().find(({ folder }) => folder === distOf(dir));
  const facts = await uploadVersion(store, built);
  const line = await switchTo(store, built.name, facts, word);
  await prune(store);
  say(
    line
      ? `${built.name} is at ${line.version}${line.from ? `; it was at ${line.from}` : ''}`
      : `${built.name} is at ${built.version} already`,
  );
}

/** A name such as tasks, or a folder of this checkout. */
function folderOf(given, root) {
  if (/^(mfe[-_])?[a-z][a-z0-9]*$/.test(given)) return `mfe-${given.replace(/^mfe[-_]/, '')}`;
  const dir = path.relative(root, path.resolve(given));
  if (!/^mfe-[a-z][a-z0-9]*$/.test(dir)) throw new Refused(`${given} is no module of this checkout`);
  return dir;
}
