/** `npm run module -- publish|rollback|list|freeze|unfreeze [NAME]`: modules of the front end, each shipped alone (README.md). */
import { userInfo } from 'node:os';
import { readCommand, runCommand } from '../dev/starter/commands.mjs';
import { readJson } from '../dev/starter/files.mjs';
import { StartError } from '../dev/starter/problems.mjs';
import { runFile } from '../dev/starter/run-file.mjs';
import { moduleStoreOf } from '../dev/starter/settings.mjs';
import { publish } from './publish.mjs';
import { folderStore } from './store/folder-store.mjs';
import { Refused } from './store/refused.mjs';
import { lineNames, readJournal } from './store/release-line.mjs';
import { rollBack, saidBy, setFrozen } from './store/releases.mjs';

const USAGE = `npm run module -- publish NAME|FOLDER | rollback NAME [VERSION] | list [NAME] | freeze NAME | unfreeze NAME   [--why TEXT] [--data DIR]
  publish    builds a module, uploads it and switches to it: NAME such as tasks, mfe-tasks or mfe_tasks
  rollback   switches to the version before, further back each time, or to VERSION
  list       what is in use, of whom and why; of NAME all that was
  freeze     has a module take no publish until unfreeze; it can still be rolled back
  --why      stands in the journal
  The store is MODULE_STORE, else that of the system that runs on the data folder (--data, CORD_DATA, .data).`;

/** How many words each may have, its own included. */
const VERBS = { publish: [2, 2], rollback: [2, 3], list: [1, 2], freeze: [2, 2], unfreeze: [2, 2] };

await runCommand(async () => {
  const { words, dataDir, values } = readCommand(process.argv.slice(2), USAGE, { why: { type: 'string' } });
  const [verb, given, version] = words;
  const [least, most] = VERBS[verb] ?? [1, 0];
  if (words.length < least || words.length > most) throw new StartError(USAGE);
  const running = await readJson(runFile(dataDir));
  const store = folderStore(
    process.env.MODULE_STORE ? moduleStoreOf(process.env) : (running?.moduleStore ?? moduleStoreOf({}, dataDir)),
  );
  const word = { who: userInfo().username, by: 'person', why: values.why ?? '' };
  try {
    if (verb === 'list') return given ? await listJournal(store, nameOf(given)) : await listAll(store);
    if (verb === 'publish') return await publish(store, given, word, running, console.log);
    if (verb === 'rollback') return said(await rollBack(store, nameOf(given), version, word), nameOf(given));
    const line = await setFrozen(store, nameOf(given), verb === 'freeze', word);
    console.log(`${nameOf(given)} is ${line.frozen ? 'frozen' : 'no longer frozen'}, at ${line.version}`);
  } catch (error) {
    throw error instanceof Refused ? new StartError(error.message) : error;
  }
});

/** A module's name in the store. */
function nameOf(text) {
  const short = text.replace(/^mfe[-_]/, '');
  if (!/^[a-z][a-z0-9]*$/.test(short)) throw new StartError(`${text} is no module's name`);
  return `mfe_${short}`;
}

function said({ version, from }, name) {
  console.log(`${name} is at ${version}; it was at ${from}`);
}

async function listAll(store) {
  console.log(`modules in ${store.where}`);
  for (const name of await lineNames(store)) {
    const line = (await readJournal(store, name)).at(-1);
    console.log(line ? `${name}  ${told(line)}` : `${name}  cannot be read`);
  }
}

async function listJournal(store, name) {
  const journal = await readJournal(store, name);
  if (journal.length === 0) throw new StartError(`${name} was never published`);
  for (const line of journal) console.log(`${line.seq}  ${told(line)}`);
}

function told(line) {
  const { version, sdk, ui, size, frozen } = line;
  return `${version}  sdk ${sdk}  ui ${ui}  ${(size / 1024).toFixed(1)} KiB  ${saidBy(line)}${frozen ? '  frozen' : ''}`;
}
