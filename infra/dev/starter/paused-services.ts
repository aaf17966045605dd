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
  /** what was stopped, by what it was started with */
  startAgain: (specs: ProcessSpec[]) => Promise<unknown>;
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

  /** @returns whether anything stood still */
  async resume(): Promise<boolean> {
    const stopped = this.#stopped.splice(0);
    await this.#parts.startAgain(stopped);
    return stopped.length > 0;
  }
}
