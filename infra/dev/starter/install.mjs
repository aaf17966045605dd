// @ts-check
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from './paths.mjs';
import { StartError } from './problems.mjs';

/** The least minor of each major; of a later major any. As `engines` of package.json. */
const NODE_MINORS = new Map([
  [20, 20],
  [22, 12],
]);
const NODE_ANY = 24;

/**
 * Installs by the lock file what is missing. What only tests, benchmarks and the catalogue need (devDependencies) is left
 * out for a start, except in a checkout that has it: there it comes along, so that tests go on working after a start.
 * A node_modules that only lacks some is completed, not made anew: a running system may be reading it.
 * @param {{development?: boolean}} [wanted] with devDependencies, whatever NODE_ENV is
 * @throws {StartError} when Node is too old or npm fails
 */
export async function installDependencies({ development = false } = {}) {
  checkNode(process.versions.node);
  if (await isInstalled(ROOT, { development })) return;
  const startedMs = Date.now();
  console.log('Installing the dependencies by the lock file (the first time takes a minute or two) ...');
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
 * Whether every package of the lock file stands in node_modules in its version. npm keeps what it installed in
 * node_modules/.package-lock.json; optional packages of other platforms are in the lock file only.
 * @param {string} root
 * @param {{development?: boolean}} [wanted] whether those that only development needs have to be there, too
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
 * Whether something stands in node_modules that only development needs, of whatever version.
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
    child.on('error', (error) => reject(new StartError(`npm cannot be run: ${error.message}`)));
    child.on('exit', (code) => {
      if (code === 0) resolve();
      else reject(new StartError(`npm ${args[0]} failed (exit code ${code}); its own message is above.`));
    });
  });
}
