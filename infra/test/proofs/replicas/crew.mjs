import { opsUrlOf } from '../../../../services/kit/ops-port.mjs';
import { childrenOf } from '../../kit/proc.ts';
import { until } from '../../kit/until.ts';

const READY_MS_MAX = 90_000;

/** Every replica of a running system: of each service, and each gateway behind the one port. */
export class Crew {
  /** @param {import('../../kit/system.ts').System} system started with `--replicas` */
  constructor(system) {
    this.system = system;
  }

  /** Names of all, services in turn: the first of each, then the second. */
  async names() {
    const { services } = await this.system.running();
    const own = Object.entries(services).filter(([, list]) => list.length > 1);
    const count = own[0][1].length;
    const names = Array.from({ length: count }, (_, index) => own.map(([service]) => `${service} ${index + 1}`)).flat();
    return [...names, ...(await this.#gateways()).map((_, index) => `gateway ${index + 1}`)];
  }

  /**
   * Ends one with a signal, and waits until another has taken its place and every gateway sends calls to it.
   * @param {string} name @param {NodeJS.Signals} signal @returns {Promise<number>} ms
   */
  async replace(name, signal) {
    const [service, number] = name.split(' ');
    const index = Number(number) - 1;
    const startMs = performance.now();
    if (service === 'gateway') {
      const before = await this.#gateways();
      const pid = before[index];
      process.kill(pid, signal);
      await until(
        `${name} is back`,
        async () => {
          const now = await this.#gateways();
          return !now.includes(pid) && now.length === before.length && (await this.#allReady());
        },
        READY_MS_MAX,
      );
    } else {
      const { pid } = (await this.system.running()).services[service][index];
      process.kill(pid, signal);
      await until(
        `${name} is back`,
        async () => {
          const { pid: now, url } = (await this.system.running()).services[service][index] ?? {};
          return now && now !== pid && (await fetch(`${opsUrlOf(url)}/readyz`)).ok && (await this.#allReady());
        },
        READY_MS_MAX,
      );
    }
    return performance.now() - startMs;
  }

  /** Process ids of the gateways: what the process that holds the port has started. */
  async #gateways() {
    const [{ pid }] = (await this.system.running()).services.gateway;
    return childrenOf(pid);
  }

  /** Whether each gateway is ready, and sees every replica ready. */
  async #allReady() {
    const [{ metricsUrls }] = (await this.system.running()).services.gateway;
    const each = await Promise.all(
      metricsUrls.map(async (url) => {
        const inside = url.replace(/\/metrics$/, '');
        if (!(await fetch(`${inside}/readyz`)).ok) return false;
        const { services } = await (await fetch(`${inside}/upstreams`)).json();
        return Object.values(services)
          .flat()
          .every(({ ready }) => ready);
      }),
    );
    return each.every(Boolean) && (await this.system.healthy());
  }
}
