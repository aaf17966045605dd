/** `npm run service -- deploy|restart|rollback|list NAME`: services of a running system, each shipped alone (README.md). */
import { userInfo } from 'node:os';
import { readCommand, runCommand } from '../dev/starter/commands.mjs';
import { readJson } from '../dev/starter/files.mjs';
import { giveOrder } from '../dev/starter/orders.mjs';
import { ROOT } from '../dev/starter/paths.mjs';
import { StartError } from '../dev/starter/problems.mjs';
import { releaseStore } from '../dev/starter/releases.mjs';
import { runFile } from '../dev/starter/run-file.mjs';
import { SERVICES } from '../dev/starter/services.mjs';
import { builtService, CHECKOUT, uploadRelease } from './services/release.mjs';
import { Refused } from './store/refused.mjs';
import { readJournal } from './store/release-line.mjs';
import { saidBy } from './store/releases.mjs';

const USAGE = `npm run service -- deploy NAME [--from FOLDER] | restart NAME | rollback NAME [VERSION] | list [NAME]   [--why TEXT] [--ready S] [--watch S] [--data DIR]
  deploy     rolls a service of the running system to what the checkout has, or to what lies built in FOLDER (a service's folder, or a checkout)
  restart    rolls it to what it runs
  rollback   rolls it to the version before, further back each time, or to VERSION; the version "checkout" is what this checkout has built
  list       what runs, of whom and why; of NAME all that was
  --ready    a replica that is not ready after so many seconds (30) has the service go back by itself
  --watch    so does one that ends within so many seconds (5) of taking calls
  --why      is recorded in the journal
  NAME is one of ${SERVICES.join(', ')}.`;
const FLAGS = {
  from: { type: 'string' },
  why: { type: 'string' },
  ready: { type: 'string' },
  watch: { type: 'string' },
};
const READY_S = 30;
const WATCH_S = 5;
const SECONDS_MAX = 600;
/** How many words each may have, its own included. */
const VERBS = { deploy: [2, 2], restart: [2, 2], rollback: [2, 3], list: [1, 2] };

await runCommand(async () => {
  const { words, dataDir, values } = readCommand(process.argv.slice(2), USAGE, FLAGS);
  const [verb, service, version] = words;
  const [least, most] = VERBS[verb] ?? [1, 0];
  if (words.length < least || words.length > most || (values.from && verb !== 'deploy')) throw new StartError(USAGE);
  if (service && !SERVICES.includes(service))
    throw new StartError(`there is no service ${service}. There are ${SERVICES.join(', ')}.`);
  if (verb === 'list') return service ? listJournal(dataDir, service) : listAll(dataDir);
  const bounds = { readyMs: ms('--ready', values.ready, READY_S), watchMs: ms('--watch', values.watch, WATCH_S) };
  const running = await readJson(runFile(dataDir));
  if (!running)
    throw new StartError(`no system runs on ${dataDir}. Start it with npm start, or name its folder with --data.`);
  const order = { verb, service, version, who: userInfo().username, why: values.why, ...bounds };
  if (verb === 'deploy') order.version = await copied(dataDir, service, values.from);
  console.log(await giveOrder(dataDir, order, console.log));
});

/** Copies what is to be deployed among the releases. @returns {Promise<string>} its version */
async function copied(dataDir, service, from) {
  if (from === undefined) {
    const { transpilePackages } = await import('@cord/build/transpile.mjs');
    await transpilePackages({ packages: ['services/contracts', 'services/kit', `services/${service}`] });
  }
  try {
    const { version } = await uploadRelease(releaseStore(dataDir), await builtService(service, from ?? ROOT));
    return version;
  } catch (error) {
    throw error instanceof Refused ? new StartError(`${error.message}.`) : error;
  }
}

function ms(flag, text, otherwise) {
  const seconds = text === undefined ? otherwise : Number(text);
  if (!(seconds > 0 && seconds <= SECONDS_MAX))
    throw new StartError(`${flag} is "${text}", but must be seconds, above 0 and up to ${SECONDS_MAX}.`);
  return seconds * 1_000;
}

async function listAll(dataDir) {
  const store = releaseStore(dataDir);
  const running = await readJson(runFile(dataDir));
  console.log(`services in ${store.where}${running ? '' : '; none runs'}`);
  for (const name of SERVICES) {
    const line = (await readJournal(store, name)).at(-1);
    const replicas = running?.services[name] ?? [];
    const runs = running ? `  ${replicas.length} running${others(replicas, line)}` : '';
    console.log(`${name}  ${line ? told(line) : CHECKOUT}${runs}`);
  }
}

/** What runs beside what the journal says: while a service is rolled. */
function others(replicas, line) {
  const versions = new Set(
    replicas.map(({ version }) => version).filter((version) => version !== (line?.version ?? CHECKOUT)),
  );
  return versions.size > 0 ? `, also ${[...versions].join(', ')}` : '';
}

async function listJournal(dataDir, name) {
  const journal = await readJournal(releaseStore(dataDir), name);
  if (journal.length === 0) throw new StartError(`${name} was never deployed on ${dataDir}: it runs the checkout.`);
  for (const line of journal) console.log(`${line.seq}  ${told(line)}`);
}

function told(line) {
  return `${line.version}  ${(line.size / 1024).toFixed(0)} KiB  ${saidBy(line)}`;
}
