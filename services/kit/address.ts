import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { createKeyedHash } from './keyed-hash.js';

/**
 * Returns the keyed hash that stands for an address (kept for 30 days), 32 hex characters; null for an
 * address that never counts. Equal in every service with the same ADDRESS_HASH_KEY.
 */
export type AddressHash = (address: string) => string | null;

const HASH_HEX_LENGTH = 32;

/** @param secret ADDRESS_HASH_KEY. */
export function createAddressHash(secret: string): AddressHash {
  const hash = createKeyedHash(secret, 'network address', 'hex');
  return (address) => {
    const counted = countedAddress(address);
    return counted === null ? null : hash(counted).slice(0, HASH_HEX_LENGTH);
  };
}

/**
 * Returns a keyed hash of any address, private ones included, for rate limits in the store. It differs from the
 * anti-cheat hash, so that the two cannot be matched.
 * @param secret ADDRESS_HASH_KEY
 */
export function createLimitHash(secret: string): (address: string) => string {
  const hash = createKeyedHash(secret, 'rate limits by address', 'hex');
  return (address) => hash(address).slice(0, HASH_HEX_LENGTH);
}

/** Public address ranges; a 6to4 or Teredo address belongs to one line too. */
const PUBLIC_RANGES: ReadonlySet<string> = new Set(['unicast', '6to4', 'teredo']);
/** Documentation ranges (RFC 5737, 3849): no line has one, so tests use them as public addresses. */
const EXAMPLES = ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '2001:db8::/32'].map(ipaddr.parseCIDR);

/** Parses an address: IPv4-mapped IPv6 becomes IPv4, the zone is dropped; null when it is no address. */
export function addressIn(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const plain = text.replace(/%.*$/, '');
  return isIP(plain) === 0 ? null : ipaddr.process(plain);
}

/**
 * Returns the network address that anti-cheat counts: an IPv4 address, or the /56 of an IPv6 address. Null for private, loopback,
 * link-local, 100.64/10, ULA and every other non-public address: they do not show who shares a line.
 */
export function countedAddress(text: string): string | null {
  const address = addressIn(text);
  if (address === null) return null;
  const isExample = EXAMPLES.some(([net, bits]) => net.kind() === address.kind() && address.match(net, bits));
  return isExample || PUBLIC_RANGES.has(address.range()) ? lineOf(address) : null;
}

/** Whether an address is public: not of a home network, a machine or a test. */
export function isPublicAddress(text: string): boolean {
  const address = addressIn(text);
  return address !== null && address.range() === 'unicast';
}

/** Key of limits by address: the address itself, or the /56 of an IPv6 address. */
export function addressKey(text: string): string {
  const address = addressIn(text);
  return address === null ? text : lineOf(address);
}

/** One line: an IPv4 address, or the /56 of an IPv6 address, the smallest block that a provider assigns a customer. */
function lineOf(address: ipaddr.IPv4 | ipaddr.IPv6): string {
  if (address instanceof ipaddr.IPv4) return address.toString();
  const [first, second, third, fourth = 0] = address.parts;
  const network = [first, second, third, fourth & 0xff00].map((group) => group?.toString(16));
  return `${network.join(':')}::/56`;
}
