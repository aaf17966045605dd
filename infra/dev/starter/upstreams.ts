import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeWhole } from '../../../services/kit/whole-file.ts';
import { StartError } from './problems.mjs';

const LOOK_EVERY_MS = 100;
/** The gateway looks four times a second, and reads the routes of a new replica. */
const TAKEN_MS_MAX = 10_000;

/** A route that a gateway does not take, since another service has it. */
interface RefusedRoute {
  path: string;
  service: string;
  owner: string;
}

/** What a gateway reports of where it sends calls. */
interface Upstreams {
  services: Record<string, { url: string; listed: boolean }[]>;
  refused: RefusedRoute[];
}

/** To whom the gateways send calls: a file that they follow, and their report that they have done so. */
export class UpstreamsFile {
  readonly file: string;
  readonly #urls: Record<string, string[]>;
  readonly #gatewayUrls: readonly string[];

  /**
   * @param urls of each service, and of the console of /dev
   * @param gatewayUrls of the own port of each
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
   * Has calls of a service go to these replicas and to no other, from the moment on when this returns.
   * @returns routes that the gateways refuse
   * @throws {StartError} when one of them is not ready in time
   */
  async set(service: string, urls: string[]): Promise<RefusedRoute[]> {
    this.#urls[service] = urls;
    await this.write();
    const [refused] = await Promise.all(this.#gatewayUrls.map((gatewayUrl) => taken(gatewayUrl, service, urls)));
    return refused ?? [];
  }
}

/**
 * Waits until a gateway sends calls of a service there.
 * @returns what it refuses
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
      throw new StartError(`a gateway does not send calls of ${service} to ${urls.join(', ')}: see its log`);
    await sleep(LOOK_EVERY_MS);
  }
}
