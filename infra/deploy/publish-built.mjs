// @ts-check
/**
 * `node infra/deploy/publish-built.mjs [--data DIR]`: publishes into MODULE_STORE what lies built here and was never published there, the shell too: the
 * first modules of a deployment. What teams have published since stays.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { register } from 'tsx/esm/api';
import { moduleStoreOf } from '../dev/starter/paths.mjs';
import { runCommand } from '../dev/starter/problems.mjs';

register();
const { publishCheckout } = await import('../dev/starter/modules.ts');

await runCommand(async () => {
  const { values } = parseArgs({ options: { data: { type: 'string' } } });
  const moduleStore = moduleStoreOf(process.env, resolve(values.data ?? process.env.CORD_DATA ?? '.data'));
  console.log(`${moduleStore}: ${await publishCheckout({ local: false, moduleStore }, console.log)}`);
});
