import { readFileSync } from 'node:fs';

/** The running release: the version of the package above this file, in the source or in the build. */
export const BUILD = { version: versionAbove(new URL('..', import.meta.url)), node: process.version };

function versionAbove(folder: URL): string {
  try {
    return String(JSON.parse(readFileSync(new URL('package.json', folder), 'utf8')).version);
  } catch (err) {
    const above = new URL('..', folder);
    if (above.href === folder.href) throw err;
    return versionAbove(above);
  }
}
