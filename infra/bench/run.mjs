/** `npm run bench -- NAME [-- FLAGS]`: runs infra/bench/NAME.mjs, with everything installed and compiled. */
import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { buildNodePackages } from '../dev/starter/build.ts';
import { installDependencies } from '../dev/starter/install.mjs';
import { ROOT } from '../dev/starter/paths.mjs';
import { runCommand, StartError } from '../dev/starter/problems.mjs';

await runCommand(async () => {
  // As npm hands it on: `npm run bench -- saves -- --replicas 2` and `npm run bench -- saves --replicas 2` are the same.
  const [name, ...args] = process.argv.slice(2).filter((arg) => arg !== '--');
  const names = await benchmarks();
  if (!names.includes(name)) throw new StartError(`npm run bench -- NAME, NAME of ${names.join(', ')}`);
  await installDependencies({ development: true });
  await buildNodePackages();
  const child = spawn(process.execPath, ['--import', 'tsx', `${import.meta.dirname}/${name}.mjs`, ...args], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  process.exitCode = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
});

/** Each benchmark is a file of its own in this folder. */
async function benchmarks() {
  const files = await readdir(import.meta.dirname);
  return files
    .filter((file) => file.endsWith('.mjs') && file !== 'run.mjs')
    .map((file) => file.slice(0, -'.mjs'.length));
}
