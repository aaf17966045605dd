import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { moduleName } from '@cord/build/module-name.ts';
import { readWorkspaces, workspaceOf } from '@cord/build/workspaces.ts';
import { SHELL } from '@cord/deploy/store/release-line';
import { checkOut } from '../test/kit/release.ts';

/** The shell or a module as its own release has built it; of the shell `sdk` and `ui` are versions, of a module ranges. */
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
 * Builds shell and modules of another release by its own build.
 * @param ref a commit or a tag
 * @param folder where its code is to lie
 * @throws naming a release that this clone does not have, and what brings it
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
      // Builds of release 1.3 and before do not have it: they were for what stood beside them.
      const ranges = dir === SHELL ? { sdk, ui } : { sdk: `^${sdk}`, ui: `^${ui}` };
      return { ...ranges, ...stamp, name: dir === SHELL ? SHELL : (moduleName(dir) ?? dir), folder: dist };
    }),
  );
  return { shell: built.find(({ name }) => name === SHELL)!, modules: built.filter(({ name }) => name !== SHELL) };
}
