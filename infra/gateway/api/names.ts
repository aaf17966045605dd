import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@cord/kit/log';
import type { UpstreamName, UpstreamUrls } from '../config.js';
import type { Upstreams } from './upstreams.js';

/** How often a name is resolved again, ms. */
const RESOLVE_EVERY_MS = 5_000;
/** A start waits no longer than this for names; they are resolved again. */
const FIRST_MS_MAX = 2_000;

/** All addresses that a host name has now. */
export type Resolve = (host: string) => Promise<string[]>;

export const resolveHost: Resolve = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);

export interface NameOptions {
  resolve?: Resolve;
  everyMs?: number;
}

export interface NamedUpstreams {
  /** These are the upstreams from now on; a replica is an address, and a name as many as it has. */
  set(urls: UpstreamUrls): Promise<void>;
  stop(): void;
}

/**
 * Upstreams whose hosts may be names with several addresses that come and go, as a headless service of Kubernetes has: resolved
 * again every 5 s. Each address is a replica: probed, called in turn, passed over when it refuses. A name that cannot be
 * resolved keeps the addresses that it had; one that never could stands as it is, and is unready.
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
      if (addresses.length === 0) throw new Error('it has no address');
      known.set(host, [...new Set(addresses)].sort());
      failing.delete(host);
    } catch (err) {
      if (!failing.has(host)) log.warn({ err, url: host }, 'an upstream cannot be resolved: it stays where it was');
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
  /** Has the upstreams be what is known now. @returns whether that is something else */
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
      // The routes of a new replica are requested at once.
      if (apply()) await upstreams.probe();
    }
  };
  // It ends by being stopped.
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

/** An address stays what it is; so does this machine, whose name has one in each family, and what listens has one of them. */
function isName(host: string): boolean {
  return host !== 'localhost' && isIP(host.replace(/^\[|\]$/g, '')) === 0;
}

function at(url: string, address: string): string {
  const moved = new URL(url);
  moved.hostname = isIP(address) === 6 ? `[${address}]` : address;
  // As addresses are written: without a path there is no slash.
  return moved.href.replace(/\/$/, '');
}
