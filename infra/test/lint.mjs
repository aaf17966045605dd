// @ts-check
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ROOT } from '../dev/starter/paths.mjs';

/** Form and imports of the sources, with the arguments given; whether each package has one content; whether this release runs beside the recorded ones, what sdk and ui export, whether the data map is whole, and whether every citation and link leads somewhere. */
const CHECKS = [
  ['node_modules/@biomejs/biome/bin/biome', 'check', ...process.argv.slice(2)],
  ['--import', 'tsx', 'infra/test/packages.ts'],
  ['infra/cli/cord.mjs', 'contracts', 'check'],
  ['infra/cli/cord.mjs', 'exports', 'check'],
  ['--import', 'tsx', 'infra/build/data-map.ts', 'check'],
  ['--import', 'tsx', 'infra/test/links.ts'],
];

const outcomes = await Promise.all(
  CHECKS.map(async (args) => {
    const checking = spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
    const [status] = await once(checking, 'exit');
    return status === 0;
  }),
);
const failed = outcomes.filter((passed) => !passed).length;
console.log(`${CHECKS.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
