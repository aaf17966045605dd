import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './paths.mjs';
import { StartError } from './problems.mjs';

/**
 * Turns the services, the gateway, the store and the console into JavaScript; types are looked at by `npm run typecheck`.
 * @returns how many files are new
 * @throws {StartError} with the compiler's message
 */
export async function buildNodePackages(): Promise<string> {
  // Not before the dependencies are there: the compiler is one of them.
  const { transpilePackages } = await import('@cord/build/transpile.ts');
  try {
    const written = await transpilePackages();
    return written === 0 ? 'unchanged' : `${written} files`;
  } catch (error) {
    throw new StartError(`the compiler found errors:\n${(error as Error).message}`);
  }
}

/**
 * Builds what changed of the shell and the modules (infra/build), in a process of its own: the bundler wants both cores.
 * @returns how many packages were built
 * @throws {StartError} with the build's messages
 */
export async function buildWeb(): Promise<string> {
  const args = [join(ROOT, 'infra/build/build.mjs'), '--web'];
  const output = await runNode(args, 'the web build failed');
  const built = output.split('\n').filter((line) => line.startsWith('built ')).length;
  return built === 0 ? 'unchanged' : `${built} built`;
}

/** @returns what it printed */
function runNode(args: readonly string[], complaint: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
    const chunks: Buffer[] = [];
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
