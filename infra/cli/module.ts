import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { moduleName } from '../build/module-name.ts';
import { noteHotReload } from '../deploy/live-shell.ts';
import { publish } from '../deploy/publish.ts';
import { endCanary, knownFacts, promote, startCanary } from '../deploy/store/canary.ts';
import { folderStore } from '../deploy/store/folder-store.ts';
import { Refused } from '../deploy/store/refused.ts';
import { lineNames, readJournal, readPointer, SHELL } from '../deploy/store/release-line.ts';
import { describeAuthor, rollBack, setFrozen } from '../deploy/store/releases.ts';
import { moduleStoreOf } from '../dev/starter/paths.mjs';
import { StartError } from '../dev/starter/problems.mjs';
import { type Running, runningSystem } from '../dev/starter/run-file.ts';
import { userName } from '../dev/starter/user-name.ts';
import { dataDirOf, dataOption, type OfSystem, refusing } from './system.ts';

interface OfModule extends OfSystem {
  why?: string;
}

interface OfPublish extends OfModule {
  canary?: number;
  force?: boolean;
}

type Store = ReturnType<typeof folderStore>;
type Line = Awaited<ReturnType<typeof readJournal>>[number];
/** The author and reason of a change, for the journal. */
interface Author {
  who: string;
  by: 'person';
  why: string;
}
/** The context of a command. */
interface At {
  store: Store;
  author: Author;
  running: Running | undefined;
}

/** `cord module`: manages releases of the shell and its modules (infra/deploy/README.md). */
export function moduleCommand(): Command {
  const modules = new Command('module')
    .summary('publish, roll back and list the shell and its modules')
    .description('Releases of the shell and its modules. The store is MODULE_STORE, else that of the data folder.');
  const name = () => new Argument('<name>', 'such as tasks, mfe-tasks or mfe_tasks, or shell').argParser(lineName);
  const verb = (text: string, description: string) => modules.command(text).description(description);
  const finish = (command: Command) =>
    command.addOption(new Option('--why <text>', 'the reason, for the journal')).addOption(dataOption());

  finish(
    verb('publish', 'builds a module, checks it, uploads it and switches to it')
      .addArgument(
        new Argument(
          '<module>',
          'a name as in the other commands, or a folder of another repository with its own build',
        ),
      )
      .addOption(new Option('--canary <share>', 'only for a share of the browsers, such as 0.1').argParser(shareOf))
      .addOption(
        new Option(
          '--force',
          'publishes a shell that modules in use do not fit: their areas show a notice until they are updated',
        ),
      ),
  ).action(
    acting(async (at: At, module: string, { canary, force }: OfPublish) =>
      publish(at.store, module, at.author, {
        running: at.running,
        share: canary,
        force: force === true,
        report: console.log,
      }),
    ),
  );
  verb(
    'publish-built',
    'publishes everything built here that was never published, shell included: for the first deployment',
  )
    .addOption(dataOption())
    .action(
      acting(async ({ store }) => {
        const { publishCheckout } = await import('../dev/starter/modules.ts');
        const published = await publishCheckout({ local: false, moduleStore: store.where }, console.log);
        console.log(`${store.where}: ${published}`);
      }),
    );
  finish(
    verb('rollback', 'switches to the previous version, further back each time, or to a named one')
      .addArgument(name())
      .argument('[version]', 'a version of the journal'),
  ).action(
    acting(async (at: At, module: string, version: string | undefined) =>
      printSwitch(at, module, await rollBack(at.store, module, version, at.author)),
    ),
  );
  verb('list', 'versions in use, with who and why; for one module its whole journal')
    .addArgument(new Argument('[name]', 'a module, or shell').argParser(lineName))
    .addOption(dataOption())
    .action(
      acting((at: At, module: string | undefined, options: OfModule) => {
        if (!at.running) console.log(`no system runs on ${dataDirOf(options)}`);
        return module ? listJournal(at.store, module) : listAll(at);
      }),
    );
  finish(
    verb('canary', 'serves a version of the journal to a share of the browsers; 0 ends it')
      .addArgument(name())
      .argument('<version>', 'a version of the journal')
      .addArgument(new Argument('<share>', '0.1 is a tenth, 1 is all').argParser(shareOf)),
  ).action(acting(canary));
  finish(verb('promote', 'serves the canary to all browsers').addArgument(name())).action(
    acting(async (at: At, module: string) => printSwitch(at, module, await promote(at.store, module, at.author))),
  );
  for (const [text, frozen, description] of [
    ['freeze', true, 'blocks publishing of a module until unfreeze; it can still be rolled back'],
    ['unfreeze', false, 'allows publishing again'],
  ] as const) {
    finish(verb(text, description).addArgument(name())).action(
      acting(async (at: At, module: string) => {
        const line = await setFrozen(at.store, module, frozen, at.author);
        if (line) console.log(`${module} is ${line.frozen ? 'frozen' : 'no longer frozen'}, at ${line.version}`);
      }),
    );
  }
  return modules;
}

/** Wraps an action: passes it the store and the author first, and prints a refusal as one message. */
function acting<Args extends unknown[]>(work: (at: At, ...args: Args) => Promise<unknown>) {
  return refusing(async (...args: Args) => {
    // Commander appends the options and the command to the arguments.
    const options = args.at(-2) as OfModule;
    const dataDir = dataDirOf(options);
    const running = await runningSystem(dataDir);
    const folder = moduleStoreOf({ MODULE_STORE: process.env.MODULE_STORE || running?.moduleStore }, dataDir);
    const author: Author = { who: userName(), by: 'person', why: options.why ?? '' };
    try {
      await work({ store: folderStore(folder), author, running }, ...args);
    } catch (error) {
      throw error instanceof Refused ? new StartError(error.message) : error;
    }
  });
}

/** Parses the name of a journal in the store. */
function lineName(text: string): string {
  const name = text === SHELL ? SHELL : moduleName(text);
  if (!name) throw new InvalidArgumentError(`${text} is not a module name.`);
  return name;
}

function shareOf(text: string): number {
  const share = Number(text);
  if (text.trim() === '' || !(share >= 0 && share <= 1))
    throw new InvalidArgumentError(`${text} is not a share: 0.1 is a tenth, 1 is all.`);
  return share;
}

async function canary({ store, author }: At, name: string, version: string, share: number): Promise<void> {
  const { canary: ended } = share === 0 ? ((await readPointer(store, name)) ?? {}) : {};
  if (ended && ended.version !== version) throw new StartError(`the canary of ${name} is ${ended.version}`);
  const line =
    share === 0
      ? await endCanary(store, name, author)
      : await startCanary(store, name, await knownFacts(store, name, version), share, author);
  if (!line) return;
  console.log(
    line.canary
      ? `${name} serves ${version} to a share of ${share}, ${line.version} to the others`
      : `${name} is at ${line.version} for all`,
  );
}

/** @param line of the journal; null only for a condition on the newest line, which no command uses */
async function printSwitch({ running }: At, name: string, line: Line | null): Promise<void> {
  if (line) console.log(`${name} is at ${line.version}; it was at ${line.from}`);
  await noteHotReload(running, [name], console.log);
}

async function listAll({ store, running }: At): Promise<void> {
  console.log(`shell and modules in ${store.where}`);
  const names = await lineNames(store);
  for (const name of names) {
    const line = (await readJournal(store, name)).at(-1);
    console.log(line ? `${name}  ${described(line)}` : `${name}  cannot be read`);
  }
  await noteHotReload(running, names, console.log);
}

async function listJournal(store: Store, name: string): Promise<void> {
  const journal = await readJournal(store, name);
  if (journal.length === 0) throw new StartError(`${name} was never published`);
  for (const line of journal) console.log(`${line.seq}  ${described(line)}`);
}

function described(line: Line): string {
  const { version, sdk, ui, size, frozen, canary: other } = line;
  const aside = other ? `  canary ${other.version} for ${other.share}` : '';
  return `${version}  sdk ${sdk}  ui ${ui}  ${((size ?? 0) / 1024).toFixed(1)} KiB  ${describeAuthor(line)}${frozen ? '  frozen' : ''}${aside}`;
}
