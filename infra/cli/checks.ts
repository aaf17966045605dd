import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { installDependencies } from '../dev/starter/install.mjs';

/** `cord contracts`: checks that releases are compatible (services/contracts/README.md). */
export function contractsCommand(): Command {
  const contracts = new Command('contracts')
    .summary('check or record the contracts of a release')
    .description('Checks that this release is compatible with the recorded ones.');
  contracts
    .command('check')
    .description('lists the release, message and field of each incompatibility')
    .action(checking(async () => (await import('../build/contracts.ts')).checkContracts()));
  contracts
    .command('record')
    .description('writes the messages of this release to services/contracts/history')
    .addArgument(new Argument('<release>', 'as in 2.0.0').argParser(releaseOf))
    .action(checking(async (release: string) => (await import('../build/contracts.ts')).recordContracts(release)));
  return contracts;
}

/** `cord exports`: checks the exports of @cord/sdk and @cord/ui. */
export function exportsCommand(): Command {
  const exported = new Command('exports')
    .summary('check or record the exports of @cord/sdk and @cord/ui')
    .description('The exports that the shell shares with modules of earlier builds.');
  exported
    .command('check')
    .description('checks that they are as recorded, or that the version was raised')
    .action(checking(async () => (await import('../build/exports.ts')).checkExports()));
  exported
    .command('record')
    .description('records them; fails if they changed and the version was not raised')
    .action(checking(async () => (await import('../build/exports.ts')).recordExports()));
  return exported;
}

/** `cord affected`: the packages that changed, and those that import them. */
export function affectedCommand(): Command {
  const affected = new Command('affected')
    .summary('lint, check, test or build what changed')
    .description(
      'Lists the packages that changed since a commit and those that import them, and runs the command for them only.',
    )
    .addArgument(new Argument('[command]').choices(['lint', 'types', 'test', 'build']));
  return affected.addOption(new Option('--base <ref>', 'the commit').env('AFFECTED_BASE').default('HEAD~1')).action(
    checking(async (command: 'lint' | 'types' | 'test' | 'build' | undefined, { base }: { base: string }) => {
      const { runAffected } = await import('../build/affected.ts');
      process.exitCode = runAffected(command, base);
    }),
  );
}

function releaseOf(text: string): string {
  if (!/^\d+\.\d+\.\d+$/.test(text)) throw new InvalidArgumentError('A release is three numbers, as in 2.0.0.');
  return text;
}

/** A failed check prints its findings and sets exit code 1. */
function checking<Args extends unknown[]>(work: (...args: Args) => unknown) {
  return async (...args: Args): Promise<void> => {
    try {
      await installDependencies({ development: true });
      await work(...args);
    } catch (error) {
      console.error((error as Error).message);
      process.exitCode = 1;
    }
  };
}
