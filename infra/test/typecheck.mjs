import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { moduleFolders } from '../build/built.mjs';
import { ROOT } from '../dev/starter/paths.mjs';

/** The two programs of types: what runs in a browser, and what runs on Node with its tests. With folders given, those that they are in. */
const BROWSER = ['shell', 'storybook', ...moduleFolders()];
const inBrowser = (dir) => BROWSER.some((folder) => dir === folder || dir.startsWith(`${folder}/`));
const PROGRAMS = [
  { config: 'infra/build/tsconfig.node.json', holds: (dir) => !inBrowser(dir) },
  { config: 'infra/build/tsconfig.web.json', holds: inBrowser },
];
const dirs = process.argv.slice(2);
const wanted = PROGRAMS.filter(({ holds }) => dirs.length === 0 || dirs.some(holds));
// The native compiler checks in half the time; what reads sources by the compiler's interface (infra/build, storybook) stays with 5.9, which 7 does not have.
const TSC = join(ROOT, 'node_modules/typescript7/bin/tsc');

// Side by side: none reads what another writes.
const outcomes = await Promise.all(
  wanted.map(async ({ config }) => {
    const [status] = await once(spawn(process.execPath, [TSC, '-p', config], { cwd: ROOT, stdio: 'inherit' }), 'exit');
    return status === 0;
  }),
);
const failed = outcomes.filter((passed) => !passed).length;
console.log(`${wanted.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
