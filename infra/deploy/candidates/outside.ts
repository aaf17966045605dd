import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, lstat, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { moduleName } from '@cord/build/module-name.ts';
import { precompress } from '@cord/build/precompress.ts';
import { rangesOf } from '@cord/build/shared.ts';
import { Refused } from '../store/refused.js';
import type { Candidate } from './candidate.js';

/** The fields used from a package.json. */
interface Manifest {
  name: string;
  version: string;
  scripts?: { build?: string };
}

const run = promisify(execFile);
const OUTPUT_MAX = 16 * 1024 * 1024;
const OUTPUT_SHOWN = 20;
/** Derived from the other files, so not part of a build's identity. */
const COMPRESSED = /\.(br|gz)$/;
const VERSION = /^\d+\.\d+\.\d+[\w.-]{0,20}$/;

/**
 * A module with sources outside the checkout: a folder with a package.json and a dist, made by its script `build` if it has one.
 */
export async function folderModule(folder: string): Promise<Candidate> {
  const manifest = await manifestOf(folder, folder);
  const build = async () => {
    if (manifest.scripts?.build) await runBuild(folder);
  };
  return outside(folder, manifest, build);
}

async function outside(
  folder: string,
  { name: packageName, version }: Manifest,
  build: () => Promise<void>,
): Promise<Candidate> {
  const name = moduleName(packageName) ?? packageName;
  const staged = await mkdtemp(path.join(tmpdir(), 'cord-staged-'));
  return {
    name,
    async prepare() {
      await build();
      const dist = path.join(folder, 'dist');
      if (!existsSync(dist)) throw new Refused(`${packageName} has no dist folder: build it first`);
      if (!(await lstat(dist)).isDirectory()) throw new Refused(`${packageName}: dist is not a folder`);
      // Staged in a copy: compressed files must not appear among the sources.
      await cp(dist, staged, { recursive: true, filter: (file) => !COMPRESSED.test(file) });
      const ranges = rangesIn(folder);
      const hash = await hashOf(staged);
      await precompress(staged);
      return { built: { name, version: `${version}-${hash}`, ...ranges, folder: staged }, problems: [] };
    },
    dispose: () => rm(staged, { recursive: true, force: true }),
  };
}

async function manifestOf(folder: string, given: string): Promise<Manifest> {
  const text = await readFile(path.join(folder, 'package.json'), 'utf8').catch(() => 'null');
  const manifest = parsed(text) as Manifest | null;
  if (!manifest) throw new Refused(`${given} has no package.json`);
  if (!/^(@[\w.-]+\/)?mfe-/.test(manifest.name) || !moduleName(manifest.name))
    throw new Refused(`${given}: package.json has the name "${manifest.name}", not one such as mfe-weather`);
  if (!VERSION.test(manifest.version))
    throw new Refused(`${given}: package.json has the version "${manifest.version}", not one such as 1.0.0`);
  return manifest;
}

function rangesIn(folder: string): { sdk: string; ui: string } {
  try {
    return rangesOf(folder);
  } catch (error) {
    throw new Refused((error as Error).message.replace(`${folder}/`, ''));
  }
}

async function runBuild(folder: string): Promise<void> {
  try {
    await run('npm', ['run', 'build'], { cwd: folder, maxBuffer: OUTPUT_MAX });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    const lines = `${stdout}\n${stderr}`.split('\n').filter((line) => line.trim() !== '');
    throw new Refused(`its own build failed:\n  ${lines.slice(-OUTPUT_SHOWN).join('\n  ')}`);
  }
}

/**
 * Hashes all published files, so that the same build has the same version everywhere. 12 hex characters.
 * @throws Refused for a link: it could point to any file of this machine, and the hash would not cover it
 */
async function hashOf(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const other = entries.find((entry) => !entry.isFile() && !entry.isDirectory());
  if (other)
    throw new Refused(
      `dist/${path.relative(folder, path.join(other.parentPath, other.name))} is a link: a build may have files and folders only`,
    );
  const files = entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
  const hash = createHash('sha256');
  for (const file of files.sort())
    hash
      .update(`${file}\0`)
      .update(await readFile(path.join(folder, file)))
      .update('\0');
  return hash.digest('hex').slice(0, 12);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
