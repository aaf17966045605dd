/**
 * `node infra/deploy/publish-built.mjs [--data DIR]`: publishes into MODULE_STORE what lies built here and was never published there, the shell too: the
 * first modules of a deployment. What teams have published since stays.
 */
import { register } from 'tsx/esm/api';
import { readCommand, runCommand } from '../dev/starter/commands.mjs';
import { moduleStoreOf } from '../dev/starter/settings.mjs';

register();
const { publishCheckout } = await import('../dev/starter/modules.mjs');

await runCommand(async () => {
  const { dataDir } = readCommand(process.argv.slice(2), 'node infra/deploy/publish-built.mjs   [--data DIR]');
  const moduleStore = moduleStoreOf(process.env, dataDir);
  console.log(`${moduleStore}: ${await publishCheckout({ local: false, moduleStore }, console.log)}`);
});
