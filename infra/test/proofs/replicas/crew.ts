import { opsUrlOf } from '../../../../services/kit/ops-port.ts';
import { childrenOf } from '../../kit/proc.ts';
import type { System } from '../../kit/system.ts';
import { until } from '../../kit/until.ts';

const READY_MS_MAX = 90_000;

/** The replicas of a running system: of each service, and each gateway behind the one port. */
export class Crew {
  readonly #system: System;

  /** @param system started with `--replicas` */
  constructor(system: System) {
    this.#system = system;
  }

  /** Returns all names in turn: the first replica of each service, then the second. */
  async names(): Promise<string[]> {
    const { services } = await this.#system.running();
    const own = Object.entries(services).filter(([, list]) => list.length > 1);
    const count = own[0]?.[1].length ?? 0;
    const names = Array.from({ length: count }, (_, index) => own.map(([service]) => `${service} ${index + 1}`)).flat();
    return [...names, ...(await this.#gateways()).map((_, index) => `gateway ${index + 1}`)];
  }

  /**
   * Ends a replica with a signal, and waits until another has replaced it and every gateway calls that.
   * @returns ms
   */
  async replace(name: string, signal: NodeJS.Signals): Promise<number> {
    const [service = '', number] = name.split(' ');
    const index = Number(number) - 1;
    const startMs = performance.now();
    if (service === 'gateway') {
      const before = await this.#gateways();
      const pid = before[index] ?? 0;
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
      const replicaNow = async () => (await this.#system.running()).services[service]?.[index];
      const { pid = 0 } = (await replicaNow()) ?? {};
      process.kill(pid, signal);
      await until(
        `${name} is back`,
        async () => {
          const now = await replicaNow();
          if (!now || now.pid === pid) return false;
          return (await fetch(`${opsUrlOf(now.url)}/readyz`)).ok && (await this.#allReady());
        },
        READY_MS_MAX,
      );
    }
    return performance.now() - startMs;
  }

  /** Process ids of the gateways, the children of the process that holds the port. */
  async #gateways() {
    const [gateway] = (await this.#system.running()).services.gateway ?? [];
    return gateway ? childrenOf(gateway.pid) : [];
  }

  /** Whether each gateway is ready and sees every replica as ready. */
  async #allReady() {
    const [gateway] = (await this.#system.running()).services.gateway ?? [];
    const each = await Promise.all(
      (gateway?.metricsUrls ?? []).map(async (url) => {
        const inside = url.replace(/\/metrics$/, '');
        if (!(await fetch(`${inside}/readyz`)).ok) return false;
        const { services } = (await (await fetch(`${inside}/upstreams`)).json()) as {
          services: Record<string, { ready: boolean }[]>;
        };
        return Object.values(services)
          .flat()
          .every(({ ready }) => ready);
      }),
    );
    return each.every(Boolean) && (await this.#system.healthy());
  }
}
