import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { opsUrlOf } from '../../../services/kit/ops-port.mjs';

const READY_MS_MAX = 90_000;
const LOOK_EVERY_MS = 100;

/** Every replica of a running system: of each service, and each gateway behind the one port. */
export class Crew {
  /** @param {import('../system/system.mjs').System} system started with `--replicas` */
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
      await until(`${name} is back`, async () => {
        const now = await this.#gateways();
        return !now.includes(pid) && now.length === before.length && (await this.#allReady());
      });
    } else {
      const { pid } = (await this.system.running()).services[service][index];
      process.kill(pid, signal);
      await until(`${name} is back`, async () => {
        const { pid: now, url } = (await this.system.running()).services[service][index] ?? {};
        return now && now !== pid && (await fetch(`${opsUrlOf(url)}/readyz`)).ok && (await this.#allReady());
      });
    }
    return performance.now() - startMs;
  }

  /** Process ids of the gateways: what the process that holds the port has started. */
  async #gateways() {
    const [{ pid }] = (await this.system.running()).services.gateway;
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return children.trim().split(' ').filter(Boolean).map(Number);
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

async function until(what, holds) {
  for (const endMs = performance.now() + READY_MS_MAX; performance.now() < endMs; await sleep(LOOK_EVERY_MS))
    if (await holds().catch(() => false)) return;
  throw new Error(`not within ${READY_MS_MAX / 1_000} s: ${what}`);
}
