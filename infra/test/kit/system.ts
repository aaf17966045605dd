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

/** A process of a running system, in its run.json. */
export interface Instance {
  pid: number;
  url: string;
  metricsUrl: string | null;
  /** Of each, where it is several processes. */
  metricsUrls?: string[];
  /** Of the release that a service runs. */
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

/** What a system starts with beside its flags. */
export interface Where {
  /** Another tree of the code. */
  root?: string;
  /** Data that is there already; else a folder of its own. */
  dataDir?: string;
  /** More of the environment, or the whole of it. */
  env?: NodeJS.ProcessEnv;
  /** Nothing of this process's environment but what a program needs to run. */
  bare?: boolean;
  /** The Node.js that runs all of it. */
  node?: string;
}

/** Starts a whole system on a free port, without limits, and waits until it is ready; by its channel it ends with this process. */
export async function startSystem(flags: string[] = [], where: Where = {}): Promise<System> {
  const dataDir = where.dataDir ?? (await mkdtemp(join(tmpdir(), 'cord-system-')));
  const system = beginSystem(flags, { ...where, dataDir });
  await system.ready();
  return system;
}

/** The same, without waiting. */
export function beginSystem(flags: string[], where: Where & { dataDir: string }): System {
  const env = { NODE_ENV: 'test', LOG_LEVEL: 'warn', RATE_LIMIT_SCALE: '0', ...where.env };
  return new System(['--port', '0', '--data', where.dataDir, ...flags], { ...where, env });
}

/** A system that `npm start` runs as a child of this process. */
export class System {
  /** Once it is ready. */
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
      // Not in the group of the tests: one that is killed as a whole leaves it time to stop what it has started.
      detached: true,
    });
    this.#exit = once(this.child, 'exit').then(([code]) => code as number | null);
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on('data', (chunk) => {
        this.printed += chunk;
      });
    }
  }

  /** The printed address. @throws {Error} with what was printed when the start ends or takes too long */
  async ready(): Promise<string> {
    for (const endMs = performance.now() + START_MS_MAX; performance.now() < endMs; await sleep(50)) {
      this.origin = READY.exec(this.printed)?.[1] ?? '';
      if (this.origin) return this.origin;
      if (hasEnded(this.child)) break;
    }
    throw new Error(`the system did not become ready:\n${this.printed}`);
  }

  /** The exit code, once it has ended. */
  ended(): Promise<number | null> {
    return this.#exit;
  }

  running(): Promise<RunFile> {
    return readRunFile(this.dataDir);
  }

  /** Whether every service is ready, as the gateway finds it. */
  async healthy(): Promise<boolean> {
    try {
      return (await fetch(`${this.origin}/healthz`, { signal: AbortSignal.timeout(3_000) })).ok;
    } catch {
      return false;
    }
  }

  /** What the gateway has of every service, as text. */
  health(): Promise<string> {
    return fetch(`${this.origin}/healthz`).then((answer) => answer.text(), String);
  }

  /**
   * Kills a process as a crash would, and waits until another has taken its place and everything is ready.
   * @param index of the replica
   * @returns ms
   */
  async crash(name: string, msMax = 60_000, index = 0): Promise<number> {
    const pidOf = async () => (await this.running()).services[name]?.[index]?.pid;
    const pid = await pidOf();
    if (pid === undefined) throw new Error(`${name} does not run`);
    const startMs = performance.now();
    process.kill(pid, 'SIGKILL');
    for (; performance.now() - startMs < msMax; await sleep(100)) {
      const replaced = await pidOf();
      if (replaced && replaced !== pid && (await this.healthy())) return performance.now() - startMs;
    }
    throw new Error(`${name} did not come back: ${await this.health()}\n${this.printed.slice(-4_000)}`);
  }

  /** Stops in order, and removes the data. */
  async stop(): Promise<void> {
    await this.halt();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  /** Ends as Ctrl-C does, and waits for the end; the data stays. */
  halt(): Promise<void> {
    return endInOrder(this.child, 'SIGINT', STOP_MS_MAX);
  }
}

/** What the system of a data folder has written of itself. */
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

/** A system in an environment that holds nothing of this process's but what a program needs. @param args of `npm start` */
export function start(args: string[], env: Record<string, string> = {}): System {
  return new System(args, { env, bare: true });
}
