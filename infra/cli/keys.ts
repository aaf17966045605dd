import { Command } from 'commander';
import { commandEnvironment } from '../dev/starter/command-environment.ts';
import { StartError } from '../dev/starter/problems.mjs';
import { renewableSecrets } from '../dev/starter/services.ts';
import { userName } from '../dev/starter/user-name.ts';
import { built, dataDirOf, dataOption, type OfSystem, refusing, runsInMode, withData } from './system.ts';

/** `cord keys`: rotates and revokes keys of a running or stopped system. */
export function keysCommand(): Command {
  const keys = new Command('keys')
    .summary('rotate or revoke keys')
    .description('The keys of a running or stopped system.');
  for (const [verb, description] of [
    ['rotate', 'a new key replaces it; sessions stay valid'],
    ['revoke', 'for a leaked key: a new one replaces it at once, and what depends on the old one ends'],
  ] as const)
    keys
      .command(verb)
      .description(description)
      .argument('<name>', 'signing (the keys that sign sessions), KEY_ENCRYPTION_KEY or SESSION_SECRET')
      .addOption(dataOption())
      .action(refusing((key: string, options: OfSystem) => operate(verb, key, options)));
  return keys;
}

async function operate(verb: 'rotate' | 'revoke', name: string, options: OfSystem): Promise<void> {
  const dataDir = dataDirOf(options);
  const [{ KEY_NAMES, KeysRefused, NEVER_RENEWED, operateKeys }, { ConfigError }] = await Promise.all([
    built<typeof import('../../services/auth/keys/operator.ts')>('services/auth/dist/keys/operator.js'),
    import('@cord/kit/config'),
  ]);
  const never = Object.entries(NEVER_RENEWED).find(([known]) => known === name);
  if (never) throw new StartError(`${never.join(' ')}.`);
  const key = KEY_NAMES.find((known) => known === name);
  if (!key) throw new StartError(`unknown key ${name}. The keys are ${KEY_NAMES.join(', ')}.`);
  await runsInMode(dataDir, process.env);
  try {
    const by = userName();
    const done = await withData(dataDir, 'auth', async (auth) => {
      const given = commandEnvironment();
      const env = { ...given, ...(await renewableSecrets({ env: given, dataDir })) };
      return operateKeys({ verb, name: key, by, env, ...auth });
    });
    console.log(done);
  } catch (error) {
    throw error instanceof KeysRefused || error instanceof ConfigError ? new StartError(error.message) : error;
  }
}
