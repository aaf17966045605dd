import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { opsUrlOf } from '../../../services/kit/ops-port.mjs';
import { findBinary } from '../../dev/starter/binaries.ts';
import { migrateAll } from '../../dev/starter/migrate.ts';
import { ROOT } from '../../dev/starter/paths.mjs';
import { freePorts } from '../../dev/starter/ports.ts';
import { acceptsOn, answersOk } from '../../dev/starter/probes.ts';
import { chooseStore } from '../../dev/starter/store.ts';

const READY_MS_MAX = 60_000;

/** What a benchmark has started, in a folder of its own; `close` ends and removes it. */
export class Processes {
  #children = [];

  static async create() {
    const own = new Processes();
    own.folder = await mkdtemp(join(tmpdir(), 'cord-bench-'));
    return own;
  }

  /** Starts a process and waits until it is ready. */
  async start({ command, args, env = {}, isReady }) {
    const child = spawn(command, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
      cwd: ROOT,
    });
    this.#children.push(child);
    let said = '';
    child.stdout.on('data', (data) => {
      if (said.length < 10_000) said += data;
    });
    const untilMs = Date.now() + READY_MS_MAX;
    while (!(await isReady(() => said).catch(() => false))) {
      if (child.exitCode !== null) throw new Error(`${args.join(' ')} ended with code ${child.exitCode}: ${said}`);
      if (Date.now() > untilMs) throw new Error(`${args.join(' ')} was not ready in time: ${said}`);
      await sleep(50);
    }
    return { child, said: () => said };
  }

  /** Ends one process in order, so that it writes what it has to write. */
  async end({ child }) {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    const force = setTimeout(() => child.kill('SIGKILL'), 15_000);
    await exited;
    clearTimeout(force);
  }

  async close() {
    for (const child of this.#children.reverse()) await this.end({ child });
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** The store by the starter's own ladder; `child` when it was started here. @returns {Promise<{uri: string, said: string, child?: object}>} */
export async function startStore(own) {
  const [port] = await freePorts(1);
  const store = await chooseStore({ env: process.env, dataDir: own.folder, port });
  return store.process ? { ...store, ...(await own.start(store.process)), said: store.said } : store;
}

/** A NATS server with JetStream. @returns {Promise<string>} its address */
export async function startNats(own) {
  if (process.env.NATS_URL) return process.env.NATS_URL;
  const [port] = await freePorts(1);
  const command = await findBinary('nats-server');
  if (!command) throw new Error('nats-server is not on PATH; set NATS_URL');
  const args = [
    '-js',
    '-sd',
    join(own.folder, 'nats'),
    '-a',
    '127.0.0.1',
    '-p',
    String(port),
    '-l',
    join(own.folder, 'nats.log'),
  ];
  await own.start({ command, args, isReady: acceptsOn(port) });
  return `nats://127.0.0.1:${port}`;
}

/** A connection of the benchmark's own. The services' code is loaded only now, when it has been built. */
export async function connectTo(natsUrl) {
  const [{ connectNats }, { createLogger }] = await Promise.all([import('@cord/kit/nats'), import('@cord/kit/log')]);
  return connectNats({ NATS_URL: natsUrl }, 'bench', createLogger('bench', 'error'));
}

/**
 * A service of ours on a free port, its data migrated. Its limits stay at work, wide enough for one machine to play every user.
 *
 * @param {Processes} own
 * @param {{file: string, mongodbUri: string, natsUrl: string, port?: number, flags?: string[], env?: Record<string, string>,
 *   isReady?: () => Promise<boolean>}} what `file` from the root; ready by its own word where nothing else is said
 * @returns {Promise<{child: import('node:child_process').ChildProcess, said: () => string, url: string}>}
 */
export async function startService(own, { file, mongodbUri, natsUrl, port, flags = [], env = {}, isReady }) {
  port ??= (await freePorts(1))[0];
  const [, service] = /^services\/(\w+)\/dist\/main\.js$/.exec(file) ?? [];
  if (service) await migrateAll(mongodbUri, [{ service, main: join(ROOT, file) }]);
  const url = `http://127.0.0.1:${port}`;
  const { testCallerKey } = await import('@cord/kit/testing/signer');
  const started = await own.start({
    command: process.execPath,
    args: [...flags, join(ROOT, file)],
    env: {
      PORT: String(port),
      MONGODB_URI: mongodbUri,
      NATS_URL: natsUrl,
      CORD_DATA: own.folder,
      LOG_LEVEL: 'warn',
      RATE_LIMIT_SCALE: '100000',
      ...(service ? { CALLER_KEY: testCallerKey(service) } : {}),
      ...env,
    },
    isReady: isReady ?? answersOk(`${opsUrlOf(url)}/readyz`),
  });
  return { ...started, url };
}
