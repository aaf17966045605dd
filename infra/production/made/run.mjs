/** `npm run manifests [-- check]`: writes, or compares, what of the files here is made from the manifests of the services. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buildNodePackages } from '../../dev/starter/build.mjs';
import { readCommand, runCommand } from '../../dev/starter/commands.mjs';
import { StartError } from '../../dev/starter/problems.mjs';

const USAGE = 'npm run manifests [-- check]';
const FOLDER = join(import.meta.dirname, '..');

await runCommand(async () => {
  const { words } = readCommand(process.argv.slice(2), USAGE);
  if (words.length > 1 || (words.length === 1 && words[0] !== 'check')) throw new StartError(USAGE);
  await buildNodePackages();
  const { madeFiles } = await import('./files.mjs');
  const differing = [];
  for (const [path, text] of await madeFiles()) {
    const file = join(FOLDER, path);
    if ((await readFile(file, 'utf8').catch(() => undefined)) === text) continue;
    differing.push(path);
    if (words.length > 0) continue;
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  if (words.length > 0 && differing.length > 0)
    throw new StartError(`not as the manifests say: ${differing.join(', ')}. Run npm run manifests.`);
  console.log(differing.length === 0 ? 'as the manifests say' : `written: ${differing.join(', ')}`);
});
