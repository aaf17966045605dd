import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const OUTPUT_MAX = 16 * 1024 * 1024;

/**
 * Loads TypeScript, in which this package and its configurations are written; packages for others contain JavaScript. Only tsx's
 * hooks for ES modules: the CommonJS hooks would change the federation plugin, which copies its functions as text into each module.
 */
const READS_TYPESCRIPT = import.meta.filename.endsWith('.ts') ? ['--import', import.meta.resolve('tsx/esm')] : [];

/** Path of the rspack CLI; its package exports nothing else. */
const RSPACK = path.join(createRequire(import.meta.url).resolve('@rspack/cli/package.json'), '../bin/rspack.js');

/** Returns Node's arguments for the rspack CLI with a verb. */
export const rspackArgs = (verb: 'build' | 'serve', ...args: string[]): string[] =>
  READS_TYPESCRIPT.length > 0
    ? [...READS_TYPESCRIPT, RSPACK, verb, '--config-loader', 'native', ...args]
    : [RSPACK, verb, ...args];

/**
 * Bundles a web package by its own rspack.config.ts into its dist: `rspack build`.
 * @param build unique id of the build, and its published version
 * @throws {Error} with the compiler's messages
 */
export async function compile(folder: string, build: { buildId: string; version?: string }): Promise<void> {
  const env = Object.entries(build).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  const options = { cwd: folder, env: { ...process.env, NO_COLOR: '1' }, maxBuffer: OUTPUT_MAX };
  try {
    await run(process.execPath, rspackArgs('build', ...env), options);
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${folder}:\n${stdout}${stderr}`);
  }
}
