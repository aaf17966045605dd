import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const STOP_MS_MAX = 60_000;
/** As the ENV of the Dockerfile, which only buildah reads. */
const OF_IMAGES = {
  NODE_ENV: 'production',
  SHELL_DIR: '/cord/shell/dist',
  MODULE_STORE: '/modules',
  CORD_DATA: '/tmp/cord',
};

/** What runs, and its end. @type {Map<import('node:child_process').ChildProcess, Promise<unknown>>} */
const alive = new Map();

/**
 * Runs what an image is for.
 * @param {import('./build.mjs').Image} image
 * @param {{args?: string[], env?: Record<string, string>, volumes?: Volume[]}} [given] without args it does what the image says
 *
 * @typedef {{from: string, to: string, write?: boolean}} Volume
 */
export function startContainer(image, { args = image.config.Cmd ?? [], env = {}, volumes = [] } = {}) {
  const { kind } = image;
  const child = image.root ? spawnInRoot(image, args, env, volumes) : spawnInFolder(image, args, env, volumes);
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => (text = `${text}${chunk}`.slice(-20_000)));
  const ended = new Promise((resolve) => child.once('close', (code, signal) => resolve(code ?? signal)));
  alive.set(child, ended);
  ended.then(() => alive.delete(child));
  return {
    kind,
    root: image.root,
    pid: child.pid,
    ended,
    said: () => text,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    async stop() {
      child.kill('SIGTERM');
      const force = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX);
      const code = await ended;
      clearTimeout(force);
      return code;
    },
  };
}

/** As its user, on its files and nothing but its files, of which none can be written: in mounts of its own, with an empty /tmp, and the volumes. */
function spawnInRoot({ root, config }, args, env, volumes) {
  for (const to of ['proc', 'tmp', 'etc', ...volumes.map((one) => one.to)])
    mkdirSync(join(root, to), { recursive: true });
  // As whoever runs containers does: the names of this machine.
  writeFileSync(join(root, 'etc/hosts'), '127.0.0.1 localhost\n');
  const bound = ({ from, to, write }) =>
    `mount --bind '${from}' "$0${to}" && mount -o remount,bind,${write ? 'rw' : 'ro'} "$0${to}"`;
  const mounts = [
    'mount --bind "$0" "$0"',
    ...volumes.map(bound),
    'mount -t tmpfs -o mode=1777 tmpfs "$0/tmp"',
    'mount -t proc proc "$0/proc"',
    'mount -o remount,bind,ro "$0"',
  ];
  const [user, group] = config.User.split(':');
  const enter = `exec unshare --root="$0" --wd='${config.WorkingDir}' --setgid ${group} --setuid ${user} -- "$@"`;
  const script = [...mounts, enter].join(' && ');
  const own = Object.fromEntries(config.Env.map((one) => one.split(/=(.*)/s).slice(0, 2)));
  return spawn('unshare', ['--mount', '/bin/sh', '-c', script, root, ...config.Entrypoint, ...args], {
    env: { ...own, PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** In its folder, with places of the image put where they are here. */
function spawnInFolder({ folder }, args, env, volumes) {
  const places = [...volumes.map(({ from, to }) => [to, from]), ['/cord', folder]];
  const placed = (value) => {
    const [to, from] = places.find(([one]) => value === one || value.startsWith(`${one}/`)) ?? ['', ''];
    return from + value.slice(to.length);
  };
  const own = { ...OF_IMAGES, ...env };
  return spawn(process.execPath, ['--enable-source-maps', ...args], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      ...Object.fromEntries(Object.entries(own).map(([name, value]) => [name, placed(value)])),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Those that run still, at once. */
export async function stopContainers() {
  for (const child of alive.keys()) child.kill('SIGKILL');
  await Promise.all(alive.values());
}

/** Runs it to its end. @returns {Promise<string>} what it said @throws {Error} where it did not end well */
export async function runContainer(image, given) {
  const container = startContainer(image, given);
  const code = await container.ended;
  if (code !== 0)
    throw new Error(`${image.kind} ${given.args?.join(' ') ?? ''} ended with ${code}:\n${container.said()}`);
  return container.said();
}
