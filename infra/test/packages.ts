import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readWorkspaces } from '../build/workspaces.mjs';
import { ROOT } from '../dev/starter/paths.mjs';

/**
 * What of the packages of a lock file could come in another form than the one that was looked at.
 * @returns one line a fault; empty when each package has one content, and all come from one place
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
    if (url?.protocol !== 'https:') faults.push(`${path} comes from what is no https address`);
    else if (!hosts.has(url.host)) hosts.set(url.host, path);
  }
  // Which of two is the right one nobody can say here.
  if (hosts.size > 1) faults.push(`packages come from ${hosts.size} hosts: ${[...hosts.values()].join(', ')}`);
  return faults;
}

/**
 * Scripts that npm leaves out under ignore-scripts, or runs at an install: nothing would say that they did not run.
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
 * @returns what it lacks
 */
export function faultsOfNpmrc(npmrc: string): string[] {
  const wanted = ['ignore-scripts=true', 'save-exact=true', 'omit-lockfile-registry-resolved=true'];
  const lines = npmrc.split('\n').map((line) => line.replaceAll(' ', ''));
  return wanted.filter((line) => !lines.includes(line)).map((line) => `.npmrc lacks ${line}`);
}

function faultsOfCheckout() {
  const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
  const manifests = ['.', ...[...readWorkspaces().values()].map(({ dir }) => dir)].map((dir) =>
    join(dir, 'package.json'),
  );
  const hidden = manifests.flatMap((path) =>
    hiddenScripts(JSON.parse(read(path)).scripts).map(
      (name) => `${path}: npm does not run "${name}", call it from the script itself`,
    ),
  );
  return [...faultsOfLock(JSON.parse(read('package-lock.json'))), ...faultsOfNpmrc(read('.npmrc')), ...hidden];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const faults = faultsOfCheckout();
  if (faults.length === 0) console.log('package-lock.json has the integrity of every package');
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
