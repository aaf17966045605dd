import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { announce } from './announce.mjs';
import { buildNodePackages, buildWeb, moduleStore } from './build.mjs';
import { lockDataFolder } from './data-folder.mjs';
import { consoleProcess, gatewayProcess } from './edge.mjs';
import { restartOnChange, startHotReload } from './hot-reload.mjs';
import { natsBinary, ownNats, SETUP_USER, setUpTopology } from './nats.mjs';
import { freePorts, originPort } from './ports.mjs';
import { endLeftovers, RunFile, runFile } from './run-file.mjs';
import { installationSecrets, serviceProcess } from './services.mjs';
import { Shutdown } from './shutdown.mjs';
import { Steps } from './steps.mjs';
import { chooseStore } from './store.mjs';
import { Supervised } from './supervised.mjs';

/** The order in which processes are stopped: first who is called from outside, last who keeps the data. */
const STOP_ORDER = [
  ['gateway'],
  ['dev'],
  ['auth', 'mining', 'tasks', 'referrals', 'rewards', 'leaderboard'],
  ['nats'],
  ['store'],
];
const SERVICES = STOP_ORDER[2];

/**
 * Brings everything up, prints the address, and keeps it running until it is told to stop.
 * @param {ReturnType<import('./settings.mjs').readSettings>} settings
 * @throws {import('./problems.mjs').StartError} when it cannot; what had been started is stopped again
 */
export async function run(settings) {
  const startedMs = Date.now();
  const port = await originPort(settings.port, settings.host);
  const lock = await lockDataFolder(settings.dataDir);
  const processes = [];
  const shutdown = new Shutdown({ processes, order: STOP_ORDER, finish: () => leave(settings.dataDir, lock) });
  shutdown.listen();
  try {
    const system = await bringUp({ settings, port, processes, shutdown });
    announce({ ...system, settings, startedMs });
  } catch (error) {
    await shutdown.stop();
    throw error;
  }
}

async function leave(dataDir, lock) {
  await rm(runFile(dataDir), { force: true });
  await lock.release();
}

async function bringUp({ settings, port, processes, shutdown }) {
  const { dataDir, local, replicas } = settings;
  const publicOrigin = settings.publicOrigin ?? `http://localhost:${port}`;
  const logs = join(dataDir, 'logs');
  await mkdir(logs, { recursive: true, mode: 0o700 });
  const secrets = await installationSecrets(settings);
  const [storePort, natsPort, monitorPort, consolePort, metricsPort, ...servicePorts] = await freePorts(
    5 + SERVICES.length * replicas,
  );
  const say = (line) => console.log(`${new Date().toLocaleTimeString()}  ${line}`);
  const runState = new RunFile(dataDir, { origin: publicOrigin, mode: settings.mode }, processes);
  const launch = async (spec) => {
    if (shutdown.isStopping) return;
    const name = spec.name ?? spec.service;
    const onChange = () => runState.update();
    const process = new Supervised({ ...spec, name, logFile: join(logs, `${name}.log`), say, onChange });
    processes.push(process);
    await process.start();
  };

  const modules = await moduleStore(settings.env);
  let store;
  let natsUrlFor;
  let hotReload;
  const upstreams = {};

  const steps = new Steps()
    .add('What an earlier start left behind', [], async () => {
      const ended = await endLeftovers(dataDir);
      return ended === 0 ? 'nothing' : `${ended} processes ended`;
    })
    .add('Services compiled', [], buildNodePackages)
    .add('Shell and modules built', [], async () => {
      if (!settings.dev) return buildWeb(modules);
      hotReload = await startHotReload(settings, modules);
      shutdown.alsoClose(hotReload.close);
      return `${hotReload.remote?.name ?? 'the shell'} reloads while you type`;
    })
    .add('Document store', ['What an earlier start left behind', 'Services compiled'], async () => {
      store = await chooseStore({ env: settings.env, dataDir, port: storePort });
      runState.facts.mongodbUri = store.uri;
      if (store.process) {
        const url = `mongodb://127.0.0.1:${storePort}`;
        await launch({ service: 'store', url, env: storeEnv(), ...store.process });
      }
      return store.said;
    })
    .add('NATS with JetStream', ['What an earlier start left behind', 'Services compiled'], async () => {
      const given = settings.env.NATS_URL;
      runState.facts.natsUrl = given;
      natsUrlFor = () => given;
      if (given) return 'the server at NATS_URL';
      const nats = await ownNats({ dataDir, port: natsPort, monitorPort, binary: await natsBinary() });
      natsUrlFor = nats.urlFor;
      runState.facts.natsUrl = nats.url;
      const { command, args, isReady, url } = nats;
      await launch({
        service: 'nats',
        command,
        args,
        isReady,
        url,
        metricsUrl: `${nats.monitorUrl}/varz`,
        env: storeEnv(),
      });
      return command;
    })
    .add('Streams and buckets', ['NATS with JetStream'], () => setUpTopology(natsUrlFor(SETUP_USER), settings.env))
    .add('Services', ['Document store', 'Streams and buckets'], async () => {
      const ports = [...servicePorts];
      const specs = SERVICES.flatMap((service) =>
        Array.from({ length: replicas }, (_, index) => ({
          ...serviceProcess({
            service,
            port: ports.shift(),
            settings,
            secrets,
            mongodbUri: store.uri,
            natsUrl: natsUrlFor(service),
            publicOrigin,
          }),
          name: replicas === 1 ? service : `${service}-${index + 1}`,
        })),
      );
      for (const service of SERVICES) upstreams[service] = specs.filter((s) => s.service === service).map((s) => s.url);
      await Promise.all(specs.map(launch));
      return `${specs.length} processes`;
    });
  if (local) {
    steps.add('Console of /dev', ['Services compiled'], () =>
      launch(consoleProcess({ settings, port: consolePort, publicOrigin, secrets })),
    );
    upstreams.dev = [`http://127.0.0.1:${consolePort}`];
  }
  steps.add('Gateway', ['Services', 'Shell and modules built'], () =>
    launch(gatewayProcess({ settings, port, metricsPort, publicOrigin, upstreams, moduleStore: modules, hotReload })),
  );
  await steps.run();
  await runState.update();
  if (settings.dev) shutdown.alsoClose(restartOnChange(processes, say));
  return { publicOrigin, store };

  function storeEnv() {
    const { PATH, HOME, TMPDIR } = settings.env;
    return Object.fromEntries(Object.entries({ PATH, HOME, TMPDIR }).filter(([, value]) => value !== undefined));
  }
}
