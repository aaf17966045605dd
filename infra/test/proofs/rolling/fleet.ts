import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../../../dev/starter/ports.ts';
import { answersOk } from '../../../dev/starter/probes.ts';
import { run } from '../../../dev/starter/run.ts';
import { SERVICES } from '../../../dev/starter/services.ts';
import { readSettings } from '../../../dev/starter/settings.ts';
import { type ProcessSpec, Supervised } from '../../../dev/starter/supervised.ts';
import { until } from '../../kit/until.ts';

const REPLICAS = 2;
const READY_MS_MAX = 90_000;

/**
 * A whole system with two replicas of each service, whose processes run the code of either release. NATS, streams and
 * environments are this release's, as in a rollout that begins with them.
 */
export class Fleet {
  /** Number of replaced processes. */
  replaced = 0;
  readonly origin: string;
  readonly dataDir: string;
  readonly #processes: Supervised[];
  readonly #halt: () => Promise<void>;

  private constructor(dataDir: string, processes: Supervised[], halt: () => Promise<void>) {
    this.dataDir = dataDir;
    this.#processes = processes;
    this.#halt = halt;
    this.origin = this.#gateway().spec.env.PUBLIC_ORIGIN ?? '';
  }

  /** @param root the tree of the services that run first */
  static async start(root: string): Promise<Fleet> {
    const dataDir = await mkdtemp(join(tmpdir(), 'cord-rolling-'));
    const env = { ...process.env, NODE_ENV: 'test', LOG_LEVEL: 'warn', RATE_LIMIT_SCALE: '0' };
    const flags = { port: '0', data: dataDir, replicas: String(REPLICAS), dev: false, help: false };
    const processes = beginningWith(root);
    const halt = await run(readSettings(flags, env), processes);
    return new Fleet(dataDir, processes, halt);
  }

  /**
   * Adds a gateway of that tree.
   * @returns its address
   */
  async addGateway(root: string): Promise<string> {
    const { spec } = this.#gateway();
    const [port, metricsPort] = await freePorts(2);
    // It needs its own origin: a gateway redirects requests for another host to its origin.
    const url = `http://localhost:${port}`;
    const gateway = new Supervised({
      ...spec,
      name: 'gateway-before',
      args: runningFrom(root, 'infra/gateway', spec.args),
      env: { ...spec.env, PORT: String(port), METRICS_PORT: String(metricsPort), PUBLIC_ORIGIN: url },
      logFile: join(this.dataDir, 'logs/gateway-before.log'),
      url,
      isReady: answersOk(`http://127.0.0.1:${metricsPort}/readyz`),
    });
    this.#processes.push(gateway);
    await gateway.start();
    return url;
  }

  /** Replaces one replica of each service by that tree's, in parallel. Each finishes its work first. */
  async roll(replica: number, root: string): Promise<void> {
    const leaving = this.#processes.filter(({ spec }) => spec.env.CORD_REPLICA === String(replica));
    await Promise.all(
      leaving.map(async (one) => {
        moveTo(root, one);
        const { pid = 0 } = one;
        process.kill(pid, 'SIGTERM');
        await until(
          `${one.spec.name} of ${root}`,
          async () => one.pid && one.pid !== pid && (await one.spec.isReady()),
          READY_MS_MAX,
        );
        this.replaced += 1;
      }),
    );
  }

  #gateway(): Supervised {
    const gateway = this.#processes.find(({ spec }) => spec.service === 'gateway');
    if (!gateway) throw new Error('no gateway is running');
    return gateway;
  }

  /** Stops in order, and removes the data. */
  async stop(): Promise<void> {
    await this.#halt();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}

/** A list that makes each added service run that tree's code. */
function beginningWith(root: string): Supervised[] {
  const processes: Supervised[] = [];
  processes.push = (one) => {
    if (one) moveTo(root, one);
    return Array.prototype.push.call(processes, one);
  };
  return processes;
}

/** A service that the tree lacks stays unchanged. */
function moveTo(root: string, { spec }: { spec: ProcessSpec }) {
  const folder = `services/${spec.service}`;
  if (!SERVICES.includes(spec.service) || !existsSync(join(root, folder))) return;
  spec.args = runningFrom(root, folder, spec.args);
}

/** Replaces `dist/main.js` in the arguments by that of the tree. */
function runningFrom(root: string, folder: string, args: readonly string[]): string[] {
  const main = args.find((arg) => arg.endsWith('/dist/main.js'));
  if (!main) throw new Error(`${args.join(' ')} runs no dist/main.js`);
  return args.map((arg) => (arg === main ? join(root, folder, 'dist/main.js') : arg));
}
