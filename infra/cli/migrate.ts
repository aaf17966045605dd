import { Command } from 'commander';
import { migrateAll } from '../dev/starter/migrate.ts';
import { dataDirOf, dataOption, type OfSystem, refusing, withStore } from './system.ts';

/** `cord migrate`: migrates the data of a running or stopped system to this release. */
export function migrateCommand(): Command {
  return new Command('migrate')
    .summary('bring the data to what this release needs')
    .description(
      'Makes missing indexes and brings documents to the schemas of this release; when it is broken off, the next run goes on. ' +
        'The release before may run meanwhile; this one waits for it. npm start does the same by itself.',
    )
    .addOption(dataOption())
    .action(
      refusing(async (options: OfSystem) => {
        const print = (line: string) => console.log(line);
        const changed = await withStore(dataDirOf(options), ({ uri }) => migrateAll(uri, undefined, print));
        console.log(`${changed} documents changed; the data is as this release needs it`);
      }),
    );
}
