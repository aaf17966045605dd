import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const READY = /^CORD is ready at (\S+)$/m;
const START_MS_MAX = 180_000;

export interface Instance {
  pid: number;
  url: string;
  metricsUrl: string | null;
  /** Of each, where it is several processes. */
  metricsUrls?: string[];
  /** Of the release that a service runs. */
  version?: string;
}

export interface RunFile {
  origin: string;
  mode: string;
  mongodbUri: string;
  natsUrl: string;
  services: Record<string, Instance[]>;
}

/** What `npm start` runs, as a child with an environment of its own. */
export function start(args: string[], env: Record<string, string> = {}): Started {
  return new Started(args, env);
}

export class Started {
  readonly child: ChildProcess;
  output = '';
  readonly #exit: Promise<number>;

  constructor(
    readonly args: string[],
    env: Record<string, string>,
  ) {
    const { PATH = '', HOME = '', NODE_OPTIONS = '' } = process.env;
    this.child = spawn(process.execPath, ['infra/dev/start.mjs', ...args], {
      cwd: ROOT,
      env: { PATH, HOME, NODE_OPTIONS, LOG_LEVEL: 'warn', ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on('data', (chunk) => {
        this.output += chunk;
      });
    }
    this.#exit = once(this.child, 'exit').then(([code]) => code as number);
  }

  /** The printed address. @throws Error with what was printed when the start ends or takes too long */
  async ready(): Promise<string> {
    for (let waited = 0; waited < START_MS_MAX; waited += 50) {
      const origin = READY.exec(this.output)?.[1];
      if (origin) return origin;
      if (this.child.exitCode !== null) break;
      await sleep(50);
    }
    throw new Error(`the start did not become ready:\n${this.output}`);
  }

  /** The exit code. */
  ended(): Promise<number> {
    return this.#exit;
  }

  /** Ends it as Ctrl-C does, and waits for the end. */
  async stop(): Promise<void> {
    if (this.child.exitCode === null) this.child.kill('SIGINT');
    await this.#exit;
  }
}

export async function readRunFile(dataDir: string): Promise<RunFile> {
  return JSON.parse(await readFile(join(dataDir, 'run.json'), 'utf8')) as RunFile;
}

/** Asks until it holds; a moved or restarted part needs a moment. */
export async function until(what: string, holds: () => Promise<boolean>, withinMs = 60_000): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (performance.now() < deadline) {
    if (await holds().catch(() => false)) return;
    await sleep(100);
  }
  throw new Error(`within ${withinMs} ms it did not come true that ${what}`);
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
