// @ts-check
/** What a developer's commands need beyond a start (`npm run lint`, `typecheck`, `storybook`, `affected`): installs what is missing of it. */
import { installDependencies } from './starter/install.mjs';
import { runCommand } from './starter/problems.mjs';

await runCommand(() => installDependencies({ development: true }));
