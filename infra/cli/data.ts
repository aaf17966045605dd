import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Argument, Command, Option } from 'commander';
import { isLocalMode } from '../../services/kit/config.ts';
import type { Backup } from '../dev/backup/read.ts';
import { commandEnvironment } from '../dev/starter/command-environment.ts';
import { ordersSocket, sendOrder } from '../dev/starter/orders.ts';
import { StartError } from '../dev/starter/problems.mjs';
import { resetData } from '../dev/starter/reset.ts';
import { dataDirOf, dataOption, type OfSystem, refusing, runsInMode, withStore } from './system.ts';

interface OfExport extends OfSystem {
  withSecrets?: boolean;
  erasuresOnly?: boolean;
  passphraseFile?: string;
}

interface OfImport extends OfSystem {
  withoutSecrets?: boolean;
  acceptDrift?: boolean;
  unverified?: boolean;
  yes?: boolean;
  erasures?: string;
  passphraseFile?: string;
}

/** The system that a command works on. */
interface Place {
  dataDir: string;
  env: NodeJS.ProcessEnv;
  /** Whether the environment selects local mode. */
  local: boolean;
  running: boolean;
}

const report = (line: string) => console.log(line);

/** `cord data`: exports, imports and removes the data of a running or stopped system. */
export function dataCommand(): Command {
  const data = new Command('data')
    .summary('export, import or remove all data')
    .description(
      'The data of a running or stopped system. A passphrase comes from --passphrase-file, BACKUP_PASSPHRASE, or the terminal.',
    );
  const file = (what: string) => new Argument('<file>', what);
  const passphrase = () => new Option('--passphrase-file <file>', 'a file with the passphrase for the keys');
  data
    .command('export')
    .description('writes a consistent snapshot of all data to a file; the system may be running')
    .addArgument(file('the new backup'))
    .addOption(
      new Option(
        '--with-secrets',
        'also the keys, encrypted with a passphrase, and data that needs them (address hashes)',
      ),
    )
    .addOption(new Option('--erasures-only', 'only the list of erased users, to import with an older backup'))
    .addOption(passphrase())
    .addOption(dataOption())
    .action(refusing(exportData));
  data
    .command('import')
    .description('replaces all data with a backup; the services pause meanwhile, and everyone must sign in again')
    .addArgument(file('the backup'))
    .addOption(new Option('--erasures <file>', 'an --erasures-only export made after the backup'))
    .addOption(new Option('--without-secrets', 'does not import the keys of the backup'))
    .addOption(new Option('--accept-drift', 'imports a ledger that does not add up'))
    .addOption(
      new Option('--unverified', 'imports a file that was made by another system, or changed after the export'),
    )
    .addOption(new Option('--yes', 'imports without confirmation, even if the backup has admins'))
    .addOption(passphrase())
    .addOption(dataOption())
    .action(refusing(importData));
  data
    .command('reset')
    .description('removes all data of a stopped system')
    .addOption(dataOption())
    .action(
      refusing(async (options: OfSystem) => {
        const { dataDir, env } = await placeOf(options);
        if (env.MONGODB_URI)
          throw new StartError(
            'MONGODB_URI is set: this would delete the secrets but keep the databases there. Drop the cord_* databases first, then run this command without MONGODB_URI.',
          );
        report(`removed: ${(await resetData(dataDir)).join(', ') || 'nothing'} (${dataDir})`);
      }),
    );
  return data;
}

async function placeOf(options: OfSystem): Promise<Place> {
  const dataDir = dataDirOf(options);
  const env = commandEnvironment();
  const running = await runsInMode(dataDir, env);
  return { dataDir, env, local: isLocalMode(env), running };
}

async function exportData(given: string, options: OfExport): Promise<void> {
  const file = resolve(given);
  const { dataDir, env, local } = await placeOf(options);
  const [{ exportTo, hashesIn }, { NEEDED_WITH_SECRETS, secretsOf }, { passphraseFrom }] = await Promise.all([
    import('../dev/backup/export.ts'),
    import('../dev/backup/keys.ts'),
    import('../dev/backup/secrets.ts'),
  ]);
  const passphrase = options.withSecrets ? await passphraseFrom(options.passphraseFile, env) : undefined;
  const erasuresOnly = options.erasuresOnly === true;
  await withStore(
    dataDir,
    async ({ uri }) => {
      const secrets = await secretsOf({ env, dataDir }, passphrase === undefined ? undefined : NEEDED_WITH_SECRETS);
      const manifest = await exportTo({
        file,
        uri,
        dataDir,
        local,
        secrets,
        ...(passphrase === undefined ? {} : { passphrase }),
        erasuresOnly,
        report,
      });
      const [accounts, mib] = [manifest.databases.mining?.accounts?.documents ?? 0, manifest.bytes / 1024 ** 2];
      const what = erasuresOnly ? `${hashesIn(manifest)} erased users` : `${accounts} accounts`;
      report(`exported ${what} of ${manifest.instant}, ${manifest.how}: ${file}, ${mib.toFixed(1)} MiB`);
    },
    env,
  );
}

async function importData(given: string, options: OfImport): Promise<void> {
  const file = resolve(given);
  const { dataDir, env, local, running } = await placeOf(options);
  const [{ Backup }, { passphraseFrom }, { importStopped }] = await Promise.all([
    import('../dev/backup/read.ts'),
    import('../dev/backup/secrets.ts'),
    import('../dev/backup/stopped.ts'),
  ]);
  const backup = await Backup.open(file);
  try {
    await confirmAdmins(backup, options.yes === true);
  } finally {
    await backup.close();
  }
  const isOpened = backup.manifest.secrets && !options.withoutSecrets;
  const passphrase = isOpened ? await passphraseFrom(options.passphraseFile, env) : undefined;
  const erasures = options.erasures && resolve(options.erasures);
  const { acceptDrift, unverified } = options;
  const order = { file, erasures, passphrase, acceptDrift, unverified, manifestHash: backup.manifestHash };
  if (!running) return report(await importStopped(order, { dataDir, env, local, report }));
  // Under `npm run dev` no process accepts orders.
  if (!(await stat(ordersSocket(dataDir)).catch(() => null)))
    throw new StartError('the running system accepts no commands: stop it, then import.');
  report(await sendOrder(dataDir, { verb: 'import', ...order }, report));
}

/** Shows the operator who becomes an admin by the import, before it runs. @throws {StartError} unless the answer is yes */
async function confirmAdmins(backup: Backup, isAgreed: boolean): Promise<void> {
  const { adminsIn } = await import('../dev/backup/read.ts');
  const admins = await adminsIn(backup);
  report(admins.length === 0 ? `${backup.path} has no admins` : `${backup.path} makes admins of:`);
  for (const { username, discordId } of admins) report(`  ${username} (Discord ${discordId})`);
  if (isAgreed || admins.length === 0) return;
  if (!process.stdin.isTTY)
    throw new StartError('an import that makes admins needs --yes, or a terminal to confirm it.');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question('Import it? (yes/no) ').finally(() => terminal.close());
  if (answer.trim() !== 'yes') throw new StartError('nothing was imported.');
}
