import { type BlockList, isIP, isIPv6 } from 'node:net';

/**
 * The client's network address. X-Forwarded-For counts only when the peer is a proxy: one on loopback (the gateway,
 * which overwrites the header) or one of TRUSTED_PROXIES. Then it is the right-most entry that is no such proxy; what
 * stands left of it was written by the client and is not believed. With proxies only, it is the left-most.
 */
export function clientAddress(peer: string, forwardedFor: string | undefined, trusted: BlockList): string {
  const peerAddress = plainAddress(peer) ?? '0.0.0.0';
  if (!forwardedFor || !isProxy(peerAddress, trusted)) return peerAddress;
  const chain = forwardedFor.split(',').map((entry) => plainAddress(entry.trim()));
  for (let hop = chain.length - 1; hop >= 0; hop--) {
    const address = chain[hop];
    // An entry that is no address cannot be walked past.
    if (!address) return chain[hop + 1] ?? peerAddress;
    if (!isProxy(address, trusted)) return address;
  }
  return chain[0] ?? peerAddress;
}

/** What limits by address go by: the address, for IPv6 its /64. */
export function addressKey(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const front = head ? head.split(':') : [];
  const back = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - front.length - back.length);
  const groups = [...front, ...Array<string>(zeros).fill('0'), ...back];
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}

/** Without zone, IPv4 in IPv6 as IPv4; undefined for what is no address. */
function plainAddress(text: string): string | undefined {
  const address = text.replace(/%.*$/, '').toLowerCase();
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1];
  const plain = mapped ?? address;
  return isIP(plain) ? plain : undefined;
}

function isProxy(address: string, trusted: BlockList): boolean {
  if (address === '::1' || address.startsWith('127.')) return true;
  return trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
