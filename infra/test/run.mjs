/**
 * `npm test`: installs, builds, starts what the suites share, runs them in their order, and closes with
 * `N passed, N failed`. `npm test -- NAME ...` runs those suites only. With `--proof` (`npm run proof`) the long forms.
 * `--of FOLDER ...` (`npm test -w services/tasks`, `npm run affected -- test`): the test files of these folders only, each as its suite runs it.
 */
import { relative, resolve } from 'node:path';
import { installDependencies } from '../dev/starter/install.mjs';
import { ROOT } from '../dev/starter/paths.mjs';
import { StartError } from '../dev/starter/problems.mjs';
import { PROOFS } from './proofs.mjs';
import { AT_ONCE, SUITES } from './suites.mjs';
import { ownTempFolder } from './temp-folder.mjs';

const words = process.argv.slice(2);
const proof = words[0] === '--proof';
const all = proof ? PROOFS : SUITES;
const folders = words[0] === '--of' ? words.slice(1).map(fromRoot) : undefined;
const names = proof ? words.slice(1) : folders ? [] : words;
const unknown = names.find((name) => !all.some((suite) => suite.name === name));

try {
  if (unknown)
    throw new StartError(`there is no suite ${unknown}; there are ${all.map(({ name }) => name).join(', ')}`);
  await installDependencies({ development: true });
  ownTempFolder();
  const { runSuites } = await import('./suites-runner.mjs');
  const chosen = names.length > 0 ? all.filter(({ name }) => names.includes(name)) : all;
  // A long form fills the machine by itself.
  process.exitCode = await runSuites(chosen, { among: all, atOnce: proof ? 1 : AT_ONCE, folders });
} catch (error) {
  console.error(error instanceof StartError ? `the tests cannot start: ${error.message}` : error);
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
}

/** A folder as the test files name theirs, wherever the command was given. */
function fromRoot(folder) {
  return relative(ROOT, resolve(folder)).replaceAll('\\', '/');
}
