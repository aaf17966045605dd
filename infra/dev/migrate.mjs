/** `npm run migrate`: brings the data of a running or stopped system to what this release needs. */
import { readCommand, runCommand } from './starter/commands.mjs';
import { migrateAll } from './starter/migrate.mjs';
import { StartError } from './starter/problems.mjs';
import { storeOf } from './starter/store-of.mjs';

const USAGE = `npm run migrate   [--data DIR]
  makes missing indexes and brings documents to this release's schemas; broken off, the next run goes on.
  The release before may run meanwhile; this one waits for it. npm start does the same by itself.`;

await runCommand(async () => {
  const { words, dataDir } = readCommand(process.argv.slice(2), USAGE);
  if (words.length > 0) throw new StartError(USAGE);
  const store = await storeOf(dataDir, process.env).catch((error) => {
    throw new StartError(error.message);
  });
  try {
    const changed = await migrateAll(store.uri, undefined, (line) => console.log(line));
    console.log(`${changed} documents changed; the data is as this release needs it`);
  } finally {
    await store.close();
  }
});
