import { cpSync, mkdirSync } from 'node:fs';
import { basename } from 'node:path';
import { ROOT } from '../../dev/starter/paths.mjs';

export const FILE = 'infra/production/images/Dockerfile';

/** As Dockerfile.dockerignore. */
const NOT_SOURCES = new Set(['node_modules', 'dist', '.cache', '.data', '.git', 'storybook-static']);

/** The target that makes an image of a kind. */
export const targetOf = (kind) => (['jobs', 'gateway'].includes(kind) ? kind : 'service');

/** What an image is built from, as it is now: all images of one run are of the same sources. @param {string} folder */
export function copySources(folder) {
  mkdirSync(folder, { recursive: true });
  cpSync(ROOT, folder, { recursive: true, filter: (path) => path === ROOT || !NOT_SOURCES.has(basename(path)) });
}
