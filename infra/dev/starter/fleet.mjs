import { freePorts } from './ports.mjs';
import { StartError } from './problems.mjs';

/** A service plans 9 s for its end (kit, SHUTDOWN_MS_MAX). */
const RETIRE_GRACE_MS = 10_000;
/** As contracts have it (REPLICAS_MAX): each replica has a number below this, by which its consumers are called. */
const REPLICAS_MAX = 32;

/** The replicas of all services of a running system, which come and go one at a time (roll.mjs). */
export class Fleet {
  /**
   * @param {object} given
   * @param {import('./supervised.mjs').Supervised[]} given.processes all that runs; replicas are put among them and taken out
   * @param {(spec: object) => Promise<import('./supervised.mjs').Supervised | undefined>} given.launch undefined while the system is being stopped
   * @param {(one: {service: string, replica: number, name: string, port: number, release?: import('./roll.mjs').Release}) => object} given.specOf
   * @param {import('./upstreams.mjs').UpstreamsFile} given.upstreams
   * @param {{update(): Promise<void>}} given.runFile
   * @param {(line: string) => void} given.say
   */
  constructor(given) {
    Object.assign(this, given);
  }

  replicasOf(service) {
    return this.processes.filter(({ spec }) => spec.service === service);
  }

  async start(service, release, readyMs) {
    const replica = this.#freeNumber(service);
    const [port] = await freePorts(1);
    const name = replica === 0 ? service : `${service}-${replica + 1}`;
    const spec = this.specOf({ service, replica, name, port, release });
    try {
      const started = await this.launch({ ...spec, name, readyTimeoutMs: readyMs });
      if (!started) throw new StartError('the system is being stopped.');
      return started;
    } catch (error) {
      await this.#forget(({ spec: { url } }) => url === spec.url);
      throw error;
    }
  }

  async serve(service, replicas) {
    const refused = await this.upstreams.set(
      service,
      replicas.map(({ spec }) => spec.url),
    );
    for (const one of refused)
      if (one.service === service) this.say(`${one.path} is ${one.owner}'s: its calls do not reach ${service}`);
  }

  async retire(replica) {
    // Nobody has to hear first that it is unready: the gateway sends it nothing any more.
    await replica.stop(RETIRE_GRACE_MS, 'SIGINT');
    await this.#forget((one) => one === replica);
  }

  #freeNumber(service) {
    const taken = new Set(this.replicasOf(service).map(({ spec }) => spec.env.CORD_REPLICA));
    for (let number = 0; number < REPLICAS_MAX; number += 1) if (!taken.has(String(number))) return number;
    throw new StartError(
      `${service} has ${REPLICAS_MAX} replicas, which is all there may be: none can come beside them.`,
    );
  }

  async #forget(isIt) {
    const at = this.processes.findIndex(isIt);
    if (at >= 0) this.processes.splice(at, 1);
    await this.runFile.update();
  }
}
