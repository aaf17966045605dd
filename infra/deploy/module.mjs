/** `npm run module -- publish|rollback|list|canary|promote|freeze|unfreeze [NAME]`: the shell and its modules, each shipped alone (README.md). */
import { userInfo } from 'node:os';
import { moduleName } from '../build/module-name.mjs';
import { readCommand, runCommand } from '../dev/starter/commands.mjs';
import { readJson } from '../dev/starter/files.mjs';
import { StartError } from '../dev/starter/problems.mjs';
import { runFile } from '../dev/starter/run-file.mjs';
import { moduleStoreOf } from '../dev/starter/settings.mjs';
import { publish } from './publish.mjs';
import { endCanary, knownFacts, promote, startCanary } from './store/canary.mjs';
import { folderStore } from './store/folder-store.mjs';
import { Refused } from './store/refused.mjs';
import { lineNames, readJournal, readPointer, SHELL } from './store/release-line.mjs';
import { rollBack, saidBy, setFrozen } from './store/releases.mjs';

const USAGE = `npm run module -- publish NAME|FOLDER [--canary SHARE] [--force] | rollback NAME [VERSION] | list [NAME]
               | canary NAME VERSION SHARE | promote NAME | freeze NAME | unfreeze NAME   [--why TEXT] [--data DIR]
  publish    builds a module, checks it, uploads it and switches to it: NAME such as tasks, mfe-tasks or mfe_tasks, or shell; or a FOLDER elsewhere
             with its own build; with --canary for a share of the browsers only;
             a shell that modules in use do not fit (their areas say so until they follow) only with --force
  rollback   switches to the version before, further back each time, or to VERSION
  canary     gives VERSION, which is in the journal, to a share of the browsers such as 0.1; 0 ends it
  promote    gives all browsers what is the canary
  list       what is in use, of whom and why; of NAME all that was
  freeze     blocks publishing of a module until unfreeze. It can still be rolled back
  --why      is recorded in the journal
  The store is MODULE_STORE, else that of the system that runs on the data folder (--data, CORD_DATA, .data).`;

/** How many words each may have, its own included. */
const VERBS = {
  publish: [2, 2],
  rollback: [2, 3],
  list: [1, 2],
  canary: [4, 4],
  promote: [2, 2],
  freeze: [2, 2],
  unfreeze: [2, 2],
};

await runCommand(async () => {
  const options = { why: { type: 'string' }, canary: { type: 'string' }, force: { type: 'boolean' } };
  const { words, dataDir, values } = readCommand(process.argv.slice(2), USAGE, options);
  const [verb, given, version, share] = words;
  const [least, most] = VERBS[verb] ?? [1, 0];
  if (words.length < least || words.length > most) throw new StartError(USAGE);
  const running = await readJson(runFile(dataDir));
  const store = folderStore(
    process.env.MODULE_STORE ? moduleStoreOf(process.env) : (running?.moduleStore ?? moduleStoreOf({}, dataDir)),
  );
  const word = { who: userInfo().username, by: 'person', why: values.why ?? '' };
  try {
    if (verb === 'list') {
      if (!running) console.log(`no system runs on ${dataDir}`);
      return given ? await listJournal(store, nameOf(given)) : await listAll(store);
    }
    if (verb === 'publish')
      return await publish(store, given, word, {
        running,
        share: shareOf(values.canary),
        force: values.force,
        say: console.log,
      });
    if (verb === 'canary') return await canary(store, nameOf(given), version, shareOf(share), word);
    if (verb === 'promote') return said(await promote(store, nameOf(given), word), nameOf(given));
    if (verb === 'rollback') return said(await rollBack(store, nameOf(given), version, word), nameOf(given));
    const line = await setFrozen(store, nameOf(given), verb === 'freeze', word);
    console.log(`${nameOf(given)} is ${line.frozen ? 'frozen' : 'no longer frozen'}, at ${line.version}`);
  } catch (error) {
    throw error instanceof Refused ? new StartError(error.message) : error;
  }
});

/** The name of a line in the store. */
function nameOf(text) {
  const name = text === SHELL ? SHELL : moduleName(text);
  if (!name) throw new StartError(`${text} is not a module name`);
  return name;
}

/** A share as it is written, such as 0.1; undefined where none is. */
function shareOf(text) {
  if (text === undefined) return undefined;
  const share = Number(text);
  if (text.trim() === '' || !(share >= 0 && share <= 1))
    throw new StartError(`${text} is not a share: 0.1 is a tenth, 1 is all`);
  return share;
}

async function canary(store, name, version, share, word) {
  const { canary: ended } = share === 0 ? ((await readPointer(store, name)) ?? {}) : {};
  if (ended && ended.version !== version) throw new StartError(`the canary of ${name} is ${ended.version}`);
  const line =
    share === 0
      ? await endCanary(store, name, word)
      : await startCanary(store, name, await knownFacts(store, name, version), share, word);
  console.log(
    line.canary
      ? `${name} gives ${version} to a share of ${share}; the others have ${line.version}`
      : `${name} is at ${line.version} for all`,
  );
}

function said({ version, from }, name) {
  console.log(`${name} is at ${version}; it was at ${from}`);
}

async function listAll(store) {
  console.log(`shell and modules in ${store.where}`);
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
  const { version, sdk, ui, size, frozen, canary: other } = line;
  const aside = other ? `  canary ${other.version} for ${other.share}` : '';
  return `${version}  sdk ${sdk}  ui ${ui}  ${(size / 1024).toFixed(1)} KiB  ${saidBy(line)}${frozen ? '  frozen' : ''}${aside}`;
}
