import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { moduleFolders } from '@cord/build/built.ts';
import { moduleName } from '@cord/build/module-name.ts';
import type { ImportOrder } from '../backup/import.ts';
import { buildNodePackages, buildWeb } from './build.ts';
import { importOrder } from './data-orders.ts';
import { consoleProcess, gatewayProcess, insideOf } from './gateway-process.ts';
import { type HotReload, restartOnChange, startHotReload } from './hot-reload.ts';
import { migrateAll } from './migrate.ts';
import { publishCheckout } from './modules.ts';
import { GATEWAY_USER, natsBinary, ownNats, RIGHTS_USER } from './nats.ts';
import { takeOrders } from './orders.ts';
import { PausedServices } from './paused-services.ts';
import { freePorts } from './ports.ts';
import { releasesToRun } from './releases.ts';
import { Fleet, type Release, type Replica } from './rolling-update.ts';
import { RunFile } from './run-file.ts';
import { hintOnBuiltModules } from './served-as-built.ts';
import { type ServiceOrder, serviceOrders } from './service-orders.ts';
import { installationSecrets, pick, SERVICES, serviceProcess } from './services.ts';
import type { Settings } from './settings.ts';
import type { Shutdown } from './shutdown.ts';
import { planSolana, type SolanaPlan } from './solana.ts';
import { Steps } from './steps.ts';
import { chooseStore, type Store } from './store.ts';
import { checkTopology, isStuck, SETUP_USER, setUpTopology } from './streams.ts';
import { type LaunchSpec, type ProcessSpec, Supervised } from './supervised.ts';
import { UpstreamsFile } from './upstreams.ts';

/** Names of steps that other steps wait for. */
const COMPILED = 'Services compiled';
const BUILT = 'Shell and modules built';
const PUBLISHED = 'Modules published';
const RELEASED = 'Releases of services';
const STORE = 'Document store';
const MIGRATED = 'Data migrated';
const NATS = 'NATS with JetStream';
const STREAMS = 'Streams and consumers';
const SOLANA = 'Solana runtime';

/** Everything that one `npm start` runs. Addresses are fixed first, so that each process gets the others'. */
export class System {
  readonly settings: Settings;
  readonly publicOrigin: string;
  readonly runFile: RunFile;
  /** Set once the store is chosen. */
  store!: Store;
  /** The Solana runtime of this machine, if any. */
  solana: SolanaPlan | null = null;
  readonly #port: number;
  readonly #processes: Supervised[];
  readonly #shutdown: Shutdown;
  readonly #dataDir: string;
  // Set by #plan(), which runs first.
  #ports!: { store: number; nats: number; console: number; metrics: number[] };
  #replicas!: (Replica & { url: string })[];
  #upstreams!: UpstreamsFile;
  #secrets!: Record<string, string>;
  #logs!: string;
  #hotReload: HotReload | undefined;
  #releases: Map<string, Release> | undefined;
  #natsUrlFor: (user: string) => string | undefined = () => undefined;

  constructor({
    settings,
    port,
    processes,
    shutdown,
  }: {
    settings: Settings;
    /** of the origin */
    port: number;
    /** each is added when it starts, in no order */
    processes: Supervised[];
    shutdown: Shutdown;
  }) {
    this.settings = settings;
    this.#port = port;
    this.#processes = processes;
    this.#shutdown = shutdown;
    this.#dataDir = settings.dataDir;
    this.publicOrigin = settings.publicOrigin ?? `http://localhost:${port}`;
    this.runFile = new RunFile(
      this.#dataDir,
      { origin: this.publicOrigin, mode: settings.mode, moduleStore: settings.moduleStore },
      processes,
    );
  }

  /**
   * Starts everything.
   * @throws {StartError}
   */
  async bringUp() {
    await this.#plan();
    const steps = new Steps()
      .add(COMPILED, [], buildNodePackages)
      .add(BUILT, [], () => this.#buildWeb())
      .add(PUBLISHED, [BUILT], () => publishCheckout(this.settings, report, this.#workedOn()))
      .add(RELEASED, [], () => this.#chooseReleases())
      .add(STORE, [COMPILED], () => this.#startStore())
      .add(NATS, [COMPILED], () => this.#startNats())
      .add(STREAMS, [NATS], () => this.#lookAfterStreams())
      .add(MIGRATED, [STORE, COMPILED, RELEASED], () => this.#migrate())
      .add('Services', [MIGRATED, STREAMS], () => this.#startServices());
    const { solana } = this;
    if (solana) steps.add(SOLANA, [COMPILED], () => this.#launch(solana.process).then(() => undefined));
    if (this.settings.local) steps.add('Console of /dev', [COMPILED], () => this.#launch(this.#console()));
    steps.add('Gateway', [COMPILED, PUBLISHED, NATS, 'Services'], () => this.#startGateway());
    await steps.run();
    await this.#takeOrders();
    if (this.settings.dev) this.#shutdown.alsoClose(restartOnChange(this.#processes, report));
  }

  /** Fixes ports, secrets and folders, which every process needs. */
  async #plan() {
    const { replicas, local, dev } = this.settings;
    this.#logs = join(this.#dataDir, 'logs');
    await mkdir(this.#logs, { recursive: true, mode: 0o700 });
    this.#secrets = await installationSecrets(this.settings);
    // Hot reload goes through one process.
    const gateways = dev ? 1 : replicas;
    const ports = await freePorts(4 + gateways + SERVICES.length * replicas);
    const [store = 0, nats = 0, console_ = 0, solana = 0, ...others] = ports;
    const [metrics, services] = [others.slice(0, gateways), others.slice(gateways)];
    this.#ports = { store, nats, console: console_, metrics };
    this.solana = await planSolana({ settings: this.settings, port: solana });
    this.#replicas = SERVICES.flatMap((service, at) =>
      services.slice(at * replicas, (at + 1) * replicas).map((port, index) => {
        const name = replicas === 1 ? service : `${service}-${index + 1}`;
        return { service, replica: index, name, port, url: `http://127.0.0.1:${port}` };
      }),
    );
    const urls: Record<string, string[]> = Object.fromEntries(
      SERVICES.map((service) => [
        service,
        this.#replicas.filter((one) => one.service === service).map(({ url }) => url),
      ]),
    );
    if (local) urls.dev = [`http://127.0.0.1:${console_}`];
    this.#upstreams = new UpstreamsFile(this.#dataDir, urls, metrics.map(insideOf));
  }

  async #buildWeb() {
    if (!this.settings.dev) return buildWeb();
    const hotReload = await startHotReload(this.settings);
    this.#hotReload = hotReload;
    this.#shutdown.alsoClose(() => hotReload.close());
    const built = moduleFolders().filter((dir) => moduleName(dir) !== hotReload.remote?.name);
    this.#shutdown.alsoClose(hintOnBuiltModules(built, report));
    return `hot reload of ${hotReload.remote?.name ?? 'the shell'}`;
  }

  async #chooseReleases() {
    if (this.settings.dev) return 'the checkout';
    this.#releases = await releasesToRun(this.settings, SERVICES, report);
    const deployed = [...this.#releases.values()].filter(({ version }) => version !== 'checkout').length;
    return deployed === 0 ? 'the checkout' : `the checkout, and ${deployed} deployed`;
  }

  /** Names of the hot-reloaded packages; always includes the shell. */
  #workedOn() {
    return this.#hotReload ? ['shell', this.#hotReload.remote?.name ?? 'shell'] : [];
  }

  async #startStore() {
    const port = this.#ports.store;
    this.store = await chooseStore({ env: this.settings.env, dataDir: this.#dataDir, port });
    this.runFile.facts.mongodbUri = this.store.address;
    if (this.store.process) {
      await this.#launch({
        service: 'store',
        url: `mongodb://127.0.0.1:${port}`,
        env: this.#bareEnv(),
        ...this.store.process,
      });
    }
    return this.store.description;
  }

  async #migrate() {
    const running = this.#releases && [...this.#releases].map(([service, { main }]) => ({ service, main }));
    const changed = await migrateAll(this.store.uri, running);
    return changed === 0 ? undefined : `${changed} documents changed`;
  }

  async #startNats() {
    const given = this.settings.env.NATS_URL;
    if (given) {
      this.runFile.facts.natsUrl = given;
      this.#natsUrlFor = (user) => (user === RIGHTS_USER ? undefined : given);
      return 'the server at NATS_URL';
    }
    const nats = await ownNats({ dataDir: this.#dataDir, port: this.#ports.nats, binary: await natsBinary() });
    this.runFile.facts.natsUrl = nats.url;
    this.#natsUrlFor = nats.urlFor;
    const stuck = () => isStuck(nats.urlFor(SETUP_USER));
    await this.#launch({ service: 'nats', env: this.#bareEnv(), metricsUrl: null, isStuck: stuck, ...nats });
    return nats.command;
  }

  /** Creates the streams of our own NATS before the services start; those of a NATS cluster are only checked. */
  #lookAfterStreams() {
    const { env, local } = this.settings;
    const theirs = env.NATS_URL && !local;
    return (theirs ? checkTopology : setUpTopology)(this.#natsUrlFor(SETUP_USER) ?? '', env);
  }

  async #startServices() {
    await Promise.all(
      this.#replicas.map((one) => this.#launch(this.#specOf({ ...one, release: this.#releases?.get(one.service) }))),
    );
    return `${this.#replicas.length} processes`;
  }

  /** Returns the specification of one replica of a service. */
  #specOf({ service, replica, name, port, release }: Replica): LaunchSpec & { name: string } {
    const { settings, publicOrigin, solana } = this;
    const [natsUrl = '', rightsUrl] = [this.#natsUrlFor(service), this.#natsUrlFor(RIGHTS_USER)];
    const common = {
      settings,
      secrets: this.#secrets,
      publicOrigin,
      solana,
      rightsUrl,
      natsUrl,
      mongodbUri: this.store.uriFor(service),
    };
    return { ...serviceProcess({ ...common, service, replica, port, release }), name };
  }

  /** Accepts orders to roll services and import data. Under `npm run dev` services run the checkout and follow its changes. */
  async #takeOrders() {
    const [releases, dataDir, processes, runFile] = [this.#releases, this.#dataDir, this.#processes, this.runFile];
    if (!releases) return;
    const fleet = new Fleet({
      processes,
      launch: (spec) => this.#launch(spec),
      specOf: (one) => this.#specOf(one),
      upstreams: this.#upstreams,
      runFile,
      report,
    });
    const rolling = serviceOrders({
      dataDir,
      releases,
      fleet,
      ownNats: !this.settings.env.NATS_URL,
      migrate: (service, { main }) => migrateAll(this.store.uri, [{ service, main }], report),
    });
    const pausedServices = new PausedServices({
      processes,
      runFile,
      renewSecrets: async () => {
        this.#secrets = await installationSecrets(this.settings);
      },
      startAgain: (spec) => this.#startAgain(spec),
    });
    const running = () => [...releases].map(([service, { main }]) => ({ service, main }));
    const importing = importOrder({ settings: this.settings, uri: this.store.uri, running, pausedServices });
    const obey = (order: ServiceOrder | ImportOrder, report: (line: string) => void) =>
      'file' in order ? importing(order, report) : rolling(order, report);
    try {
      this.#shutdown.alsoClose(await takeOrders(dataDir, obey));
    } catch (error) {
      // A system that cannot take orders still serves.
      report((error as Error).message);
    }
  }

  /** Restarts a process that was paused while data and keys were replaced. One that is late is kept running. */
  async #startAgain(spec: ProcessSpec) {
    const { service, name, env } = spec;
    const how = { keep: true };
    if (service === 'solana') return this.#launch(spec, how);
    if (service === 'dev') return this.#launch(this.#console(), how);
    const place = { replica: Number(env.CORD_REPLICA), port: Number(env.PORT) };
    return this.#launch(this.#specOf({ service, name, ...place, release: this.#releases?.get(service) }), how);
  }

  #console() {
    const { settings, publicOrigin } = this;
    const solanaUrl = this.solana?.process.url;
    const port = this.#ports.console;
    return consoleProcess({ settings, port, publicOrigin, secrets: this.#secrets, solanaUrl });
  }

  async #startGateway() {
    const { settings, publicOrigin } = this;
    await this.#upstreams.write();
    return this.#launch(
      gatewayProcess({
        settings,
        port: this.#port,
        metricsPorts: this.#ports.metrics,
        secrets: this.#secrets,
        publicOrigin,
        upstreamsFile: this.#upstreams.file,
        natsUrl: this.#natsUrlFor(GATEWAY_USER) ?? '',
        hotReload: this.#hotReload,
      }),
    );
  }

  async #launch(spec: LaunchSpec, how: { keep?: boolean } = {}): Promise<Supervised | undefined> {
    if (this.#shutdown.isStopping) return undefined;
    const name = spec.name ?? spec.service;
    const process = new Supervised({
      ...spec,
      name,
      logFile: join(this.#logs, `${name}.log`),
      report,
      onChange: () => this.runFile.update(),
    });
    this.#processes.push(process);
    await process.start(how);
    return process;
  }

  /** Environment of third-party programs: none of our settings. */
  #bareEnv() {
    return pick(this.settings.env, ['PATH', 'HOME', 'TMPDIR']);
  }
}

function report(line: string) {
  console.log(`${new Date().toLocaleTimeString()}  ${line}`);
}
