import { SERVICES } from './services.mjs';

/** What writes into the data; the gateway stays and says 503. The stand-ins keep files of their own. */
const WRITERS = [...SERVICES, 'dev', 'solana'];
/** A service plans 9 s for its end (kit, SHUTDOWN_MS_MAX). */
const GRACE_MS = 10_000;

/** A running system whose services stand still while its data is replaced, and come back at the same addresses. */
export class Standstill {
  #stopped = [];

  /**
   * @param {object} given
   * @param {import('./supervised.mjs').Supervised[]} given.processes all that runs
   * @param {{update(): Promise<void>}} given.runFile
   * @param {(specs: object[]) => Promise<unknown>} given.startAgain what was stopped, by what it was started with
   */
  constructor(given) {
    Object.assign(this, given);
  }

  /** Ends what writes; what an import that was broken off has ended stays so. */
  async begin() {
    const going = this.processes.filter(({ spec }) => WRITERS.includes(spec.service));
    await Promise.all(going.map((one) => one.stop(GRACE_MS, 'SIGINT')));
    for (const one of going) this.processes.splice(this.processes.indexOf(one), 1);
    this.#stopped.push(...going.map(({ spec }) => spec));
    await this.runFile.update();
  }

  /** @returns {Promise<boolean>} whether anything stood still */
  async end() {
    const stopped = this.#stopped.splice(0);
    await this.startAgain(stopped);
    return stopped.length > 0;
  }
}
