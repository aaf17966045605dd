import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { findBinary } from '../../../dev/starter/binaries.ts';

const run = promisify(execFile);
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
/** Libraries of the C library that native packages load and Node does not. */
const BESIDE_LIBC = ['librt.so.1', 'libresolv.so.2', 'libutil.so.1', 'libnss_dns.so.2', 'libnss_files.so.2'];
/** Shell tools that the Dockerfile and health checks need. */
const APPLETS = ['sh', 'env', 'mkdir', 'chown', 'cp', 'rm', 'cat', 'timeout', 'wget', 'killall'];
/** Implements `nc -z HOST PORT`; Debian's busybox lacks -z. */
const NC = `#!/usr/bin/env node
const [, , , host, port] = process.argv;
require('node:net').connect(Number(port), host).on('connect', () => process.exit(0)).on('error', () => process.exit(1));
`;

/**
 * Creates the file system of third-party images: this machine's Node with npm, nats-server, busybox, their libraries,
 * and the trusted authorities.
 */
export async function makeRootfs(root: string): Promise<void> {
  const programs = await Promise.all(
    Object.entries({
      node: process.execPath,
      'nats-server': await findBinary('nats-server'),
      busybox: await findBinary('busybox'),
    }).map(async ([name, path]) => [name, await realpath(path ?? name)] as const),
  );
  const put = async (from: string, to = from) => {
    await mkdir(dirname(join(root, to)), { recursive: true });
    await cp(await realpath(from), join(root, to), { recursive: true });
  };
  for (const [name, path] of programs) {
    await put(path, `/usr/bin/${name}`);
    for (const library of await librariesOf(path)) {
      await put(library);
      if (library.endsWith('/libc.so.6')) for (const name of BESIDE_LIBC) await put(join(dirname(library), name));
    }
  }
  const npm = dirname(dirname(await realpath((await findBinary('npm')) ?? 'npm')));
  await put(npm, '/usr/lib/node_modules/npm');
  await put(CERTIFICATES);
  const link = (target: string, path: string) => symlink(target, join(root, path));
  for (const folder of ['etc', 'tmp', 'root', 'var/tmp']) await mkdir(join(root, folder), { recursive: true });
  await chmod(join(root, 'tmp'), 0o1777);
  await link('usr/bin', 'bin');
  await link('../lib/node_modules/npm/bin/npm-cli.js', 'usr/bin/npm');
  for (const applet of APPLETS) await link('busybox', `usr/bin/${applet}`);
  await writeFile(join(root, 'usr/bin/nc'), NC, { mode: 0o755 });
  await writeFile(join(root, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\n');
  await writeFile(join(root, 'etc/group'), 'root:x:0:\n');
  await writeFile(join(root, 'root/.npmrc'), `cafile=${CERTIFICATES}\n`);
}

/** Returns the paths of a program's shared libraries, including the loader. */
async function librariesOf(program: string): Promise<string[]> {
  const { stdout } = await run('ldd', [program]).catch(() => ({ stdout: '' }));
  return [...stdout.matchAll(/(?:=> )?(\/\S+) \(0x/g)].map(([, path = '']) => path);
}
