import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** What the files below a folder hold, bytes; what links lead to is counted where it lies. */
export function directoryBytes(folder) {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    return sum + (entry.isDirectory() ? directoryBytes(path) : lstatSync(path).size);
  }, 0);
}
