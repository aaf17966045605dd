import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const OUTPUT_MAX = 16 * 1024 * 1024;

/** The program of the rspack CLI; its package exports no more than itself. */
export const RSPACK = path.join(createRequire(import.meta.url).resolve('@rspack/cli/package.json'), '../bin/rspack.js');

/**
 * Bundles a web package by its own rspack.config.mjs into its dist: `rspack build`.
 * @param {string} folder
 * @param {{buildId: string, version?: string}} build what distinguishes it from every other, and under which version it is published
 * @throws {Error} with the compiler's messages
 */
export async function compile(folder, build) {
  const env = Object.entries(build).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  const options = { cwd: folder, env: { ...process.env, NO_COLOR: '1' }, maxBuffer: OUTPUT_MAX };
  try {
    await run(process.execPath, [RSPACK, 'build', ...env], options);
  } catch (error) {
    throw new Error(`${folder}:\n${error.stdout}${error.stderr}`);
  }
}
