// @ts-check
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ROOT } from '../dev/starter/paths.mjs';

/** Checks of `npm run lint`: format, imports, lock file, compatibility with releases, exports, data map, links. */
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
