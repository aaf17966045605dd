// @ts-check
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from './paths.mjs';
import { StartError } from './problems.mjs';

/** The minimum minor version of each major, as in `engines` of package.json. Later majors: any. */
const NODE_MINORS = new Map([
  [20, 20],
  [22, 12],
]);
const NODE_ANY = 24;

/**
 * Installs the missing packages of the lock file. A start omits devDependencies unless the checkout already has them,
 * so that tests still work after a start. An incomplete node_modules is completed instead of rebuilt, since a running
 * system may be reading it.
 * @param {{development?: boolean}} [wanted] with devDependencies, whatever NODE_ENV is
 * @throws {StartError} when Node is too old or npm fails
 */
export async function installDependencies({ development = false } = {}) {
  checkNode(process.versions.node);
  if (await isInstalled(ROOT, { development })) return;
  const startedMs = Date.now();
  console.log('Installing the dependencies from the lock file (the first time takes a minute or two) ...');
  const command = (await isInstalled(ROOT)) ? ['install', '--no-save'] : ['ci'];
  const kinds = development || (await hasDevelopment(ROOT)) ? '--include=dev' : '--omit=dev';
  await runNpm([...command, kinds, '--no-audit', '--no-fund', '--loglevel=error']);
  console.log(`Dependencies installed (${((Date.now() - startedMs) / 1000).toFixed(1)} s)`);
}

/** @param {string} version as in process.versions.node */
export function checkNode(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major >= NODE_ANY || minor >= (NODE_MINORS.get(major) ?? Infinity)) return;
  const least = [...NODE_MINORS].map((numbers) => `${numbers.join('.')}+`).join(', ');
  throw new StartError(`Node ${least} or ${NODE_ANY}+ is needed, this is ${version}.`);
}

/**
 * Whether node_modules has every package of the lock file in its version. npm lists what it installed in
 * node_modules/.package-lock.json; optional packages of other platforms are in the lock file only.
 * @param {string} root
 * @param {{development?: boolean}} [wanted] whether devDependencies are required too
 */
export async function isInstalled(root, { development = false } = {}) {
  const wanted = await packagesOf(join(root, 'package-lock.json'));
  const installed = await packagesOf(join(root, 'node_modules/.package-lock.json'));
  if (!wanted || !installed) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.includes('node_modules/')) return true;
    const found = installed[path];
    if (found) return found.version === entry.version;
    return Boolean(entry.optional || entry.devOptional || entry.peer || (entry.dev && !development));
  });
}

/**
 * Whether node_modules has any devDependency, in whatever version.
 * @param {string} root
 */
export async function hasDevelopment(root) {
  const installed = await packagesOf(join(root, 'node_modules/.package-lock.json'));
  return Object.values(installed ?? {}).some(({ dev }) => dev);
}

/**
 * @typedef {{version?: string, dev?: boolean, optional?: boolean, devOptional?: boolean, peer?: boolean}} Locked
 * @param {string} file
 * @returns {Promise<Record<string, Locked> | undefined>} undefined where there is none
 */
async function packagesOf(file) {
  try {
    return JSON.parse(await readFile(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/** @param {string[]} args @returns {Promise<void>} */
function runNpm(args) {
  return new Promise((resolve, reject) => {
    const child = spawn('npm', args, { cwd: ROOT, stdio: 'inherit', shell: process.platform === 'win32' });
    child.on('error', (error) => reject(new StartError(`npm cannot start: ${error.message}`)));
    child.on('exit', (code) => {
      if (code === 0) resolve();
      else reject(new StartError(`npm ${args[0]} failed (exit code ${code}); see its output above.`));
    });
  });
}
