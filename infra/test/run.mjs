/**
 * `npm test`: installs, builds, starts what the suites share, runs them in their order, and closes with
 * `N passed, N failed`. `npm test -- NAME ...` runs those suites only.
 */
import { installDependencies } from '../dev/starter/install.mjs';
import { StartError } from '../dev/starter/problems.mjs';
import { SUITES } from './suites.mjs';

const names = process.argv.slice(2);
const unknown = names.find((name) => !SUITES.some((suite) => suite.name === name));

try {
  if (unknown)
    throw new StartError(`there is no suite ${unknown}; there are ${SUITES.map(({ name }) => name).join(', ')}`);
  await installDependencies();
  const { runSuites } = await import('./suites-runner.mjs');
  process.exitCode = await runSuites(names.length > 0 ? SUITES.filter(({ name }) => names.includes(name)) : SUITES);
} catch (error) {
  console.error(error instanceof StartError ? `the tests cannot start: ${error.message}` : error);
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
}
