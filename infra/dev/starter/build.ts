import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './paths.mjs';
import { StartError } from './problems.mjs';

const run = promisify(execFile);
const OUTPUT_BYTES_MAX = 64 << 20;

/**
 * Transpiles the services, the gateway, the store and the console to JavaScript; `npm run typecheck` checks the types.
 * @returns the number of files written, as text
 * @throws {StartError} with the compiler's message
 */
export async function buildNodePackages(): Promise<string> {
  // The compiler is a dependency, so it is imported after the install.
  const { transpilePackages } = await import('@cord/build/transpile.ts');
  try {
    const written = await transpilePackages();
    return written === 0 ? 'unchanged' : `${written} files`;
  } catch (error) {
    throw new StartError(`the compiler found errors:\n${(error as Error).message}`);
  }
}

/**
 * Builds the changed packages of the shell and the modules (infra/build). Runs in its own process: the bundler uses both cores.
 * @returns the number of packages built, as text
 * @throws {StartError} with the build's messages
 */
export async function buildWeb(): Promise<string> {
  const args = [join(ROOT, 'infra/build/build.mjs'), '--web'];
  const options = { cwd: ROOT, maxBuffer: OUTPUT_BYTES_MAX };
  const { stdout } = await run(process.execPath, args, options).catch((error) => {
    throw new StartError(`the web build failed:\n${`${error.stdout}${error.stderr}`.trim()}`);
  });
  const built = stdout.split('\n').filter((line) => line.startsWith('built ')).length;
  return built === 0 ? 'unchanged' : `${built} built`;
}
