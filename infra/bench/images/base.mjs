import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Beside Node: what RUN needs, and what npm is begun with. */
const PROGRAMS = { '/bin/sh': '/bin/sh', '/usr/bin/env': '/usr/bin/env' };
const LOADER = '/lib64/ld-linux-x86-64.so.2';
/** Parts of the C library that a compiler written in Rust asks for, and names are looked up with. */
const OF_LIBC = /^lib(rt|resolv|util|anl|nss_files|nss_dns)\.so\.\d$/;
/** Where the machine's npm keeps what it has fetched, in the image. */
export const NPM_CACHE = '/npm-cache';

/**
 * The root of a base image in the place of NODE_IMAGE, which cannot be fetched here: this machine's Node and npm, where the official image has them, a
 * shell, and the libraries of these.
 * @param {string} folder
 */
export function placeBase(folder) {
  const node = '/usr/local/bin/node';
  for (const [to, from] of Object.entries({ ...PROGRAMS, [node]: process.execPath })) {
    place(from, folder, to);
    for (const library of librariesOf(from)) place(library, folder, library);
  }
  const libc = dirname(librariesOf(process.execPath).find((path) => path.includes('/libc.so')));
  for (const name of readdirSync(libc).filter((one) => OF_LIBC.test(one)))
    place(join(libc, name), folder, join(libc, name));
  const npmFolder = dirname(dirname(realpathSync(which('npm'))));
  cpSync(npmFolder, join(folder, 'usr/local/lib/node_modules/npm'), { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(folder, 'usr/local/bin/npm'));
  for (const empty of ['tmp', 'root', 'proc', 'dev', NPM_CACHE]) mkdirSync(join(folder, empty), { recursive: true });
  npmSettings(folder);
}

/** That npm asks the same registry, trusts the same authority, and looks into the same cache first. */
function npmSettings(folder) {
  const settings = [
    `cache=${NPM_CACHE}`,
    'prefer-offline=true',
    'update-notifier=false',
    `registry=${npm('registry')}`,
  ];
  const authority = npm('cafile');
  if (authority !== 'null') {
    cpSync(realpathSync(authority), join(folder, 'etc-npm-ca.pem'));
    settings.push('cafile=/etc-npm-ca.pem');
  }
  mkdirSync(join(folder, 'usr/local/etc'), { recursive: true });
  writeFileSync(join(folder, 'usr/local/etc/npmrc'), `${settings.join('\n')}\n`);
}

/** A setting of this machine's npm. */
export const npm = (name) =>
  execFileSync('npm', ['config', 'get', name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

function which(program) {
  return execFileSync('/bin/sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim();
}

function librariesOf(program) {
  const said = execFileSync(LOADER, ['--list', realpathSync(program)], { encoding: 'utf8' });
  return [...new Set([LOADER, ...[...said.matchAll(/(\/\S+) \(0x/g)].map(([, path]) => path)])];
}

function place(from, folder, to) {
  mkdirSync(dirname(join(folder, to)), { recursive: true });
  cpSync(realpathSync(from), join(folder, to));
}
