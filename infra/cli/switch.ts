import { Argument, Command, Option } from 'commander';
import { oneLine } from '../deploy/store/one-line.ts';
import { StartError } from '../dev/starter/problems.mjs';
import { userName } from '../dev/starter/user-name.ts';
import { built, dataDirOf, dataOption, type OfSystem, refusing, withData } from './system.ts';

interface OfSwitch extends OfSystem {
  why?: string;
}

/** `cord switch`: lists and changes the kill switches of a running or stopped system. */
export function switchCommand(): Command {
  const switches = new Command('switch')
    .summary('list, turn off or turn on kill switches')
    .description(
      'The kill switches of a running or stopped system. A change takes effect in every replica within a second.',
    );
  switches
    .command('list')
    .description('all switches, with who changed them and why')
    .addOption(dataOption())
    .action(refusing((options: OfSwitch) => operate('list', undefined, options)));
  for (const verb of ['off', 'on'] as const) {
    switches
      .command(verb)
      .description(`turns a switch ${verb}; the reason and the user of this machine are recorded in the audit log`)
      .addArgument(new Argument('<name>', 'claims, orders, signups, commission, or module.mfe_NAME'))
      .addOption(new Option('--why <text>', 'the reason; required'))
      .addOption(dataOption())
      .action(refusing((name: string, options: OfSwitch) => operate(verb, name, options)));
  }
  return switches;
}

async function operate(verb: 'list' | 'off' | 'on', name: string | undefined, options: OfSwitch): Promise<void> {
  const dataDir = dataDirOf(options);
  const { operateSwitch, SwitchRefused } = await built<typeof import('../../services/auth/switches/operator.ts')>(
    'services/auth/dist/switches/operator.js',
  );
  const by = userName();
  try {
    const lines = await withData(dataDir, 'auth', (auth) =>
      operateSwitch({ verb, name, why: options.why, by, ...auth }),
    );
    console.log(lines.map(oneLine).join('\n'));
  } catch (error) {
    throw error instanceof SwitchRefused ? new StartError(error.message) : error;
  }
}
