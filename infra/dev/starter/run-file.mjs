import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readJson, writeWhole } from './files.mjs';
import { isRunning } from './pids.mjs';

const LEFTOVER_GRACE_MS = 5_000;

/** Where a running system says what it is (infra/README.md#commands). */
export const runFile = (dataDir) => join(dataDir, 'run.json');

/**
 * Ends what an earlier start left behind when it was itself killed, so that two processes never write one folder.
 * @param {string} dataDir
 * @returns {Promise<number>} how many were ended
 */
export async function endLeftovers(dataDir) {
  const earlier = await readJson(runFile(dataDir));
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
  #writing = Promise.resolve();
  #removed = false;

  constructor(dataDir, facts, processes) {
    this.file = runFile(dataDir);
    this.facts = facts;
    this.processes = processes;
  }

  /** Nothing runs any more. */
  async remove() {
    this.#removed = true;
    await this.#writing;
    await rm(this.file, { force: true });
  }

  /** Writes what runs now. @returns {Promise<void>} */
  update() {
    if (this.#removed) return this.#writing;
    const services = {};
    for (const process of this.processes) {
      if (!services[process.spec.service]) services[process.spec.service] = [];
      services[process.spec.service].push(process.describe());
    }
    const text = `${JSON.stringify({ ...this.facts, services }, null, 2)}\n`;
    this.#writing = this.#writing
      .then(() => writeWhole(this.file, text))
      .catch((error) => console.error(error.message));
    return this.#writing;
  }
}
