import type { IncomingMessage } from 'node:http';
import proxyAddr from 'proxy-addr';
import { addressIn } from '../address.js';

/** Whether an address is a proxy whose X-Forwarded-For is trusted. */
export type TrustedProxies = (address: string) => boolean;

/** @param cidrs as in TRUSTED_PROXIES; services add `loopback` for the gateway, which overwrites the header */
export function trustedProxies(cidrs: readonly string[]): TrustedProxies {
  const trusts = proxyAddr.compile([...cidrs]);
  return (address) => trusts(address, 0);
}

type Incoming = Pick<IncomingMessage, 'headers'> & { socket: { remoteAddress?: string | undefined } };

/**
 * Returns the client's address: the peer's, unless the peer is a trusted proxy. Then it is the right-most entry of
 * X-Forwarded-For that is no trusted proxy; entries left of it come from the client and are not trusted. With proxies only,
 * it is the left-most. A malformed entry ends the search.
 */
export function clientAddress(request: Incoming, trusted: TrustedProxies): string {
  const chain = proxyAddr.all(request as IncomingMessage, trusted);
  for (const hop of chain.toReversed()) {
    const address = addressIn(hop ?? '');
    if (address) return address.toString();
  }
  return '0.0.0.0';
}
