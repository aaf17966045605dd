import { Command } from 'commander';
import { migrateAll } from '../dev/starter/migrate.ts';
import { dataDirOf, dataOption, type OfSystem, refusing, withStore } from './system.ts';

/** `cord migrate`: migrates the data of a running or stopped system to this release. */
export function migrateCommand(): Command {
  return new Command('migrate')
    .summary('migrate the data to the schemas of this release')
    .description(
      'Creates missing indexes and migrates documents to the schemas of this release; after an abort, the next run continues. ' +
        'The previous release may run meanwhile; this one waits for the migration. npm start migrates by itself.',
    )
    .addOption(dataOption())
    .action(
      refusing(async (options: OfSystem) => {
        const print = (line: string) => console.log(line);
        const changed = await withStore(dataDirOf(options), ({ uri }) => migrateAll(uri, undefined, print));
        console.log(`${changed} documents changed; the data is migrated to this release`);
      }),
    );
}
