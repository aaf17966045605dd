import { extract, list } from 'tar';
import { Refused } from '../store/refused.mjs';

/** More is no module, bytes and files. */
const UNPACKED_MAX_BYTES = 32 * 1024 * 1024;
const FILES_MAX = 2_000;
const PLAIN = ['File', 'OldFile', 'Directory'];
/** What npm puts all of a package under, and what of it is needed. */
const ROOT = 'package';
const WANTED = /^package\/(package\.json$|dist\/)/;

/**
 * Unpacks package.json and dist of an npm package into a folder. Nothing is written unless all that it holds is fit to be.
 * @param {string} file
 * @param {string} folder
 * @throws Refused naming what is wrong with it
 */
export function unpack(file, folder) {
  const problems = [];
  let bytes = 0;
  let files = 0;
  const look = ({ path, type, size }) => {
    bytes += size;
    files += 1;
    if (!PLAIN.includes(type)) problems.push(`${path} is a ${type}`);
    else if (!isSafe(path)) problems.push(`${path} leads out of the package`);
  };
  reading(file, () => list({ file, sync: true, strict: true, onReadEntry: look }));
  if (bytes > UNPACKED_MAX_BYTES) problems.push(`it holds more than ${UNPACKED_MAX_BYTES / 1024 / 1024} MiB`);
  if (files > FILES_MAX) problems.push(`it holds more than ${FILES_MAX} files`);
  if (problems.length > 0) throw new Refused(`${file} is not unpacked:\n  ${problems.join('\n  ')}`);
  const filter = (path) => WANTED.test(path);
  reading(file, () => extract({ file, cwd: folder, sync: true, strict: true, strip: 1, filter }));
}

/** Names under the package's own root, and none that some file system reads otherwise. */
function isSafe(path) {
  const [root, ...below] = path.replace(/\/$/, '').split('/');
  return root === ROOT && below.every((name) => !['', '.', '..'].includes(name) && !/[\\:\p{Cc}]/u.test(name));
}

function reading(file, read) {
  try {
    read();
  } catch (error) {
    throw new Refused(`${file} is not an npm package: ${error.message}`);
  }
}
