import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { ModuleStore } from '@cord/deploy/store/folder-store';
import { filesOf, SHELL } from '@cord/deploy/store/release-line';
import type { Published } from './published.js';
import type { Releases } from './registry.js';

/** The shells whose files this gateway has. */
export interface Shells {
  /** Returns the folder of the shell in use. */
  inUse(): Promise<string>;
  /** Returns its version, and those of its sdk and design system. */
  versions(): Promise<ShellVersions>;
  /** Returns the folders of all kept shells, the one in use first: pages opened before a switch request later files of their shell. */
  all(): Promise<string[]>;
  /** Whether a file of these folders is unchanged since its publish; always true for the shell built beside this gateway. @param path with a leading slash */
  mayServe(folder: string, path: string): Promise<boolean>;
}

export interface ShellVersions {
  shell?: string;
  sdk?: string;
  ui?: string;
}

/** @param shellDir the shell built beside this gateway, used when none was ever published */
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

/** Reads the versions that infra/build wrote beside the shell; {} when it is not built. */
async function versionsIn(shellDir: string): Promise<ShellVersions> {
  const text = await readFile(join(shellDir, '.build.json'), 'utf8').catch(() => '{}');
  const { version: shell, sdk, ui } = JSON.parse(text) as { version?: string } & ShellVersions;
  return { ...(shell && { shell }), ...(sdk && { sdk }), ...(ui && { ui }) };
}
