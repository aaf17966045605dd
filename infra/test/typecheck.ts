import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { moduleFolders } from '../build/built.ts';
import { ROOT } from '../dev/starter/paths.mjs';

/** The two programs of types: what runs in a browser, and what runs on Node with its tests. With folders given, those that they are in. */
const BROWSER = ['shell', 'storybook', ...moduleFolders()];
const inBrowser = (dir: string) => BROWSER.some((folder) => dir === folder || dir.startsWith(`${folder}/`));
const PROGRAMS = [
  { name: 'node', holds: (dir: string) => !inBrowser(dir) },
  { name: 'web', holds: inBrowser },
];
const dirs = process.argv.slice(2);
const wanted = PROGRAMS.filter(({ holds }) => dirs.length === 0 || dirs.some(holds));
/** Four checkers, the default, look at the types that they share four times; the two programs fill two cores by themselves. */
const ONE_CHECKER = ['--checkers', '1'];
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');

// Side by side: none reads what another writes.
const outcomes = await Promise.all(
  wanted.map(async ({ name }) => {
    const cache = `node_modules/.cache/types/${name}.tsbuildinfo`;
    const args = [TSC, '-p', `tsconfig.${name}.json`, '--incremental', '--tsBuildInfoFile', cache, ...ONE_CHECKER];
    const [status] = await once(spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit' }), 'exit');
    return status === 0;
  }),
);
const failed = outcomes.filter((passed) => !passed).length;
console.log(`${wanted.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
