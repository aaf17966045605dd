import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from '../../dev/starter/paths.mjs';
import { freePorts } from '../../dev/starter/ports.mjs';

const READY = /^CORD is ready at (\S+)$/m;
const START_MS_MAX = 240_000;
const STOP_MS_MAX = 15_000;

/**
 * Starts the whole system with `npm start`'s own starter in a folder of its own; by its channel it ends with this process.
 *
 * @param {string[]} [flags] further flags of `npm start`
 * @param {{root?: string, dataDir?: string, env?: NodeJS.ProcessEnv, node?: string}} [where] another tree of the code; data that is there already; more of the environment;
 *   the Node.js that runs all of it
 * @returns {Promise<System>}
 */
export async function startSystem(flags = [], where = {}) {
  const { root = ROOT, dataDir = await mkdtemp(join(tmpdir(), 'cord-system-')) } = where;
  const [port] = await freePorts(1);
  const args = ['infra/dev/start.mjs', '--port', String(port), '--data', dataDir, ...flags];
  const env = { ...process.env, NODE_ENV: 'test', LOG_LEVEL: 'warn', RATE_LIMIT_SCALE: '0', ...where.env };
  const stdio = ['ignore', 'pipe', 'pipe', 'ipc'];
  const child = spawn(where.node ?? process.execPath, args, { cwd: root, env, stdio });
  const system = new System(child, dataDir);
  await system.ready();
  return system;
}

export class System {
  origin = '';
  printed = '';

  constructor(child, dataDir) {
    this.child = child;
    this.dataDir = dataDir;
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        this.printed += chunk;
      });
    }
  }

  async ready() {
    for (const endMs = performance.now() + START_MS_MAX; performance.now() < endMs; await sleep(50)) {
      this.origin = READY.exec(this.printed)?.[1] ?? '';
      if (this.origin) return;
      if (this.child.exitCode !== null) break;
    }
    throw new Error(`the system did not become ready:\n${this.printed}`);
  }

  /** run.json: {origin, mongodbUri, natsUrl, services: {name: [{pid, url, metricsUrl}]}}. */
  async running() {
    return JSON.parse(await readFile(join(this.dataDir, 'run.json'), 'utf8'));
  }

  /** Whether every service is ready, as the gateway sees it. */
  async healthy() {
    try {
      return (await fetch(`${this.origin}/healthz`, { signal: AbortSignal.timeout(3_000) })).ok;
    } catch {
      return false;
    }
  }

  /** What the gateway says of every service, as text. */
  async health() {
    return fetch(`${this.origin}/healthz`).then((answer) => answer.text(), String);
  }

  /** Kills a process as a crash would, and waits until another has taken its place and everything is ready. @returns ms */
  async crash(name, msMax = 60_000) {
    const { pid } = (await this.running()).services[name][0];
    const startMs = performance.now();
    process.kill(pid, 'SIGKILL');
    for (; performance.now() - startMs < msMax; await sleep(100)) {
      const replaced = (await this.running()).services[name]?.[0]?.pid;
      if (replaced && replaced !== pid && (await this.healthy())) return performance.now() - startMs;
    }
    throw new Error(`${name} did not come back: ${await this.health()}\n${this.printed.slice(-4_000)}`);
  }

  /** Stops in order, and takes the data away. */
  async stop() {
    await this.halt();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  /** Stops in order; the data stays. */
  async halt() {
    if (this.child.exitCode === null) {
      this.child.kill('SIGINT');
      const kill = setTimeout(() => this.child.kill('SIGKILL'), STOP_MS_MAX);
      await once(this.child, 'exit');
      clearTimeout(kill);
    }
  }
}
