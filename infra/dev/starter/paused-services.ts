import { SERVICES } from './services.ts';
import type { ProcessSpec, Supervised } from './supervised.ts';

/** What writes into the data; the gateway stays and answers 503. The stand-ins keep files of their own. */
const WRITERS = [...SERVICES, 'dev', 'solana'];
/** A service plans 9 s for its end (kit, SHUTDOWN_MS_MAX). */
const GRACE_MS = 10_000;

interface Parts {
  /** all that runs */
  processes: Supervised[];
  runFile: { update(): Promise<void> };
  /** before anything is started again: the data may have come with other keys */
  renewSecrets: () => Promise<void>;
  /** starts what was stopped, by what it was started with, and keeps it running; throws when it is not ready in time */
  startAgain: (spec: ProcessSpec) => Promise<unknown>;
}

/** The services of a running system, paused while its data is replaced; they come back at the same addresses. */
export class PausedServices {
  readonly #parts: Parts;
  readonly #stopped: ProcessSpec[] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Ends what writes; what an import that was broken off has ended stays so. */
  async pause(): Promise<void> {
    const { processes, runFile } = this.#parts;
    const going = processes.filter(({ spec }) => WRITERS.includes(spec.service));
    await Promise.all(going.map((one) => one.stop(GRACE_MS, 'SIGINT')));
    for (const one of going) processes.splice(processes.indexOf(one), 1);
    this.#stopped.push(...going.map(({ spec }) => spec));
    await runFile.update();
  }

  /**
   * Starts all of it again, the chain first. One that is not ready in time is reported, and holds up no other.
   * @returns whether anything stood still
   * @throws {StartError} where there are no secrets; everything stays paused
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
