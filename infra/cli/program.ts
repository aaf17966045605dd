import { Command } from 'commander';
import { auditCommand } from './audit.ts';
import { affectedCommand, contractsCommand, exportsCommand } from './checks.ts';
import { dataCommand } from './data.ts';
import { deadLettersCommand } from './dead-letters.ts';
import { manifestsCommand, secretsCommand } from './deployment.ts';
import { doctorCommand } from './doctor.ts';
import { keysCommand } from './keys.ts';
import { logCommand } from './log.ts';
import { migrateCommand } from './migrate.ts';
import { moduleCommand } from './module.ts';
import { serviceCommand } from './service.ts';
import { streamsCommand } from './streams.ts';
import { switchCommand } from './switch.ts';
import { verifyCommand } from './verify.ts';

/** The command line `npx cord <noun> <verb>`: one file per noun. */
export function program(): Command {
  const cord = new Command('cord')
    .description('Operates a CORD system. Its data folder is --data, else CORD_DATA, else .data.')
    .usage('<noun> <verb> [arguments] [options]')
    .helpCommand(false)
    .showHelpAfterError('--help shows the arguments and options.');
  for (const noun of [
    moduleCommand(),
    serviceCommand(),
    dataCommand(),
    keysCommand(),
    logCommand(),
    switchCommand(),
    migrateCommand(),
    deadLettersCommand(),
    streamsCommand(),
    auditCommand(),
    verifyCommand(),
    contractsCommand(),
    exportsCommand(),
    affectedCommand(),
    secretsCommand(),
    doctorCommand(),
    manifestsCommand(),
  ]) {
    cord.addCommand(inheriting(noun, cord));
  }
  return cord;
}

/** Commander copies settings only to commands that it creates itself. */
function inheriting(command: Command, parent: Command): Command {
  command.copyInheritedSettings(parent).hook('preSubcommand', refuseUnknown);
  for (const verb of command.commands) inheriting(verb, command);
  return command;
}

/** Refuses an unknown verb: commander would pass it to a noun's default verb as an extra argument. */
function refuseUnknown(noun: Command): void {
  const [verb = '-'] = noun.args;
  const verbs = noun.commands.map((one) => one.name());
  if (!verb.startsWith('-') && !verbs.includes(verb))
    noun.error(`error: unknown command '${verb}'. The commands are ${verbs.join(', ')}.`);
}

/**
 * Runs one command line.
 * @param argv as in `process.argv`. Exit code 1 for a refusal, shown as one message, or an error; `audit` also uses 2
 */
export async function run(argv: string[]): Promise<void> {
  await program().parseAsync(argv);
}
