import type { IncomingMessage } from 'node:http';
import proxyAddr from 'proxy-addr';
import { addressIn } from '../address.js';

/** Whether an address is one of a proxy whose X-Forwarded-For is believed. */
export type TrustedProxies = (address: string) => boolean;

/** @param cidrs as in TRUSTED_PROXIES; for services `loopback` too: the gateway, which overwrites the header */
export function trustedProxies(cidrs: readonly string[]): TrustedProxies {
  const trusts = proxyAddr.compile([...cidrs]);
  return (address) => trusts(address, 0);
}

type Incoming = Pick<IncomingMessage, 'headers'> & { socket: { remoteAddress?: string | undefined } };

/**
 * The client's network address: the peer's own, unless the peer is a trusted proxy. Then it is the right-most entry of
 * X-Forwarded-For that is no such proxy; what stands left of it was written by the client and is not believed. With proxies
 * only, it is the left-most. An entry that is no address cannot be walked past.
 */
export function clientAddress(request: Incoming, trusted: TrustedProxies): string {
  const chain = proxyAddr.all(request as IncomingMessage, trusted);
  for (const hop of chain.toReversed()) {
    const address = addressIn(hop ?? '');
    if (address) return address.toString();
  }
  return '0.0.0.0';
}
