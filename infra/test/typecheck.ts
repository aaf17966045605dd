import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { moduleFolders } from '../build/built.ts';
import { ROOT } from '../dev/starter/paths.mjs';

/** The two type programs: browser code, and Node code with its tests. Given folders select their programs. */
const BROWSER = ['shell', 'storybook', ...moduleFolders()];
const inBrowser = (dir: string) => BROWSER.some((folder) => dir === folder || dir.startsWith(`${folder}/`));
const PROGRAMS = [
  { name: 'node', holds: (dir: string) => !inBrowser(dir) },
  { name: 'web', holds: inBrowser },
];
const dirs = process.argv.slice(2);
const wanted = PROGRAMS.filter(({ holds }) => dirs.length === 0 || dirs.some(holds));
/** The default of four checkers checks shared types four times; the two programs already use two cores. */
const ONE_CHECKER = ['--checkers', '1'];
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');

// In parallel: neither reads what the other writes.
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
