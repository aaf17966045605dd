import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const LEFT_OUT = new Set(['node_modules', 'dist', '.git', 'storybook-static']);

/** The files of a folder and of those in it, but for what was installed or built. @returns paths that begin with the folder's */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return LEFT_OUT.has(entry.name) ? [] : filesBelow(path);
    return path;
  });
}
