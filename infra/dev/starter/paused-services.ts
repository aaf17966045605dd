import { SERVICES } from './services.ts';
import type { ProcessSpec, Supervised } from './supervised.ts';

/** Processes that write data, and the stand-ins with their own files. The gateway stays and responds 503. */
const WRITERS = [...SERVICES, 'dev', 'solana'];
/** Time to stop, in ms; a service plans 9 s for its shutdown (kit, SHUTDOWN_MS_MAX). */
const GRACE_MS = 10_000;

interface Parts {
  /** all running processes */
  processes: Supervised[];
  runFile: { update(): Promise<void> };
  /** called before the restart: the data may have come with other keys */
  renewSecrets: () => Promise<void>;
  /** restarts a stopped process from its specification and keeps it running; throws when it is not ready in time */
  startAgain: (spec: ProcessSpec) => Promise<unknown>;
}

/** Pauses the services of a running system while its data is replaced; they resume at the same addresses. */
export class PausedServices {
  readonly #parts: Parts;
  readonly #stopped: ProcessSpec[] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Stops the writers. Those that an aborted import has stopped stay stopped. */
  async pause(): Promise<void> {
    const { processes, runFile } = this.#parts;
    const going = processes.filter(({ spec }) => WRITERS.includes(spec.service));
    await Promise.all(going.map((one) => one.stop(GRACE_MS, 'SIGINT')));
    for (const one of going) processes.splice(processes.indexOf(one), 1);
    this.#stopped.push(...going.map(({ spec }) => spec));
    await runFile.update();
  }

  /**
   * Restarts all of them, the chain first. One that is not ready in time is reported and does not delay the others.
   * @returns whether anything was paused
   * @throws {StartError} when secrets are missing; everything stays paused
   */
  async resume(report: (line: string) => void): Promise<boolean> {
    await this.#parts.renewSecrets();
    const stopped = this.#stopped.splice(0);
    const isChain = ({ service }: ProcessSpec) => service === 'solana';
    const startAgain = (spec: ProcessSpec) =>
      this.#parts.startAgain(spec).catch((error: Error) => report(error.message));
    for (const spec of stopped.filter(isChain)) await startAgain(spec);
    await Promise.all(stopped.filter((spec) => !isChain(spec)).map(startAgain));
    return stopped.length > 0;
  }
}
