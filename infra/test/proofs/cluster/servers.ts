import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { natsBinary } from '../../../dev/starter/nats.ts';
import { freePorts } from '../../../dev/starter/ports.ts';
import { acceptsOn } from '../../../dev/starter/probes.ts';
import { endInOrder, type Started } from '../../../dev/starter/process-group.ts';
import { Processes } from '../../kit/processes.ts';

const NAMES = ['one', 'two', 'three'];
const READY_MS_MAX = 30_000;
const KILL_MS_MAX = 10_000;

/** A JetStream cluster of three NATS servers on loopback, each with its own data. */
export class NatsCluster {
  /** The addresses of all servers, as in a deployment. */
  readonly url: string;
  readonly names = NAMES;
  readonly folder: string;
  readonly #own: Processes;
  readonly #binary: string;
  readonly #servers: readonly { name: string; port: number; routePort: number }[];
  readonly #started = new Map<string, Started>();

  static async start(): Promise<NatsCluster> {
    const cluster = new NatsCluster(await Processes.create(), await natsBinary(), await freePorts(2 * NAMES.length));
    await Promise.all(NAMES.map((name) => cluster.startServer(name)));
    return cluster;
  }

  private constructor(own: Processes, binary: string, ports: readonly number[]) {
    this.#own = own;
    this.folder = own.folder;
    this.#binary = binary;
    this.#servers = NAMES.map((name, at) => ({ name, port: ports[at] ?? 0, routePort: ports[NAMES.length + at] ?? 0 }));
    this.url = this.#servers.map(({ port }) => `nats://127.0.0.1:${port}`).join(',');
  }

  /** Starts or restarts a server on its port and data. */
  async startServer(name: string): Promise<void> {
    const server = this.#servers.find((one) => one.name === name);
    if (!server) throw new Error(`there is no server ${name}`);
    const { port, routePort } = server;
    const folder = join(this.folder, name);
    await mkdir(folder, { recursive: true });
    const config = {
      server_name: name,
      listen: `127.0.0.1:${port}`,
      cluster: {
        name: 'cord',
        listen: `127.0.0.1:${routePort}`,
        routes: this.#servers.map((one) => `nats://127.0.0.1:${one.routePort}`),
      },
      jetstream: { store_dir: folder, max_memory_store: 64 * 1024 ** 2, max_file_store: 16 * 1024 ** 3 },
      logfile: join(folder, 'nats.log'),
    };
    const file = join(folder, 'nats.conf');
    await writeFile(file, JSON.stringify(config));
    const program = {
      command: this.#binary,
      args: ['--config', file],
      isReady: acceptsOn(port),
      withinMs: READY_MS_MAX,
    };
    this.#started.set(name, await this.#own.start(program));
  }

  /** Kills a server with -9, as a crash would. */
  async kill(name: string): Promise<void> {
    const started = this.#started.get(name);
    if (started) await endInOrder(started.child, 'SIGKILL', KILL_MS_MAX);
  }

  stop(): Promise<void> {
    return this.#own.close();
  }
}
