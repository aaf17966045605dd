import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from './paths.mjs';
import { StartError } from './problems.mjs';

const STAMP = join(ROOT, '.cache/starter/node-build');
const SKIPPED_FOLDERS = new Set(['node_modules', 'dist', '.cache', '.data', '.git', 'storybook-static']);

/**
 * Compiles the services, the gateway, the store and the console; the compiler itself knows what changed, and it is not
 * even started when no source has been touched since the last build.
 * @returns {Promise<'built' | 'unchanged'>}
 * @throws {StartError} with the compiler's messages
 */
export async function buildNodePackages() {
  const projects = await projectFolders();
  const stamp = await sourceStamp(projects);
  if ((await readFile(STAMP, 'utf8').catch(() => '')) === stamp && (await allBuilt(projects))) return 'unchanged';
  await runNode([join(ROOT, 'node_modules/typescript/bin/tsc'), '-b'], 'the compiler found errors');
  await mkdir(join(STAMP, '..'), { recursive: true });
  await writeFile(STAMP, stamp);
  return 'built';
}

/**
 * Builds the shell and the modules (infra/build skips what is unchanged).
 * @throws {StartError} with the build's messages
 */
export async function buildWeb() {
  await runNode([join(ROOT, 'infra/build/build.mjs')], 'the web build failed');
}

async function projectFolders() {
  const { references } = JSON.parse(await readFile(join(ROOT, 'tsconfig.json'), 'utf8'));
  return references.map(({ path }) => join(ROOT, path));
}

/** One hash over name, size and time of change of every source: reading 200 times is quicker than compiling once. */
async function sourceStamp(projects) {
  const files = [join(ROOT, 'tsconfig.json'), join(ROOT, 'package-lock.json')];
  for (const project of projects) await collect(project, files);
  const lines = await Promise.all(
    files.map(async (file) => {
      const { size, mtimeMs } = await stat(file);
      return `${file} ${size} ${mtimeMs}`;
    }),
  );
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex');
}

async function collect(folder, files) {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) {
      if (!SKIPPED_FOLDERS.has(entry.name)) await collect(join(folder, entry.name), files);
    } else if (entry.name === 'tsconfig.json' || (entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))) {
      files.push(join(folder, entry.name));
    }
  }
}

async function allBuilt(projects) {
  const found = await Promise.all(
    projects.map((project) =>
      access(join(project, 'dist/.tsbuildinfo')).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.every(Boolean);
}

function runNode(args, complaint) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
    const chunks = [];
    child.stdout.on('data', (chunk) => chunks.push(chunk));
    child.stderr.on('data', (chunk) => chunks.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new StartError(`${complaint}:\n${Buffer.concat(chunks).toString().trim()}`));
    });
  });
}
