import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isProgram } from '../build/is-program.ts';
import { readWorkspaces } from '../build/workspaces.ts';
import { ROOT } from '../dev/starter/paths.mjs';

/**
 * Finds packages of a lock file whose content is not fixed.
 * @returns one line per fault; empty when each package has one content and all have one source
 */
export function faultsOfLock({
  packages,
}: {
  packages: Record<string, { link?: boolean; integrity?: string; resolved?: string }>;
}): string[] {
  const faults = [];
  const hosts = new Map();
  for (const [path, { link, integrity, resolved }] of Object.entries(packages)) {
    if (link || !path.includes('node_modules/')) continue;
    if (!/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? '')) faults.push(`${path} has no sha512 integrity`);
    if (resolved === undefined) continue;
    const url = URL.canParse(resolved) ? new URL(resolved) : undefined;
    if (url?.protocol !== 'https:') faults.push(`${path} does not come from an https address`);
    else if (!hosts.has(url.host)) hosts.set(url.host, path);
  }
  // It is unknown which of two hosts is right.
  if (hosts.size > 1) faults.push(`packages come from ${hosts.size} hosts: ${[...hosts.values()].join(', ')}`);
  return faults;
}

interface Manifest {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

/**
 * Finds dependencies that the lock file does not pin: `npm ci` would fail, which nobody notices where all is installed.
 * @param dir of the package.json below the root; empty for the root itself
 * @returns one line per fault
 */
export function faultsOfManifest(
  { packages }: { packages: Record<string, Manifest & { version?: string }> },
  dir: string,
  { dependencies = {}, devDependencies = {} }: Manifest,
): string[] {
  const locked = { ...packages[dir]?.dependencies, ...packages[dir]?.devDependencies };
  const wanted = { ...dependencies, ...devDependencies };
  const names = [...new Set([...Object.keys(wanted), ...Object.keys(locked)])];
  return names.flatMap((name) => {
    const isThere = [`${dir}/node_modules/${name}`, `node_modules/${name}`].some((path) => path in packages);
    if (wanted[name] === locked[name] && isThere) return [];
    return [`package-lock.json does not match ${name} of ${dir || 'the root'}: run npm install`];
  });
}

/**
 * Finds scripts that npm skips under ignore-scripts or runs at install: nothing would report that they did not run.
 * @param scripts of a package.json
 * @returns their names
 */
export function hiddenScripts(scripts: Record<string, string> = {}): string[] {
  const atInstall = ['install', 'prepare', 'prepublish'];
  return Object.keys(scripts).filter((name) => {
    const [, of] = /^(?:pre|post)(.+)$/.exec(name) ?? [];
    return atInstall.includes(name) || (of !== undefined && (of in scripts || atInstall.includes(of)));
  });
}

/**
 * @param npmrc its text
 * @returns the missing lines
 */
export function faultsOfNpmrc(npmrc: string): string[] {
  const wanted = ['ignore-scripts=true', 'save-exact=true', 'omit-lockfile-registry-resolved=true'];
  const lines = npmrc.split('\n').map((line) => line.replaceAll(' ', ''));
  return wanted.filter((line) => !lines.includes(line)).map((line) => `.npmrc lacks ${line}`);
}

function faultsOfCheckout() {
  const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
  const lock = JSON.parse(read('package-lock.json'));
  const dirs = ['', ...[...readWorkspaces().values()].map(({ dir }) => dir)];
  const ofManifests = dirs.flatMap((dir) => {
    const path = join(dir, 'package.json');
    const manifest = JSON.parse(read(path));
    const hidden = hiddenScripts(manifest.scripts).map(
      (name) => `${path}: npm does not run "${name}", call it from the script itself`,
    );
    return [...faultsOfManifest(lock, dir, manifest), ...hidden];
  });
  return [...faultsOfLock(lock), ...faultsOfNpmrc(read('.npmrc')), ...ofManifests];
}

if (isProgram(import.meta.filename)) {
  const faults = faultsOfCheckout();
  if (faults.length === 0) console.log('package-lock.json has the integrity of every package');
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
