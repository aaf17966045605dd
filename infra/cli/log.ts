import { readFile } from 'node:fs/promises';
import type { AuditLog } from '@cord/kit/audit-log';
import { Command, Option } from 'commander';
import type { RootStore } from '../../services/mining/roots/store.ts';
import { StartError } from '../dev/starter/problems.mjs';
import { userName } from '../dev/starter/user-name.ts';
import { built, dataDirOf, dataOption, type OfSystem, refusing, withData } from './system.ts';

interface OfBegin extends OfSystem {
  reason: string;
  checkpoint?: string;
}

/** The actions on a log, and their dependencies. */
interface LogActs {
  beginLog: typeof import('../../services/mining/roots/begin.ts').beginLog;
  continueLog: typeof import('../../services/mining/roots/begin.ts').continueLog;
  store: RootStore;
  nowMs: number;
  by: string;
  audit: AuditLog;
}

interface OfContinue extends OfSystem {
  checkpoint?: string;
  none?: boolean;
}

/** `cord log`: works on the log of the ledger's daily roots (services/mining/README.md#key-and-log). */
export function logCommand(): Command {
  const log = new Command('log')
    .summary('continue the log of roots after a restore, or begin it anew')
    .description('The log of the daily roots of a running or stopped system.');
  log
    .command('begin')
    .description(
      'Begins the log anew, under another name: after a restore of older data, or with a new key if the previous one is lost. Every ' +
        'browser that knows the previous log shows its user when and why it was begun anew. The reason and the user of this machine ' +
        'are recorded in the audit log. It cannot be undone.',
    )
    .requiredOption('--reason <text>', 'why, as users read it: one line of up to 200 characters')
    .addOption(
      new Option(
        '--checkpoint <file>',
        'the last checkpoint that users saw, if the store has lost it, also one of a later log (".../ledger/2"): its three lines (the memo ' +
          'on Solana), or the signed note',
      ),
    )
    .addOption(dataOption())
    .action(refusing(begin));
  log
    .command('continue')
    .description(
      'Continues a log restored from a backup: confirms that users saw no later records. Until then no root is made. The user of this ' +
        'machine is recorded in the audit log. If users saw later records, import a newer backup or begin the log anew.',
    )
    .option(
      '--checkpoint <file>',
      'the newest checkpoint outside this system, from the memo on Solana, a witness or a user: its three lines, or the signed note',
    )
    .addOption(
      new Option(
        '--none',
        'no checkpoint of this log exists outside: none was published before the data was lost',
      ).conflicts('checkpoint'),
    )
    .addOption(dataOption())
    .action(refusing(goOn));
  return log;
}

/** Runs an action on the newest log of a system. @throws {StartError} when the action is refused */
async function withLog<T>(options: OfSystem, act: (parts: LogActs) => Promise<T>): Promise<T> {
  const [{ beginLog, continueLog, LogRefused }, { newestLog }, { openAuditLog }] = await Promise.all([
    built<typeof import('../../services/mining/roots/begin.ts')>('services/mining/dist/roots/begin.js'),
    built<typeof import('../../services/mining/roots/store.ts')>('services/mining/dist/roots/store.js'),
    import('@cord/kit/audit-log'),
  ]);
  try {
    return await withData(dataDirOf(options), 'mining', async ({ connection, now }) => {
      const store = await newestLog(connection);
      return act({
        store,
        nowMs: now(),
        by: userName(),
        audit: openAuditLog(connection, { now }),
        beginLog,
        continueLog,
      });
    });
  } catch (error) {
    throw error instanceof LogRefused ? new StartError(error.message) : error;
  }
}

async function begin(options: OfBegin): Promise<void> {
  const { reason } = options;
  const checkpoint = options.checkpoint === undefined ? undefined : await textOf(options.checkpoint);
  const text = await withLog(options, ({ beginLog, store, ...by }) => beginLog(store, { reason, checkpoint, ...by }));
  console.log(text.trimEnd());
  console.log(
    '\nThe log begins with this record. The next run of mining (every two minutes) signs it and makes a root.',
  );
}

async function goOn(options: OfContinue): Promise<void> {
  if (options.checkpoint === undefined && !options.none)
    throw new StartError('--checkpoint FILE is missing; --none confirms that no checkpoint exists outside.');
  const checkpoint = options.checkpoint === undefined ? null : await textOf(options.checkpoint);
  await withLog(options, ({ continueLog, store, ...by }) => continueLog(store, { checkpoint, ...by }));
  console.log('The log continues. The next run of mining (every two minutes) makes the root that is due.');
}

async function textOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: Error) => {
    throw new StartError(`--checkpoint: ${error.message}`);
  });
}
