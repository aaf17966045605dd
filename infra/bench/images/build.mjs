import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { NPM_CACHE, npm, placeBase } from './base.mjs';
import { directoryBytes } from './bytes.mjs';
import { copySources, FILE, targetOf } from './targets.mjs';

const BASE = 'localhost/cord-base';
/** npm opens thousands of files at once; what buildah gives is 1024. */
const FILES_MAX = execFileSync('/bin/sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' }).trim();

/**
 * @typedef {object} Image
 * @property {string} kind a service's name, jobs, gateway
 * @property {string} [root] where its files lie, mounted
 * @property {string} [folder] without buildah: what would be its working directory
 * @property {number} bytes of all of them
 * @property {{User: string, WorkingDir: string, Env: string[], Entrypoint: string[], Cmd?: string[]}} config as the image says it
 */

/**
 * Builds images with buildah, without a daemon and without a registry.
 * @param {string} work a folder for all that it makes
 * @returns {{makeBase: () => void, build: (kind: string) => Promise<Image>, remove: () => void}} the base first
 */
export function builder(work) {
  const places = ['--root', join(work, 'storage'), '--runroot', join(work, 'run'), '--storage-driver', 'overlay'];
  const buildah = (...args) =>
    execFileSync('buildah', [...places, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const sources = join(work, 'sources');
  const makeBase = () => {
    copySources(sources);
    const base = join(work, 'base');
    mkdirSync(base, { recursive: true });
    placeBase(base);
    buildah('from', '--name', 'base', 'scratch');
    buildah('add', 'base', base, '/');
    buildah('commit', '--rm', 'base', BASE);
  };
  const build = async (kind) => {
    const target = targetOf(kind);
    const tag = `cord/${kind}`;
    const service = target === 'service' ? kind : 'auth';
    const options = {
      isolation: 'chroot',
      ulimit: `nofile=${FILES_MAX}:${FILES_MAX}`,
      file: FILE,
      ignorefile: `${FILE}.dockerignore`,
      volume: `${npm('cache')}:${NPM_CACHE}`,
      target,
      tag,
    };
    const given = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
    const args = [`NODE_IMAGE=${BASE}`, `SERVICE=${service}`].map((one) => `--build-arg=${one}`);
    await said([...places, 'bud', '--layers', '--pull-never', ...given, ...args, '.'], sources);
    const root = buildah('mount', buildah('from', '--pull-never', tag).trim()).trim();
    const { OCIv1 } = JSON.parse(buildah('inspect', '--type', 'image', tag));
    const { User, WorkingDir, Env = [], Entrypoint, Cmd } = OCIv1.config;
    return { kind, root, bytes: directoryBytes(root), config: { User, WorkingDir, Env, Entrypoint, Cmd } };
  };
  const remove = () => {
    building?.kill('SIGKILL');
    buildah('umount', '--all');
    buildah('rm', '--all');
    buildah('rmi', '--all', '--force');
  };
  return { makeBase, build, remove };
}

/** The build that is under way. @type {import('node:child_process').ChildProcess | undefined} */
let building;

/** What it says is shown when it fails. */
function said(args, cwd) {
  return new Promise((resolve, reject) => {
    building = spawn('buildah', args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    for (const stream of [building.stdout, building.stderr])
      stream.on('data', (chunk) => (text = `${text}${chunk}`.slice(-4_000)));
    building.once('error', reject);
    building.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`buildah failed:\n${text}`))));
  });
}
