import { readFile } from 'node:fs/promises';
import { Command, Option } from 'commander';
import { StartError } from '../dev/starter/problems.mjs';
import { userName } from '../dev/starter/user-name.ts';
import { built, dataDirOf, dataOption, type OfSystem, refusing, withData } from './system.ts';

interface OfBegin extends OfSystem {
  reason: string;
  checkpoint?: string;
}

/** `cord log`: the log over the roots of days (services/mining/README.md#key-and-log). */
export function logCommand(): Command {
  const log = new Command('log')
    .summary('begin the log of the roots anew')
    .description('The log over the roots of days, of a running or stopped system.');
  log
    .command('begin')
    .description(
      'Begins the log anew, under another name: after a restore of older data, or with a new key where the former one is lost. Every ' +
        'browser that knows the log before shows its user that it was begun anew, when and why. The reason and the user of this machine ' +
        'stand in the audit log. It cannot be undone.',
    )
    .requiredOption('--reason <text>', 'why, as users read it: one line of up to 200 characters')
    .addOption(
      new Option(
        '--checkpoint <file>',
        'the last checkpoint that users saw, where the store has lost it: its three lines (the memo on Solana), or the signed note',
      ),
    )
    .addOption(dataOption())
    .action(refusing(begin));
  return log;
}

async function begin(options: OfBegin): Promise<void> {
  const [{ beginLog, BeginRefused }, { newestLog }, { openAuditLog }] = await Promise.all([
    built<typeof import('../../services/mining/roots/begin.ts')>('services/mining/dist/roots/begin.js'),
    built<typeof import('../../services/mining/roots/store.ts')>('services/mining/dist/roots/store.js'),
    import('@cord/kit/audit-log'),
  ]);
  const checkpoint = options.checkpoint === undefined ? undefined : await textOf(options.checkpoint);
  try {
    const text = await withData(dataDirOf(options), 'mining', async ({ connection, now }) =>
      beginLog(await newestLog(connection), {
        ...{ reason: options.reason, checkpoint, nowMs: now() },
        ...{ by: userName(), audit: openAuditLog(connection, { now }) },
      }),
    );
    console.log(text.trimEnd());
    console.log(
      '\nA log begins with this record. The next run of mining (every two minutes) signs it and makes a root.',
    );
  } catch (error) {
    throw error instanceof BeginRefused ? new StartError(error.message) : error;
  }
}

async function textOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: Error) => {
    throw new StartError(`--checkpoint: ${error.message}`);
  });
}
