import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeWhole } from '../../../services/kit/whole-file.ts';
import { readJson } from './files.ts';
import { isRunning } from './pids.ts';
import type { Supervised } from './supervised.ts';

const LEFTOVER_GRACE_MS = 5_000;

/** What run.json holds of a process. */
export interface RunningProcess {
  pid: number;
  url?: string;
  metricsUrl: string | null;
  /** of each, where it is several processes */
  metricsUrls?: string[];
  /** of a deployed release */
  version?: string;
  startedAt: string | null;
}

/** What run.json holds (infra/README.md#commands). */
export interface Running {
  origin: string;
  mode: string;
  moduleStore: string;
  mongodbUri?: string;
  natsUrl?: string;
  services: Record<string, RunningProcess[]>;
}

/** Where a running system describes itself. */
export const runFile = (dataDir: string): string => join(dataDir, 'run.json');

/** The system that runs on a data folder; undefined where none of its processes does: a killed start leaves its run.json behind. */
export async function runningSystem(dataDir: string): Promise<Running | undefined> {
  const system = await readJson<Running>(runFile(dataDir));
  return Object.values(system?.services ?? {})
    .flat()
    .some(isRunning)
    ? system
    : undefined;
}

/**
 * Ends what an earlier start left behind when it was itself killed, so that two processes never write one folder.
 * @returns how many were ended
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

/** Keeps run.json true: writes are in order, the last state wins. */
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

  /** Nothing runs any more. The file of an earlier start stays until something has run: its processes are known by it alone. */
  async remove(): Promise<void> {
    this.#removed = true;
    await this.#writing;
    if (this.#isWritten) await rm(this.file, { force: true });
  }

  /** Writes what runs now. */
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
