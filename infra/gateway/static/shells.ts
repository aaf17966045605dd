import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { ModuleStore } from '@cord/deploy/store/folder-store';
import { filesOf, SHELL } from '@cord/deploy/store/release-line';
import type { Published } from './published.js';
import type { Releases } from './registry.js';

/** The shells that this gateway has files of. */
export interface Shells {
  /** Where the files of the shell in use lie. */
  inUse(): Promise<string>;
  /** What it carries: its version, and those of the sdk and the design system. */
  versions(): Promise<ShellVersions>;
  /** Folders of all shells whose files are kept, the one in use first: pages that were opened before a switch request later files of theirs. */
  all(): Promise<string[]>;
  /** Whether a file of one of these folders is as it was published; of the one built beside this gateway it always is. @param path with its slash */
  mayServe(folder: string, path: string): Promise<boolean>;
}

export interface ShellVersions {
  shell?: string;
  sdk?: string;
  ui?: string;
}

/**
 * @param shellDir the shell as it was built beside this gateway, which is in use where none was ever published
 */
export function createShells(
  store: ModuleStore,
  releases: Releases,
  shellDir: string,
  published: Pick<Published, 'mayServe'>,
): Shells {
  const folderOf = (version: string) => join(store.where, filesOf(SHELL, version));
  async function inUse(): Promise<string> {
    const { shell } = await releases();
    return shell ? folderOf(shell.version) : shellDir;
  }
  return {
    inUse,
    async versions() {
      const { shell } = await releases();
      return shell ? { shell: shell.version, sdk: shell.sdk, ui: shell.ui } : versionsIn(shellDir);
    },
    async all() {
      const kept = (await store.names(SHELL)).map(folderOf);
      return [...new Set([await inUse(), ...kept, shellDir])];
    },
    async mayServe(folder, path) {
      if (dirname(folder) !== join(store.where, SHELL)) return true;
      return published.mayServe(SHELL, basename(folder), path.slice(1));
    },
  };
}

/** As infra/build wrote them beside the shell; nothing where the shell is not built. */
async function versionsIn(shellDir: string): Promise<ShellVersions> {
  const text = await readFile(join(shellDir, '.build.json'), 'utf8').catch(() => '{}');
  const { version: shell, sdk, ui } = JSON.parse(text) as { version?: string } & ShellVersions;
  return { ...(shell && { shell }), ...(sdk && { sdk }), ...(ui && { ui }) };
}
