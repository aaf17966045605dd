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

/** What a benchmark or a test run has started, in a folder of its own; `close` ends and removes it. */
export class Processes {
  readonly folder: string;
  readonly #children: ChildProcess[] = [];

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async create(): Promise<Processes> {
    return new Processes(await mkdtemp(join(tmpdir(), 'cord-bench-')));
  }

  /** Starts a process and waits until it is ready; it shows its errors here. */
  async start(program: Program): Promise<Started> {
    const started = await startReady(program.args.join(' '), program, 'inherit');
    this.#children.push(started.child);
    return started;
  }

  /** Ends one process in order, so that it writes what it has to write. */
  end({ child }: Pick<Started, 'child'>): Promise<void> {
    return endInOrder(child, 'SIGTERM', STOP_MS_MAX);
  }

  async close(): Promise<void> {
    for (const child of this.#children.reverse()) await this.end({ child });
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** The store by the starter's own ladder; `child` when it was started here. */
export async function startStore(own: Processes): Promise<Store & Partial<Started>> {
  const [port] = await freePorts(1);
  const store = await chooseStore({ env: process.env, dataDir: own.folder, port });
  return store.process ? { ...store, ...(await own.start(store.process)) } : store;
}

/**
 * A NATS server with JetStream.
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

/** A connection of the benchmark's own. The services' code is loaded only now, when it has been built. */
export async function connectTo(natsUrl: string): Promise<Nats> {
  const [{ connectNats }, { createLogger }] = await Promise.all([import('@cord/kit/nats'), import('@cord/kit/log')]);
  return connectNats({ NATS_URL: natsUrl }, 'bench', createLogger('bench', 'error'));
}

/**
 * A service of ours on a free port, its data migrated. Its limits stay at work, wide enough for one machine to play every user.
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
