import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { builtService, CHECKOUT, uploadRelease } from '../deploy/services/release.ts';
import { readJournal } from '../deploy/store/release-line.ts';
import { describeAuthor } from '../deploy/store/releases.ts';
import { sendOrder } from '../dev/starter/orders.ts';
import { ROOT } from '../dev/starter/paths.mjs';
import { StartError } from '../dev/starter/problems.mjs';
import { asStartError } from '../dev/starter/refusal.ts';
import { releaseStore } from '../dev/starter/releases.ts';
import { type RunningProcess, runningSystem } from '../dev/starter/run-file.ts';
import { SERVICES } from '../dev/starter/services.ts';
import { userName } from '../dev/starter/user-name.ts';
import { dataDirOf, dataOption, type OfSystem, refusing } from './system.ts';

const READY_S = 30;
const WATCH_S = 5;
const SECONDS_MAX = 600;

interface OfOrder extends OfSystem {
  why?: string;
  from?: string;
  /** Seconds. */
  ready: number;
  /** Seconds. */
  watch: number;
}

/** `cord service`: manages releases of a running system's services (infra/deploy/README.md). */
export function serviceCommand(): Command {
  const services = new Command('service')
    .summary('deploy, restart, roll back and list services')
    .description('Services of a running system. Each is deployed by its own rolling update.');
  const name = () => new Argument('<name>', SERVICES.join(', ')).argParser(serviceName);
  const verb = (text: string, description: string) => services.command(text).description(description);
  const order = (command: Command) =>
    command
      .addOption(new Option('--why <text>', 'the reason, for the journal'))
      .addOption(
        new Option('--ready <s>', 'rolls back when a new replica is not ready within this many seconds')
          .argParser(seconds)
          .default(READY_S),
      )
      .addOption(
        new Option('--watch <s>', 'rolls back when one exits within this many seconds of taking calls')
          .argParser(seconds)
          .default(WATCH_S),
      )
      .addOption(dataOption());

  order(
    verb('deploy', 'updates a service to the build of the checkout')
      .addArgument(name())
      .addOption(new Option('--from <folder>', "another build: a service's folder, or a checkout")),
  ).action(refusing((service: string, options: OfOrder) => give('deploy', service, undefined, options)));
  order(verb('restart', 'replaces its processes with new ones of the same version').addArgument(name())).action(
    refusing((service: string, options: OfOrder) => give('restart', service, undefined, options)),
  );
  order(
    verb('rollback', 'updates it to the previous version, further back each time, or to a named one')
      .addArgument(name())
      .argument('[version]', 'a version of the journal, or checkout: what this checkout has built'),
  ).action(
    refusing((service: string, version: string | undefined, options: OfOrder) =>
      give('rollback', service, version, options),
    ),
  );
  verb('list', 'running versions, with who and why; for one service its whole journal')
    .addArgument(new Argument('[name]', 'a service').argParser(serviceName))
    .addOption(dataOption())
    .action(
      refusing((service: string | undefined, options: OfSystem) =>
        service ? listJournal(dataDirOf(options), service) : listAll(dataDirOf(options)),
      ),
    );
  return services;
}

async function give(verb: string, service: string, version: string | undefined, options: OfOrder): Promise<void> {
  const dataDir = dataDirOf(options);
  if (!(await runningSystem(dataDir)))
    throw new StartError(`no system runs on ${dataDir}. Start it with npm start, or name its folder with --data.`);
  const bounds = { readyMs: options.ready * 1_000, watchMs: options.watch * 1_000 };
  const order = { verb, service, version, who: userName(), why: options.why, ...bounds };
  if (verb === 'deploy') order.version = await copied(dataDir, service, options.from);
  console.log(await sendOrder(dataDir, order, console.log));
}

/** Copies a build into the releases. @returns its version */
async function copied(dataDir: string, service: string, from: string | undefined): Promise<string> {
  if (from === undefined) {
    const { transpilePackages } = await import('../build/transpile.ts');
    await transpilePackages({ packages: ['services/contracts', 'services/kit', `services/${service}`] });
  }
  try {
    const { version } = await uploadRelease(releaseStore(dataDir), await builtService(service, from ?? ROOT));
    return version;
  } catch (error) {
    throw asStartError(error);
  }
}

function serviceName(text: string): string {
  if (!SERVICES.includes(text)) throw new InvalidArgumentError(`The services are ${SERVICES.join(', ')}.`);
  return text;
}

function seconds(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= SECONDS_MAX))
    throw new InvalidArgumentError(`It must be seconds, above 0 and up to ${SECONDS_MAX}.`);
  return value;
}

async function listAll(dataDir: string): Promise<void> {
  const store = releaseStore(dataDir);
  const running = await runningSystem(dataDir);
  console.log(`services in ${store.where}${running ? '' : '; none runs'}`);
  for (const name of SERVICES) {
    const line = (await readJournal(store, name)).at(-1);
    const replicas = running?.services[name] ?? [];
    const runs = running ? `  ${replicas.length} running${others(replicas, line?.version ?? CHECKOUT)}` : '';
    console.log(`${name}  ${line ? described(line) : CHECKOUT}${runs}`);
  }
}

/** Describes versions that run beside the journal's, as during a rolling update. */
function others(replicas: RunningProcess[], current: string): string {
  const versions = new Set(replicas.map(({ version }) => version).filter((version) => version !== current));
  return versions.size > 0 ? `, also ${[...versions].join(', ')}` : '';
}

async function listJournal(dataDir: string, name: string): Promise<void> {
  const journal = await readJournal(releaseStore(dataDir), name);
  if (journal.length === 0) throw new StartError(`${name} was never deployed on ${dataDir}: it runs the checkout.`);
  for (const line of journal) console.log(`${line.seq}  ${described(line)}`);
}

function described(line: Awaited<ReturnType<typeof readJournal>>[number]): string {
  return `${line.version}  ${((line.size ?? 0) / 1024).toFixed(0)} KiB  ${describeAuthor(line)}`;
}
