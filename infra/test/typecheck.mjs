import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../dev/starter/paths.mjs';

/** The three programs of types: what runs on Node, what runs in a browser, and the tests of the former. */
const PROGRAMS = [['-b'], ['-p', 'infra/build/tsconfig.web.json'], ['-p', 'infra/build/tsconfig.tests.json']];

const failed = PROGRAMS.filter((args) => {
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  return spawnSync(process.execPath, [tsc, ...args], { cwd: ROOT, stdio: 'inherit' }).status !== 0;
});
console.log(`${PROGRAMS.length - failed.length} passed, ${failed.length} failed`);
process.exitCode = failed.length > 0 ? 1 : 0;
