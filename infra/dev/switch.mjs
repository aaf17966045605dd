/** `npm run switch -- list | off NAME --why TEXT | on NAME --why TEXT`: the kill switches of a running or stopped system. */
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { readCommand, runCommand } from './starter/commands.mjs';
import { ROOT } from './starter/paths.mjs';
import { StartError } from './starter/problems.mjs';
import { storeOf } from './starter/store-of.mjs';

const USAGE = `npm run switch -- list | off NAME --why TEXT | on NAME --why TEXT   [--data DIR]
  NAME   claims, orders, signups, commission, or module.mfe_NAME
  off    holds in every replica within a second; why, and which user of this machine, stand in the audit log`;

await runCommand(async () => {
  const flags = { why: { type: 'string' } };
  const { words, values, dataDir } = readCommand(process.argv.slice(2), USAGE, flags);
  const [verb, name, ...rest] = words;
  if (rest.length > 0 || !['list', 'off', 'on'].includes(verb)) throw new StartError(USAGE);
  const [{ operateSwitch, SwitchRefused }, { connectStore }, { createLogger }, { isLocalMode }] = await Promise.all([
    import(join(ROOT, 'services/auth/dist/switches/operator.js')),
    import('@cord/kit/store'),
    import('@cord/kit/log'),
    import('@cord/kit/config'),
  ]);
  const store = await storeOf(dataDir, process.env).catch((error) => {
    throw new StartError(error.message);
  });
  try {
    const clock = isLocalMode(process.env) ? (await import('@cord/kit/dev-clock')).loadDevClock(dataDir) : Date;
    const connection = await connectStore(store.uri, 'cord_auth', createLogger('switch', 'fatal'));
    try {
      const by = userInfo().username;
      const lines = await operateSwitch({ verb, name, why: values.why, by, connection, now: () => clock.now() });
      console.log(lines.join('\n'));
    } finally {
      await connection.close();
    }
  } catch (error) {
    throw error instanceof SwitchRefused ? new StartError(error.message) : error;
  } finally {
    await store.close();
  }
});
