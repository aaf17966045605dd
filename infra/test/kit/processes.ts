import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServiceName } from '@cord/contracts/endpoint';
import type { Nats } from '@cord/kit/nats';
import { opsUrlOf } from '../../../services/kit/ops-port.ts';
import { findBinary } from '../../dev/starter/binaries.ts';
import { migrateAll } from '../../dev/starter/migrate.ts';
import { ROOT } from '../../dev/starter/paths.mjs';
import { freePorts } from '../../dev/starter/ports.ts';
import { acceptsOn, answersOk } from '../../dev/starter/probes.ts';
import { endInOrder, type Program, type Started, startReady } from '../../dev/starter/process-group.ts';
import { chooseStore, type Store } from '../../dev/starter/store.ts';

const STOP_MS_MAX = 15_000;

/** Processes of a benchmark or test run, and their folder; `close` ends and removes all. */
export class Processes {
  readonly folder: string;
  readonly #children: ChildProcess[] = [];

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async create(): Promise<Processes> {
    return new Processes(await mkdtemp(join(tmpdir(), 'cord-bench-')));
  }

  /** Starts a process and waits until it is ready; its stderr appears here. */
  async start(program: Program): Promise<Started> {
    const started = await startReady(program.args.join(' '), program, 'inherit');
    this.#children.push(started.child);
    return started;
  }

  /** Stops one process in order, so that it can flush its data. */
  end({ child }: Pick<Started, 'child'>): Promise<void> {
    return endInOrder(child, 'SIGTERM', STOP_MS_MAX);
  }

  async close(): Promise<void> {
    for (const child of this.#children.reverse()) await this.end({ child });
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Starts the store that `npm start` would choose; `child` is set when it was started here. */
export async function startStore(own: Processes): Promise<Store & Partial<Started>> {
  const [port] = await freePorts(1);
  const store = await chooseStore({ env: process.env, dataDir: own.folder, port });
  return store.process ? { ...store, ...(await own.start(store.process)) } : store;
}

/**
 * Starts a NATS server with JetStream, unless NATS_URL names one.
 * @returns its address
 */
export async function startNats(own: Processes): Promise<string> {
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

/** Connects the benchmark to NATS. Imports the services' code here, after it has been built. */
export async function connectTo(natsUrl: string): Promise<Nats> {
  const [{ connectNats }, { createLogger }] = await Promise.all([import('@cord/kit/nats'), import('@cord/kit/log')]);
  return connectNats({ NATS_URL: natsUrl }, 'bench', createLogger('bench', 'error'));
}

/**
 * Migrates and starts a service on a free port. Its rate limits stay on, wide enough for one machine to play every user.
 * @param what `file` from the root; ready once it reports so, unless given otherwise
 */
export async function startService(
  own: Processes,
  {
    file,
    mongodbUri,
    natsUrl,
    port,
    flags = [],
    env = {},
    isReady,
  }: {
    file: string;
    mongodbUri: string;
    natsUrl: string;
    port?: number;
    flags?: string[];
    env?: Record<string, string>;
    isReady?: Program['isReady'];
  },
): Promise<Started & { url: string }> {
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
      ...(service ? { CALLER_KEY: testCallerKey(service as ServiceName) } : {}),
      ...env,
    },
    isReady: isReady ?? answersOk(`${opsUrlOf(url)}/readyz`),
  });
  return { ...started, url };
}
