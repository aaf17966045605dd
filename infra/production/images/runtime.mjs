/** `node runtime.mjs FOLDER`: puts Node, the libraries that it has loaded, and the user of the images into FOLDER, as the root of an image. */
import { chmodSync, chownSync, cpSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NODE = '/usr/local/bin/node';
/** As in the Dockerfile: no user of a usual system. */
const USER = 10_001;
const FILES = {
  'etc/passwd': `cord:x:${USER}:${USER}:cord:/tmp:/nonexistent\n`,
  'etc/group': `cord:x:${USER}:\n`,
  'etc/nsswitch.conf': 'hosts: files dns\n',
};
/** Where volumes come: everybody's, and the module store of the gateway. */
const PLACES = { tmp: [0, 0o1777], modules: [USER, 0o755] };

/** @param {string} folder @returns {string[]} what lies there now beside the user's files, as paths of the image */
export function makeRuntime(folder) {
  const libraries = process.report.getReport().sharedObjects.filter((path) => path.startsWith('/'));
  const wanted = new Map([[NODE, process.execPath], ...libraries.map((path) => [path, path])]);
  for (const [to, from] of wanted) copy(from, join(folder, to));
  for (const [to, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, to)), { recursive: true });
    writeFileSync(join(folder, to), text);
  }
  for (const [name, [owner, mode]] of Object.entries(PLACES)) {
    const place = join(folder, name);
    mkdirSync(place, { recursive: true });
    chmodSync(place, mode);
    if (process.getuid() === 0) chownSync(place, owner, owner);
  }
  return [...wanted.keys()];
}

/** What links lead to, under the name that is asked for. */
function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(realpathSync(from), to);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(makeRuntime(process.argv[2]).join('\n'));
