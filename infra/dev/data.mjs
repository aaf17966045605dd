/** `npm run data -- export FILE | import FILE | reset`: the data folder of a stopped system. */
import { resolve } from 'node:path';
import { exportData, importData, resetData } from './starter/archive.mjs';
import { readCommand, runCommand } from './starter/commands.mjs';
import { StartError } from './starter/problems.mjs';

const USAGE = `npm run data -- export FILE | import FILE | reset   [--data DIR]
  export   packs everything of a stopped system, secrets included, into FILE (for its owner only)
  import   unpacks FILE into an empty data folder
  reset    takes all data away`;

await runCommand(async () => {
  const { words, dataDir } = readCommand(process.argv.slice(2), USAGE);
  const [verb, file, ...rest] = words;
  const wantsFile = verb === 'export' || verb === 'import';
  if (rest.length > 0 || wantsFile !== (file !== undefined) || !(wantsFile || verb === 'reset'))
    throw new StartError(USAGE);
  if (process.env.MONGODB_URI && verb !== 'reset') {
    throw new StartError(
      'The documents are in the database at MONGODB_URI: use its own tools (mongodump, mongorestore).',
    );
  }
  if (verb === 'export') said('packed', await exportData(dataDir, resolve(file)));
  if (verb === 'import') said('unpacked', await importData(dataDir, resolve(file)));
  if (verb === 'reset') said('taken away', await resetData(dataDir));

  function said(what, entries) {
    console.log(`${what}: ${entries.join(', ') || 'nothing'} (${dataDir})`);
  }
});
