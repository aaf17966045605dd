import { type LookupAddress, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { isPublicAddress } from '@cord/kit/address';
import { isLoopback } from '@cord/kit/config';

/** A host name, with `*.` before it for all below it, with `:port` for another than 443. */
export const HOST_FORM = /^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?$/;

/** Where is pushed to: no other may have this system call an address. */
export interface HostRules {
  names: readonly string[];
  /** Whether a host may be this machine: in local mode, for the ends of tests. */
  allowsLoopback: boolean;
}

const HTTPS_PORT = '443';
/** How long a new endpoint's name may take to be found; one that is not found is looked at again at each push. */
const LOOKUP_MS = 2_000;

/** Whether an endpoint is https at a host of the list, by name and port; an address as a number is at none. */
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

/** A name of the list leads into a network that is not public. */
export class PrivateHost extends Error {}

/**
 * The lookup of a connection: no address that is not public is ever connected to, whatever a name resolves to by then.
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

/** Whether the name of an endpoint points to a private network now; false as well while unknown. */
export async function isPrivate(endpoint: string, rules: HostRules, find?: typeof lookup): Promise<boolean> {
  const answer = new Promise<boolean>((resolve) => {
    publicLookup(rules, find)(new URL(endpoint).hostname, { all: true }, (error) =>
      resolve(error instanceof PrivateHost),
    );
  });
  return Promise.race([answer, sleep(LOOKUP_MS, false, { ref: false })]);
}
