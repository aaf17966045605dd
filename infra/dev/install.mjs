/** What a developer's commands need beyond a start (`npm run lint`, `typecheck`, `storybook`, `affected`): installs what is missing of it. */
import { runCommand } from './starter/commands.mjs';
import { installDependencies } from './starter/install.mjs';

await runCommand(() => installDependencies({ development: true }));
