import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from '../../dev/starter/paths.mjs';
import { hasEnded } from '../../dev/starter/probes.ts';
import { endInOrder } from '../../dev/starter/process-group.ts';

const READY = /^CORD is ready at (\S+)$/m;
const START_MS_MAX = 240_000;
const STOP_MS_MAX = 60_000;

/** A process in the run.json of a running system. */
export interface Instance {
  pid: number;
  url: string;
  metricsUrl: string | null;
  /** The metrics URL of each process, when there are several. */
  metricsUrls?: string[];
  /** Version of a service's release. */
  version?: string;
}

/** `<data>/run.json`. */
export interface RunFile {
  origin: string;
  mode: string;
  mongodbUri: string;
  natsUrl: string;
  services: Record<string, Instance[]>;
}

/** Options of a system besides its flags. */
export interface Where {
  /** Another source tree. */
  root?: string;
  /** Existing data; a temporary folder by default. */
  dataDir?: string;
  /** Added to the environment, or all of it with `bare`. */
  env?: NodeJS.ProcessEnv;
  /** Passes only the variables of this process that a program needs to run. */
  bare?: boolean;
  /** Path of Node.js for all processes. */
  node?: string;
}

/** Starts a whole system on a free port, without rate limits, and waits until ready. It ends with this process. */
export async function startSystem(flags: string[] = [], where: Where = {}): Promise<System> {
  const dataDir = where.dataDir ?? (await mkdtemp(join(tmpdir(), 'cord-system-')));
  const system = beginSystem(flags, { ...where, dataDir });
  await system.ready();
  return system;
}

/** Like startSystem, without waiting. */
export function beginSystem(flags: string[], where: Where & { dataDir: string }): System {
  const env = { NODE_ENV: 'test', LOG_LEVEL: 'warn', RATE_LIMIT_SCALE: '0', ...where.env };
  return new System(['--port', '0', '--data', where.dataDir, ...flags], { ...where, env });
}

/** A system that `npm start` runs as a child of this process. */
export class System {
  /** Set once it is ready. */
  origin = '';
  printed = '';
  readonly child: ChildProcess;
  readonly dataDir: string;
  readonly #exit: Promise<number | null>;

  /** @param args of `npm start` */
  constructor(
    args: string[],
    { root = ROOT, dataDir = '', env = {}, bare = false, node = process.execPath }: Where = {},
  ) {
    const { PATH = '', HOME = '', TMPDIR, NODE_OPTIONS = '' } = process.env;
    const own = bare ? { PATH, HOME, NODE_OPTIONS, LOG_LEVEL: 'warn', ...(TMPDIR ? { TMPDIR } : {}) } : process.env;
    this.dataDir = dataDir;
    this.child = spawn(node, ['infra/dev/start.mjs', ...args], {
      cwd: root,
      env: { ...own, ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // Its own process group: when the tests' group is killed, it still has time to stop its children.
      detached: true,
    });
    this.#exit = once(this.child, 'exit').then(([code]) => code as number | null);
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on('data', (chunk) => {
        this.printed += chunk;
      });
    }
  }

  /** Returns the printed address. @throws {Error} with the output when the start ends or takes too long */
  async ready(): Promise<string> {
    for (const endMs = performance.now() + START_MS_MAX; performance.now() < endMs; await sleep(50)) {
      this.origin = READY.exec(this.printed)?.[1] ?? '';
      if (this.origin) return this.origin;
      if (hasEnded(this.child)) break;
    }
    throw new Error(`the system did not become ready:\n${this.printed}`);
  }

  /** Returns the exit code, once it has ended. */
  ended(): Promise<number | null> {
    return this.#exit;
  }

  running(): Promise<RunFile> {
    return readRunFile(this.dataDir);
  }

  /** Whether every service is ready, by the gateway's health check. */
  async healthy(): Promise<boolean> {
    try {
      return (await fetch(`${this.origin}/healthz`, { signal: AbortSignal.timeout(3_000) })).ok;
    } catch {
      return false;
    }
  }

  /** Returns the gateway's health report as text. */
  health(): Promise<string> {
    return fetch(`${this.origin}/healthz`).then((answer) => answer.text(), String);
  }

  /**
   * Kills a process like a crash, and waits until it is replaced and everything is ready.
   * @param index of the replica
   * @returns ms
   */
  async crash(name: string, msMax = 60_000, index = 0): Promise<number> {
    const pidOf = async () => (await this.running()).services[name]?.[index]?.pid;
    const pid = await pidOf();
    if (pid === undefined) throw new Error(`${name} is not running`);
    const startMs = performance.now();
    process.kill(pid, 'SIGKILL');
    for (; performance.now() - startMs < msMax; await sleep(100)) {
      const replaced = await pidOf();
      if (replaced && replaced !== pid && (await this.healthy())) return performance.now() - startMs;
    }
    throw new Error(`${name} did not become ready again: ${await this.health()}\n${this.printed.slice(-4_000)}`);
  }

  /** Stops in order, and removes the data. */
  async stop(): Promise<void> {
    await this.halt();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  /** Stops as Ctrl-C does and waits for the end; keeps the data. */
  halt(): Promise<void> {
    return endInOrder(this.child, 'SIGINT', STOP_MS_MAX);
  }
}

/** Reads the run.json of a data folder. */
export async function readRunFile(dataDir: string): Promise<RunFile> {
  return JSON.parse(await readFile(join(dataDir, 'run.json'), 'utf8')) as RunFile;
}

/** Whether a process runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Starts a system with only the variables of this process that a program needs. @param args of `npm start` */
export function start(args: string[], env: Record<string, string> = {}): System {
  return new System(args, { env, bare: true });
}
