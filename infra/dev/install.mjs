// @ts-check
/** Installs the dependencies of developer commands (`npm run lint`, `typecheck`, `storybook`, `affected`). */
import { installDependencies } from './starter/install.mjs';
import { runCommand } from './starter/problems.mjs';

await runCommand(() => installDependencies({ development: true }));
