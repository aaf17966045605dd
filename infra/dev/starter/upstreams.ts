import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeWhole } from '../../../services/kit/whole-file.ts';
import { StartError } from './problems.mjs';

const POLL_MS = 100;
/** Maximum wait, in ms. A gateway polls the file four times a second and reads the routes of a new replica. */
const TAKEN_MS_MAX = 10_000;

/** A route that a gateway refuses, since another service owns it. */
interface RefusedRoute {
  path: string;
  service: string;
  owner: string;
}

/** A gateway's report of its upstreams. */
interface Upstreams {
  services: Record<string, { url: string; listed: boolean }[]>;
  refused: RefusedRoute[];
}

/** Controls the upstreams of the gateways: writes the file that they follow, and waits for their report. */
export class UpstreamsFile {
  readonly file: string;
  readonly #urls: Record<string, string[]>;
  readonly #gatewayUrls: readonly string[];

  /**
   * @param urls of each service, and of the /dev console
   * @param gatewayUrls the own address of each gateway
   */
  constructor(dataDir: string, urls: Record<string, string[]>, gatewayUrls: readonly string[]) {
    this.file = join(dataDir, 'upstreams.json');
    this.#urls = urls;
    this.#gatewayUrls = gatewayUrls;
  }

  write(): Promise<void> {
    return writeWhole(this.file, `${JSON.stringify(this.#urls, null, 2)}\n`);
  }

  /**
   * Routes calls of a service to these replicas only; in effect when it resolves.
   * @returns routes that the gateways refuse
   * @throws {StartError} when a gateway does not follow in time
   */
  async set(service: string, urls: string[]): Promise<RefusedRoute[]> {
    this.#urls[service] = urls;
    await this.write();
    const [refused] = await Promise.all(this.#gatewayUrls.map((gatewayUrl) => taken(gatewayUrl, service, urls)));
    return refused ?? [];
  }
}

/**
 * Waits until a gateway uses these addresses for a service.
 * @returns the routes that it refuses
 */
async function taken(gatewayUrl: string, service: string, urls: readonly string[]): Promise<RefusedRoute[]> {
  const deadlineMs = Date.now() + TAKEN_MS_MAX;
  for (;;) {
    const reported = await fetch(`${gatewayUrl}/upstreams`, { signal: AbortSignal.timeout(TAKEN_MS_MAX) }).then(
      (answer) => answer.json() as Promise<Upstreams>,
      () => undefined,
    );
    const now = reported?.services[service] ?? [];
    const isTaken = now.length === urls.length && urls.every((url) => now.some((one) => one.url === url && one.listed));
    if (reported && isTaken) return reported.refused;
    if (Date.now() > deadlineMs)
      throw new StartError(`a gateway does not route ${service} to ${urls.join(', ')}: see its log`);
    await sleep(POLL_MS);
  }
}
