/** `npm run keys -- rotate | revoke NAME`: the keys of a running or stopped system. */
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { readCommand, runCommand } from './starter/commands.mjs';
import { ROOT } from './starter/paths.mjs';
import { StartError } from './starter/problems.mjs';
import { renewableSecrets } from './starter/services.mjs';
import { storeOf } from './starter/store-of.mjs';

const USAGE = `npm run keys -- rotate | revoke NAME   [--data DIR]
  NAME     signing (the keys that sign sessions), KEY_ENCRYPTION_KEY or SESSION_SECRET
  rotate   a new one takes its place while people sign in; nobody notices
  revoke   it has leaked: a new one takes its place at once, what hangs on the old one ends`;

await runCommand(async () => {
  const { words, dataDir } = readCommand(process.argv.slice(2), USAGE);
  const [verb, name, ...rest] = words;
  if (rest.length > 0 || name === undefined || (verb !== 'rotate' && verb !== 'revoke')) throw new StartError(USAGE);
  const [{ KEY_NAMES, KeysRefused, NEVER_RENEWED, operateKeys }, { connectStore }, kit, { isLocalMode, ConfigError }] =
    await Promise.all([
      import(join(ROOT, 'services/auth/dist/keys/operator.js')),
      import('@cord/kit/store'),
      import('@cord/kit/log'),
      import('@cord/kit/config'),
    ]);
  if (NEVER_RENEWED[name]) throw new StartError(`${name} ${NEVER_RENEWED[name]}.`);
  if (!KEY_NAMES.includes(name)) throw new StartError(`no key ${name}.\n\n${USAGE}`);
  const local = isLocalMode(process.env);
  const env = { ...process.env, ...(await renewableSecrets({ env: process.env, dataDir, local })) };
  const store = await storeOf(dataDir, process.env).catch((error) => {
    throw new StartError(error.message);
  });
  try {
    const clock = local ? (await import('@cord/kit/dev-clock')).loadDevClock(dataDir) : Date;
    const connection = await connectStore(store.uri, 'cord_auth', kit.createLogger('keys', 'fatal'));
    try {
      console.log(await operateKeys({ verb, name, by: userInfo().username, connection, env, now: () => clock.now() }));
    } finally {
      await connection.close();
    }
  } catch (error) {
    throw error instanceof KeysRefused || error instanceof ConfigError ? new StartError(error.message) : error;
  } finally {
    await store.close();
  }
});
