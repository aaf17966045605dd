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

/** Where published modules lie, as infra/build has it. @param {NodeJS.ProcessEnv} env */
export async function moduleStore(env) {
  const { moduleStoreDir } = await import('@cord/build/module-store.mjs');
  return moduleStoreDir(env);
}

/**
 * Builds what changed of the shell and the modules (infra/build), in a process of its own beside the compiler's.
 * @param {string} store where modules are published to
 * @returns {Promise<string>} how many packages were built
 * @throws {StartError} with the build's messages
 */
export async function buildWeb(store) {
  const args = [join(ROOT, 'infra/build/build.mjs'), '--web'];
  const output = await runNode(args, 'the web build failed', { ...process.env, MODULE_STORE: store });
  const built = output.split('\n').filter((line) => line.startsWith('built ')).length;
  return built === 0 ? 'unchanged' : `${built} built`;
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

/** @returns {Promise<string>} what it printed */
function runNode(args, complaint, env = process.env) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const chunks = [];
    child.stdout.on('data', (chunk) => chunks.push(chunk));
    child.stderr.on('data', (chunk) => chunks.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      const output = Buffer.concat(chunks).toString().trim();
      if (code === 0) resolve(output);
      else reject(new StartError(`${complaint}:\n${output}`));
    });
  });
}
