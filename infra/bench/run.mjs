// @ts-check
/** `npm run bench -- NAME [-- FLAGS]`: installs and compiles everything, then runs infra/bench/NAME.ts. */
import { readdir } from 'node:fs/promises';
import { installDependencies } from '../dev/starter/install.mjs';
import { runCommand, StartError } from '../dev/starter/problems.mjs';

await runCommand(async () => {
  // Drops `--`, so `npm run bench -- saves -- --replicas 2` and `npm run bench -- saves --replicas 2` are the same.
  const [name = '', ...args] = process.argv.slice(2).filter((arg) => arg !== '--');
  const files = await readdir(import.meta.dirname);
  const names = files.filter((file) => /^\w+\.ts$/.test(file)).map((file) => file.slice(0, -'.ts'.length));
  if (!names.includes(name)) throw new StartError(`npm run bench -- NAME, where NAME is one of ${names.join(', ')}`);
  await installDependencies({ development: true });
  const { register } = await import('tsx/esm/api');
  register();
  const { buildNodePackages } = await import('../dev/starter/build.ts');
  await buildNodePackages();
  process.argv.splice(2, Number.POSITIVE_INFINITY, ...args);
  await import(`./${name}.ts`);
});
