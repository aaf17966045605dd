// @ts-check
/**
 * `npm test`: installs, builds, starts what the suites share, runs them, and ends with `N passed, N failed`. `npm test
 * -- NAME ...` runs those suites only. `--proof` (`npm run proof`) runs the proofs. `--of FOLDER ...` (`npm test -w
 * services/tasks`, `npx cord affected test`) runs the test files of these folders only.
 */
import { installDependencies } from '../dev/starter/install.mjs';
import { reachOwnMachine } from '../dev/starter/own-machine.mjs';
import { ROOT } from '../dev/starter/paths.mjs';
import { StartError } from '../dev/starter/problems.mjs';
import { ownTempFolder } from './temp-folder.mjs';

try {
  reachOwnMachine();
  if (/[#?]/.test(ROOT))
    throw new StartError(`Vite, which runs them, does not support # or ? in the path of the checkout: ${ROOT}`);
  await installDependencies({ development: true });
  ownTempFolder();
  const { register } = await import('tsx/esm/api');
  register();
  const { runSuites } = await import('./runner.ts');
  process.exitCode = await runSuites(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof StartError ? `the tests cannot start: ${error.message}` : error);
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
}
