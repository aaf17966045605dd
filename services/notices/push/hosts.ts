import { type LookupAddress, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { isPublicAddress } from '@cord/kit/address';
import { isLoopback } from '@cord/kit/config';

/** A host name, with the prefix `*.` for all subdomains and the suffix `:port` for any port except 443. */
export const HOST_FORM = /^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?$/;

/** The allowed hosts of push endpoints: this system calls no other address. */
export interface HostRules {
  names: readonly string[];
  /** Whether a host may be this machine: in local mode, for tests. */
  allowsLoopback: boolean;
}

const HTTPS_PORT = '443';
/** Timeout of the first DNS lookup of an endpoint, ms; a failed one is repeated at each push. */
const LOOKUP_MS = 2_000;

/** Returns whether an endpoint is https at an allowed host and port. A numeric address is never allowed. */
export function isAllowed(endpoint: string, { names }: HostRules): boolean {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : null;
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return false;
  const host = url.hostname.toLowerCase();
  if (isIP(host.replace(/^\[|\]$/g, '')) !== 0) return false;
  return names.some((name) => {
    const [pattern = '', port = HTTPS_PORT] = name.split(':');
    if (port !== (url.port || HTTPS_PORT)) return false;
    return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern;
  });
}

/** An allowed name resolves to a network that is not public. */
export class PrivateHost extends Error {}

/**
 * Returns the lookup of a connection: it never resolves to a non-public address, even if the name has changed.
 * @param find as of node:dns
 */
export function publicLookup({ allowsLoopback }: HostRules, find: typeof lookup = lookup): LookupFunction {
  return (hostname, options, done) => {
    find(hostname, { ...options, all: true }, (error, found) => {
      const addresses = (found ?? []) as LookupAddress[];
      const [first] = addresses;
      if (error || !first) return done(error ?? new Error(`${hostname} is nowhere`), '', 0);
      const isOpen = ({ address }: LookupAddress) =>
        isPublicAddress(address) || (allowsLoopback && isLoopback(address));
      if (!addresses.every(isOpen)) return done(new PrivateHost(`${hostname} is in a private network`), '', 0);
      return options.all ? done(null, addresses) : done(null, first.address, first.family);
    });
  };
}

/** Returns whether an endpoint's name resolves to a private network; also false while unknown. */
export async function isPrivate(endpoint: string, rules: HostRules, find?: typeof lookup): Promise<boolean> {
  const answer = new Promise<boolean>((resolve) => {
    publicLookup(rules, find)(new URL(endpoint).hostname, { all: true }, (error) =>
      resolve(error instanceof PrivateHost),
    );
  });
  return Promise.race([answer, sleep(LOOKUP_MS, false, { ref: false })]);
}
