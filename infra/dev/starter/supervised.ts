import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { copyFile, rename, stat, truncate } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from './paths.mjs';
import { processStart } from './pids.ts';
import { hasEnded } from './probes.ts';
import { StartError } from './problems.mjs';

const BACKOFF_MIN_MS = 250;
const BACKOFF_MAX_MS = 10_000;
/** Uptime after which the restart backoff is reset, ms. */
const STEADY_MS = 30_000;
const READY_POLL_MS = 100;
const LOG_TAIL_LINES = 15;
const STUCK_LOOK_MS = 15_000;
/** Number of consecutive stuck checks after which a process is killed. */
const STUCK_LOOKS_MAX = 3;
/** Size above which a log is rotated. */
const LOG_BYTES_MAX = 32 * 1024 * 1024;
const LOG_LOOK_MS = 30_000;

/** A process to run, and its readiness check. */
export interface ProcessSpec {
  /** as shown, and in log file names */
  name: string;
  /** the key in run.json */
  service: string;
  command: string;
  args: string[];
  env: Record<string, string>;
  /** stdout and stderr are appended here; rotated by size */
  logFile: string;
  url?: string | undefined;
  metricsUrl?: string | null | undefined;
  /** of the release */
  version?: string | undefined;
  /** of each process, when there are several */
  metricsUrls?: string[] | undefined;
  /** called every 100 ms until it resolves to true; a StartError is final */
  isReady: () => Promise<boolean>;
  readyTimeoutMs?: number;
  /** whether the process runs but will never work again; checked every 15 s, then it is killed and restarted */
  isStuck?: () => Promise<boolean>;
  stuckLookMs?: number;
  /** returns advice for a failure, given the end of the log */
  advise?: ((log: string) => string | undefined) | undefined;
  report: (line: string) => void;
  /** called when the pid changes */
  onChange: () => void;
}

/** The part of a specification that the caller sets; the starter adds the log file and the callbacks. */
export type LaunchSpec = Omit<ProcessSpec, 'name' | 'logFile' | 'report' | 'onChange'> & { name?: string };

/**
 * Keeps one process running: restarts it with backoff on the same address when it dies, and reports that. It has its
 * own process group, so that Ctrl-C reaches the starter alone and everything stops in order.
 */
export class Supervised {
  #child: ChildProcess | undefined;
  #stopping = false;
  #exited: Promise<void> = Promise.resolve();
  #backoffMs = BACKOFF_MIN_MS;
  readonly spec: ProcessSpec & { readyTimeoutMs: number };

  constructor(spec: ProcessSpec) {
    this.spec = { readyTimeoutMs: 60_000, ...spec };
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Returns this process's entry in run.json. */
  describe() {
    const { url, metricsUrl, metricsUrls, version } = this.spec;
    return {
      pid: this.pid,
      url,
      metricsUrl: metricsUrl ?? null,
      ...(metricsUrls ? { metricsUrls } : {}),
      ...(version ? { version } : {}),
      startedAt: this.pid ? processStart(this.pid) : null,
    };
  }

  /**
   * @param how keep: a process that fails to start is restarted like one that had been ready
   * @throws {StartError} with the end of its log when it dies or does not become ready in time
   */
  async start({ keep = false }: { keep?: boolean } = {}): Promise<void> {
    const { name, readyTimeoutMs } = this.spec;
    const died = this.#spawn();
    this.spec.onChange();
    const outcome = await Promise.race([died, this.#whenReady(readyTimeoutMs)]);
    if (keep || outcome === 'ready') died.then((how) => this.#revive(how));
    else this.kill();
    if (outcome !== 'ready') {
      const what = outcome === 'late' ? `was not ready within ${readyTimeoutMs / 1000} s` : outcome;
      const log = this.#logTail();
      const advice = this.spec.advise?.(log);
      throw new StartError(`${name} ${what}. ${advice ?? `The end of its log (${this.spec.logFile}):\n${log}`}`);
    }
    this.spec.onChange();
  }

  /**
   * Signals the process to stop and waits; kills it after the grace.
   * @param signal SIGTERM lets it report itself unready first
   */
  async stop(graceMs: number, signal: NodeJS.Signals = 'SIGTERM') {
    this.#stopping = true;
    if (!this.#child) return;
    this.#signal(signal);
    const force = setTimeout(() => this.#signal('SIGKILL'), graceMs);
    await this.#exited;
    clearTimeout(force);
  }

  /** Kills the process at once. */
  kill() {
    this.#stopping = true;
    this.#signal('SIGKILL');
  }

  /** Restarts the process after a change of its code (`npm run dev`). */
  restart() {
    this.spec.report(`${this.spec.name}: its code changed, restarting`);
    this.#backoffMs = BACKOFF_MIN_MS;
    this.#signal('SIGINT');
  }

  /** @returns a promise of how the process ended, or why it could not run */
  #spawn(): Promise<string> {
    try {
      return this.#run();
    } catch (error) {
      return Promise.resolve(`cannot start: ${(error as Error).message}`);
    }
  }

  #run(): Promise<string> {
    const { command, args, env, logFile } = this.spec;
    // The folder may have been deleted to free disk space.
    mkdirSync(dirname(logFile), { recursive: true, mode: 0o700 });
    const log = openSync(logFile, 'a', 0o600);
    const child = spawn(command, args, { cwd: ROOT, env, stdio: ['ignore', log, log], detached: true });
    closeSync(log);
    this.#child = child;
    const bounding = setInterval(() => void rotateLog(logFile).catch(() => {}), LOG_LOOK_MS).unref();
    const watching = this.#endStuck(child);
    const died = new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(`cannot start: ${error.message}`));
      child.once('exit', (code, signal) => resolve(signal ? `was killed by ${signal}` : `exited with code ${code}`));
    });
    this.#exited = died.then(() => {
      clearInterval(bounding);
      clearInterval(watching);
      if (this.#child === child) this.#child = undefined;
    });
    return died;
  }

  /** Kills the process once it is stuck. */
  #endStuck(child: ChildProcess) {
    const { name, report, isStuck, stuckLookMs = STUCK_LOOK_MS } = this.spec;
    let [looks, looking] = [0, false];
    if (!isStuck) return;
    const look = async () => {
      looks = (await isStuck().catch(() => false)) ? looks + 1 : 0;
      if (looks < STUCK_LOOKS_MAX || this.#stopping || hasEnded(child)) return;
      report(`${name} is stuck; killing it`);
      child.kill('SIGKILL');
    };
    return setInterval(() => {
      if (looking) return;
      looking = true;
      void look().finally(() => {
        looking = false;
      });
    }, stuckLookMs).unref();
  }

  async #revive(how: string) {
    const { name, report, onChange, readyTimeoutMs } = this.spec;
    let ended = how;
    while (!this.#stopping) {
      report(`${name} ${ended}; restarting it in ${this.#backoffMs / 1000} s`);
      await sleep(this.#backoffMs);
      if (this.#stopping) return;
      this.#backoffMs = Math.min(this.#backoffMs * 2, BACKOFF_MAX_MS);
      const startedMs = Date.now();
      const died = this.#spawn();
      onChange();
      const outcome = await Promise.race([died.then(() => 'dead'), this.#whenReady(readyTimeoutMs)]);
      if (outcome === 'ready') {
        report(`${name} is back after ${((Date.now() - startedMs) / 1000).toFixed(1)} s`);
        onChange();
      } else if (outcome === 'late') {
        report(`${name} runs but is still not ready; its log is ${this.spec.logFile}`);
      } else if (outcome !== 'dead') report(`${name} ${outcome}`);
      ended = await died;
      if (Date.now() - startedMs > STEADY_MS) this.#backoffMs = BACKOFF_MIN_MS;
    }
  }

  async #whenReady(timeoutMs: number) {
    const child = this.#child;
    const deadlineMs = Date.now() + timeoutMs;
    while (Date.now() < deadlineMs && this.#child === child) {
      const ready = await this.spec.isReady().catch((error: unknown) => error);
      if (ready === true) return 'ready';
      if (ready instanceof StartError) return `cannot be used: ${ready.message}`;
      await sleep(READY_POLL_MS);
    }
    return 'late';
  }

  #signal(signal: NodeJS.Signals) {
    try {
      this.#child?.kill(signal);
    } catch {
      // It has already ended.
    }
  }

  #logTail() {
    try {
      return readFileSync(this.spec.logFile, 'utf8').trimEnd().split('\n').slice(-LOG_TAIL_LINES).join('\n');
    } catch {
      return '(empty)';
    }
  }
}

/**
 * Rotates a log: it and its predecessors (`.1`, `.2`) each stay below a size. The process keeps its file handle, so the
 * file is copied and truncated; lines written in between may be lost.
 * @returns whether it was too long
 */
export async function rotateLog(file: string, bytesMax = LOG_BYTES_MAX): Promise<boolean> {
  const { size } = await stat(file);
  if (size <= bytesMax) return false;
  await rename(`${file}.1`, `${file}.2`).catch(() => {});
  await copyFile(file, `${file}.1`);
  await truncate(file);
  return true;
}
