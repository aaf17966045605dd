import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { natsBinary } from '../../../dev/starter/nats.ts';
import { freePorts } from '../../../dev/starter/ports.ts';
import { acceptsOn, hasEnded } from '../../../dev/starter/probes.ts';

const NAMES = ['one', 'two', 'three'];
const READY_MS_MAX = 30_000;

/** Three NATS servers on loopback that are one cluster with JetStream, each with data of its own. */
export class NatsCluster {
  /** All of them, as a deployment names them. */
  readonly url: string;
  readonly names = NAMES;
  readonly folder: string;
  readonly #binary: string;
  readonly #servers: readonly { name: string; port: number; routePort: number }[];
  readonly #children = new Map<string, ChildProcess>();

  static async start(): Promise<NatsCluster> {
    const folder = await mkdtemp(join(tmpdir(), 'cord-cluster-'));
    const cluster = new NatsCluster(folder, await natsBinary(), await freePorts(2 * NAMES.length));
    await Promise.all(NAMES.map((name) => cluster.startServer(name)));
    return cluster;
  }

  private constructor(folder: string, binary: string, ports: readonly number[]) {
    this.folder = folder;
    this.#binary = binary;
    this.#servers = NAMES.map((name, at) => ({ name, port: ports[at] ?? 0, routePort: ports[NAMES.length + at] ?? 0 }));
    this.url = this.#servers.map(({ port }) => `nats://127.0.0.1:${port}`).join(',');
  }

  /** Starts a server, or starts it again on its port and data. */
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
    await writeFile(join(folder, 'nats.conf'), JSON.stringify(config));
    const child = spawn(this.#binary, ['--config', join(folder, 'nats.conf')], { stdio: 'ignore' });
    this.#children.set(name, child);
    const untilMs = performance.now() + READY_MS_MAX;
    while (!(await acceptsOn(port)().catch(() => false))) {
      if (!child || hasEnded(child) || performance.now() > untilMs) throw new Error(`NATS ${name} does not start`);
      await sleep(50);
    }
  }

  /** kill -9, as a crash. */
  async kill(name: string): Promise<void> {
    const child = this.#children.get(name);
    if (!child || hasEnded(child)) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  async stop(): Promise<void> {
    for (const name of this.#children.keys()) await this.kill(name);
    await rm(this.folder, { recursive: true, force: true });
  }
}
