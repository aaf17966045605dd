import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { moduleName } from '@cord/build/module-name.ts';
import { readWorkspaces, workspaceOf } from '@cord/build/workspaces.ts';
import { SHELL } from '@cord/deploy/store/release-line';
import { checkOut } from '../test/kit/release.ts';

/** The shell or a module as built by its own release; `sdk` and `ui` are versions of the shell, ranges of a module. */
export interface Built {
  name: string;
  version: string;
  sdk: string;
  ui: string;
  folder: string;
}

export interface OtherRelease {
  shell: Built;
  modules: Built[];
}

/**
 * Builds shell and modules of another release with its own build.
 * @param ref a commit or a tag
 * @param folder for its code
 * @throws naming a release that this clone lacks, and how to fetch it
 */
export async function buildRelease(ref: string, folder: string): Promise<OtherRelease> {
  await checkOut(ref, folder, ['--web']);
  const workspaces = readWorkspaces(folder);
  const [sdk, ui] = [workspaceOf(workspaces, '@cord/sdk').version, workspaceOf(workspaces, '@cord/ui').version];
  const dirs = [...workspaces.values()]
    .map(({ dir }) => dir)
    .filter((dir) => ['ts', 'mjs'].some((extension) => existsSync(join(folder, dir, `rspack.config.${extension}`))));
  const built = await Promise.all(
    dirs.map(async (dir): Promise<Built> => {
      const dist = join(folder, dir, 'dist');
      const stamp = JSON.parse(await readFile(join(dist, '.build.json'), 'utf8')) as Pick<Built, 'version'>;
      // Builds up to release 1.3 lack the ranges; they fit the packages of their own checkout.
      const ranges = dir === SHELL ? { sdk, ui } : { sdk: `^${sdk}`, ui: `^${ui}` };
      return { ...ranges, ...stamp, name: dir === SHELL ? SHELL : (moduleName(dir) ?? dir), folder: dist };
    }),
  );
  return { shell: built.find(({ name }) => name === SHELL)!, modules: built.filter(({ name }) => name !== SHELL) };
}
