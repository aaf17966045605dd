import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeWhole } from './files.mjs';
import { StartError } from './problems.mjs';

const LOOK_EVERY_MS = 100;
/** The gateway looks four times a second, and asks a new replica for its routes. */
const TAKEN_MS_MAX = 10_000;

/** To whom the gateways send calls: a file that they follow, and their own word that they have done so. */
export class UpstreamsFile {
  /**
   * @param {string} dataDir
   * @param {Record<string, string[]>} urls of each service, and of the console of /dev
   * @param {string[]} gatewayUrls of the own port of each
   */
  constructor(dataDir, urls, gatewayUrls) {
    this.file = join(dataDir, 'upstreams.json');
    this.urls = urls;
    this.gatewayUrls = gatewayUrls;
  }

  write() {
    return writeWhole(this.file, `${JSON.stringify(this.urls, null, 2)}\n`);
  }

  /**
   * Has calls of a service go to these replicas and to no other, from the moment on when this returns.
   * @param {string} service @param {string[]} urls
   * @returns {Promise<{path: string, service: string, owner: string}[]>} routes that the gateways refuse
   * @throws {StartError} when one of them does not say so in time
   */
  async set(service, urls) {
    this.urls[service] = urls;
    await this.write();
    const [refused] = await Promise.all(this.gatewayUrls.map((gatewayUrl) => taken(gatewayUrl, service, urls)));
    return refused;
  }
}

/** Waits until a gateway sends calls of a service there. @returns what it refuses */
async function taken(gatewayUrl, service, urls) {
  const deadlineMs = Date.now() + TAKEN_MS_MAX;
  for (;;) {
    const said = await fetch(`${gatewayUrl}/upstreams`, { signal: AbortSignal.timeout(TAKEN_MS_MAX) }).then(
      (answer) => answer.json(),
      () => undefined,
    );
    const now = said?.services?.[service] ?? [];
    const isTaken = now.length === urls.length && urls.every((url) => now.some((one) => one.url === url && one.heard));
    if (isTaken) return said.refused;
    if (Date.now() > deadlineMs)
      throw new StartError(`a gateway does not send calls of ${service} to ${urls.join(', ')}: see its log`);
    await sleep(LOOK_EVERY_MS);
  }
}
