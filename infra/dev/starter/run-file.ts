import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeWhole } from '../../../services/kit/whole-file.ts';
import { readJson } from './files.ts';
import { isRunning } from './pids.ts';
import type { Supervised } from './supervised.ts';

const LEFTOVER_GRACE_MS = 5_000;

/** A process in run.json. */
export interface RunningProcess {
  pid: number;
  url?: string;
  metricsUrl: string | null;
  /** of each process, when there are several */
  metricsUrls?: string[];
  /** of a deployed release */
  version?: string;
  startedAt: string | null;
}

/** The content of run.json (infra/README.md#commands). */
export interface Running {
  origin: string;
  mode: string;
  moduleStore: string;
  mongodbUri?: string;
  natsUrl?: string;
  services: Record<string, RunningProcess[]>;
}

/** Path of the file in which a running system describes itself. */
export const runFile = (dataDir: string): string => join(dataDir, 'run.json');

/** Returns the system that runs on a data folder, or undefined. A killed start leaves a stale run.json behind. */
export async function runningSystem(dataDir: string): Promise<Running | undefined> {
  const system = await readJson<Running>(runFile(dataDir));
  return Object.values(system?.services ?? {})
    .flat()
    .some(isRunning)
    ? system
    : undefined;
}

/**
 * Ends the processes of an earlier start that was killed, so that two processes never write to one folder.
 * @returns the number of processes ended
 */
export async function endLeftovers(dataDir: string): Promise<number> {
  const earlier = await readJson<Running>(runFile(dataDir));
  const all = Object.values(earlier?.services ?? {}).flat();
  const running = all.filter((entry) => entry.startedAt && isRunning(entry));
  for (const { pid } of running) process.kill(pid, 'SIGTERM');
  const deadlineMs = Date.now() + LEFTOVER_GRACE_MS;
  while (running.some(isRunning) && Date.now() < deadlineMs) await sleep(50);
  for (const entry of running.filter(isRunning)) process.kill(entry.pid, 'SIGKILL');
  while (running.some(isRunning)) await sleep(20);
  return running.length;
}

/** Keeps run.json current: writes are ordered, the last state wins. */
export class RunFile {
  readonly file: string;
  readonly facts: Omit<Running, 'services'>;
  readonly #processes: readonly Supervised[];
  #writing: Promise<void> = Promise.resolve();
  #isWritten = false;
  #removed = false;

  constructor(dataDir: string, facts: Omit<Running, 'services'>, processes: readonly Supervised[]) {
    this.file = runFile(dataDir);
    this.facts = facts;
    this.#processes = processes;
  }

  /** Removes the file. Until this start has run something, the file lists processes of an earlier one, and stays. */
  async remove(): Promise<void> {
    this.#removed = true;
    await this.#writing;
    if (this.#isWritten) await rm(this.file, { force: true });
  }

  /** Writes the running processes. */
  update(): Promise<void> {
    if (this.#removed) return this.#writing;
    this.#isWritten = true;
    const services: Record<string, object[]> = {};
    for (const one of this.#processes) {
      services[one.spec.service] ??= [];
      services[one.spec.service]?.push(one.describe());
    }
    const text = `${JSON.stringify({ ...this.facts, services }, null, 2)}\n`;
    this.#writing = this.#writing
      .then(() => writeWhole(this.file, text))
      .catch((error: Error) => console.error(error.message));
    return this.#writing;
  }
}
