import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ROOT } from '../dev/starter/paths.mjs';

/** The two programs of types: what runs on Node with its tests, and what runs in a browser. */
const PROGRAMS = [
  ['-p', 'infra/build/tsconfig.node.json'],
  ['-p', 'infra/build/tsconfig.web.json'],
];
// The native compiler checks in half the time; what reads sources by the compiler's interface (infra/build, storybook) stays with 5.9, which 7 does not have.
const TSC = join(ROOT, 'node_modules/typescript7/bin/tsc');

// Side by side: none reads what another writes.
const outcomes = await Promise.all(
  PROGRAMS.map(async (args) => {
    const [status] = await once(spawn(process.execPath, [TSC, ...args], { cwd: ROOT, stdio: 'inherit' }), 'exit');
    return status === 0;
  }),
);
const failed = outcomes.filter((passed) => !passed).length;
console.log(`${PROGRAMS.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
