import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ROOT } from '../dev/starter/paths.mjs';

/** The three programs of types: what runs on Node, what runs in a browser, and the tests of the former. */
const PROGRAMS = [['-b'], ['-p', 'infra/build/tsconfig.web.json'], ['-p', 'infra/build/tsconfig.tests.json']];
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');

// Side by side: none reads what another writes, the services were compiled before.
const outcomes = await Promise.all(
  PROGRAMS.map(async (args) => {
    const [status] = await once(spawn(process.execPath, [TSC, ...args], { cwd: ROOT, stdio: 'inherit' }), 'exit');
    return status === 0;
  }),
);
const failed = outcomes.filter((passed) => !passed).length;
console.log(`${PROGRAMS.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
