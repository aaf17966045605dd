import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@cord/kit/log';
import type { UpstreamName, UpstreamUrls } from '../config.js';
import type { Upstreams } from './upstreams.js';

/** Interval of name resolution, ms. */
const RESOLVE_EVERY_MS = 5_000;
/** Maximum wait for name resolution at the start, ms; names are resolved again later. */
const FIRST_MS_MAX = 2_000;

/** Returns all current addresses of a host name. */
export type Resolve = (host: string) => Promise<string[]>;

export const resolveHost: Resolve = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);

export interface NameOptions {
  resolve?: Resolve;
  everyMs?: number;
}

export interface NamedUpstreams {
  /** Sets the upstreams; each address of a name is a replica. */
  set(urls: UpstreamUrls): Promise<void>;
  stop(): void;
}

/**
 * Resolves upstream host names every 5 s, because a name may have several changing addresses, like a headless service
 * of Kubernetes. Each address is a replica: probed, called in turn, skipped when it refuses. A name that cannot be
 * resolved keeps its last addresses; one that never could is kept as it is, and is not ready.
 */
export function nameUpstreams(
  upstreams: Pick<Upstreams<UpstreamName>, 'set' | 'probe'>,
  log: Pick<Log, 'warn' | 'info'>,
  { resolve = resolveHost, everyMs = RESOLVE_EVERY_MS }: NameOptions = {},
): NamedUpstreams {
  const stopped = new AbortController();
  const known = new Map<string, string[]>();
  const failing = new Set<string>();
  let given: UpstreamUrls = {};
  let standing = '';

  const refresh = async (host: string): Promise<void> => {
    try {
      const addresses = await resolve(host);
      if (addresses.length === 0) throw new Error('the name has no address');
      known.set(host, [...new Set(addresses)].sort());
      failing.delete(host);
    } catch (err) {
      if (!failing.has(host))
        log.warn({ err, url: host }, 'an upstream name cannot be resolved: keeping its last addresses');
      failing.add(host);
    }
  };
  const namesIn = (urls: UpstreamUrls) => [
    ...new Set(Object.values(urls).flatMap((list) => list.map(hostOf).filter(isName))),
  ];
  const urlsOf = (url: string): string[] => {
    const host = hostOf(url);
    const addresses = isName(host) ? known.get(host) : undefined;
    return addresses?.map((address) => at(url, address)) ?? [url];
  };
  /** Applies the known addresses to the upstreams. @returns whether they changed */
  const apply = (): boolean => {
    const entries = Object.entries(given).map(([name, urls]) => [name, [...new Set(urls.flatMap(urlsOf))]]);
    const text = JSON.stringify(entries);
    if (text === standing) return false;
    standing = text;
    upstreams.set(Object.fromEntries(entries));
    return true;
  };
  const follow = async (): Promise<void> => {
    for (;;) {
      await sleep(everyMs, undefined, { signal: stopped.signal });
      await Promise.all(namesIn(given).map(refresh));
      // Reads the routes of new replicas at once.
      if (apply()) await upstreams.probe();
    }
  };
  // It ends when it is stopped.
  follow().catch(() => undefined);
  return {
    async set(urls) {
      given = urls;
      const resolved = Promise.all(namesIn(urls).map((host) => known.has(host) || refresh(host)));
      await Promise.race([resolved, sleep(FIRST_MS_MAX, undefined, { ref: false })]);
      apply();
    },
    stop: () => stopped.abort(),
  };
}

function hostOf(url: string): string {
  return new URL(url).hostname;
}

/** Whether a host must be resolved. IP addresses are not, and neither is localhost, which has one address per family, while a server listens on one of them. */
function isName(host: string): boolean {
  return host !== 'localhost' && isIP(host.replace(/^\[|\]$/g, '')) === 0;
}

function at(url: string, address: string): string {
  const moved = new URL(url);
  moved.hostname = isIP(address) === 6 ? `[${address}]` : address;
  // Configured addresses have no trailing slash.
  return moved.href.replace(/\/$/, '');
}
